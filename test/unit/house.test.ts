import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import ts from 'typescript';
import { COMMANDS, CONTEXT, ROWS, SETTINGS, VIEW_CONTAINER, VIEWS } from '../../src/ids';

const ROOT = join(__dirname, '..', '..');

/** Which floors a floor may import from, besides itself. Type-only imports count: a wall is a wall. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'extension.ts': ['ids.ts', 'editor'],
  'ids.ts': [],
  editor: ['ids.ts', 'push', 'service', 'manifest', 'archive', 'devtools', 'scroll'],
  push: ['service', 'manifest', 'archive', 'devtools'],
  service: [],
  manifest: [],
  archive: [],
  devtools: [],
  scroll: [],
  webview: ['scroll'],
  local: ['service/model.ts'],
};

/** The files that alone may import a heavy library. */
const IMPORTERS: Record<string, readonly RegExp[]> = {
  undici: [/^service\//],
  jszip: [/^local\/packFolder\.ts$/],
  'puppeteer-core': [/^devtools\/connect\.ts$/, /^local\/chromium\.ts$/],
  vscode: [/^editor\//, /^extension\.ts$/],
  fastify: [/^local\//],
  '@fastify/multipart': [/^local\//],
};

interface Import {
  from: string;
  /** A path below src/ with extension, or the name of a package. */
  to: string;
}

function importsOfHouse(): Import[] {
  const source = join(ROOT, 'src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return files.flatMap((name) => {
    const path = join(source, name);
    const from = name.split(sep).join(posix.sep);
    return ts
      .preProcessFile(readFileSync(path, 'utf8'), true, true)
      .importedFiles.map(({ fileName }) => ({ from, to: resolveImport(source, path, fileName) }));
  });
}

function resolveImport(source: string, importer: string, name: string): string {
  if (!name.startsWith('.')) return name;
  const path = relative(source, join(dirname(importer), name))
    .split(sep)
    .join(posix.sep);
  return path.endsWith('.json') || path.endsWith('.ts') ? path : `${path}.ts`;
}

/** `undici` of `undici/lib/x.js`, `@a/b` of `@a/b/c`. */
function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

const floorOf = (file: string): string => file.split('/', 1)[0] ?? file;
const isInside = (to: string): boolean => to.endsWith('.ts') && !to.startsWith('..');

describe('the house', () => {
  const imports = importsOfHouse();

  it('has no arrow that climbs', () => {
    const climbing = imports.filter(({ from, to }) => {
      if (!isInside(to) || floorOf(from) === floorOf(to)) return false;
      const allowed = MAY_IMPORT[floorOf(from)];
      assert.ok(allowed, `${from} stands in a folder that the house does not know`);
      return !allowed.some((place) => to === place || to.startsWith(`${place}/`));
    });
    assert.deepEqual(climbing, []);
  });

  it('has no circle of files that load each other', () => {
    const graph = new Map<string, string[]>();
    for (const { from, to } of imports) if (isInside(to)) graph.set(from, [...(graph.get(from) ?? []), to]);
    const circles: string[] = [];
    const done = new Set<string>();
    const visit = (file: string, above: readonly string[]): void => {
      if (above.includes(file)) {
        circles.push([...above.slice(above.indexOf(file)), file].join(' → '));
        return;
      }
      if (done.has(file)) return;
      for (const next of graph.get(file) ?? []) visit(next, [...above, file]);
      done.add(file);
    };
    for (const file of graph.keys()) visit(file, []);
    assert.deepEqual(circles, []);
  });

  it('gives each heavy library to few importers', () => {
    const strays = imports.filter(({ from, to }) => {
      const places = IMPORTERS[packageOf(to)];
      return places !== undefined && !places.some((place) => place.test(from));
    });
    assert.deepEqual(strays, []);
  });

  it('never imports the index of undici, which would take over fetch of the whole host', () => {
    const types = new Set(['service/transport.ts', 'service/undici.d.ts']);
    const taken = imports.filter(({ from, to }) => to === 'undici' && !types.has(from));
    assert.deepEqual(taken, []);
    const transport = readFileSync(join(ROOT, 'src/service/transport.ts'), 'utf8');
    assert.doesNotMatch(transport, /import (?!type)[^;]*from 'undici'/);
  });
});

interface Manifest {
  contributes: {
    commands: { command: string; title: string }[];
    views: Record<string, { id: string }[]>;
    viewsContainers: { activitybar: { id: string }[] };
    configuration: { properties: Record<string, { scope?: string; type?: string; default?: unknown }> };
    menus: Record<string, { command: string; when?: string }[]>;
    viewsWelcome: { view: string; contents: string; when?: string }[];
    keybindings: { command: string; when?: string }[];
  };
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
}

describe('package.json', () => {
  const text = readFileSync(join(ROOT, 'package.json'), 'utf8');
  const { contributes, capabilities } = JSON.parse(text) as Manifest;
  const commands = Object.values<string>(COMMANDS);

  it('and the code know the same commands', () => {
    assert.deepEqual(contributes.commands.map(({ command }) => command).sort(), [...commands].sort());
  });

  it('and the code know the same views', () => {
    assert.deepEqual(
      contributes.viewsContainers.activitybar.map(({ id }) => id),
      [VIEW_CONTAINER],
    );
    const views = Object.values(contributes.views).flat();
    assert.deepEqual(views.map(({ id }) => id).sort(), Object.values<string>(VIEWS).sort());
  });

  it('and the code know the same settings, each with a type, a default and a scope', () => {
    const { properties } = contributes.configuration;
    assert.deepEqual(Object.keys(properties).sort(), Object.values<string>(SETTINGS).sort());
    for (const [name, { scope, type, default: value }] of Object.entries(properties)) {
      assert.ok(scope !== undefined && type !== undefined && value !== undefined, `${name} is not complete`);
    }
  });

  it('names only known commands, views, rows and context keys in menus, welcome texts and key bindings', () => {
    const entries = [...Object.values(contributes.menus).flat(), ...contributes.keybindings];
    for (const { command } of entries) assert.ok(commands.includes(command), `${command} is unknown`);
    const clauses = [...entries, ...contributes.viewsWelcome].map(({ when }) => when ?? '').join(' ');
    const known = new Set<string>([...Object.values(VIEWS), ...Object.values(CONTEXT), 'sideload.scroll']);
    for (const [id] of clauses.matchAll(/sideload\.\w+/g)) assert.ok(known.has(id), `${id} is unknown`);
    for (const [, row] of clauses.matchAll(/viewItem == (\w+)/g)) {
      assert.ok(Object.values<string>(ROWS).includes(row ?? ''), `${row ?? ''} is unknown`);
    }
    for (const [, rows] of clauses.matchAll(/viewItem =~ \/\^\(([\w|]+)\)\$\//g)) {
      for (const row of rows?.split('|') ?? []) {
        assert.ok(Object.values<string>(ROWS).includes(row), `${row} is unknown`);
      }
    }
  });

  it('lets no workspace steer a credential', () => {
    const { properties } = contributes.configuration;
    assert.equal(properties[SETTINGS.service]?.scope, 'application');
    assert.equal(properties[SETTINGS.serviceUrl]?.scope, 'application');
    const restricted = capabilities.untrustedWorkspaces.restrictedConfigurations;
    for (const name of Object.keys(properties)) {
      if (properties[name]?.scope !== 'machine' || name === SETTINGS.browserPath) {
        assert.ok(restricted.includes(name), `${name} is not restricted`);
      }
    }
  });

  it('takes each of its texts from package.nls.json, which holds no other', () => {
    const texts = JSON.parse(readFileSync(join(ROOT, 'package.nls.json'), 'utf8')) as Record<string, string>;
    const used = new Set([...text.matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]));
    assert.deepEqual([...used].sort(), Object.keys(texts).sort());
    for (const [, command] of JSON.stringify(texts).matchAll(/command:([\w.]+)/g)) {
      assert.ok(commands.includes(command ?? ''), `a text links to the unknown command ${command ?? ''}`);
    }
  });
});
