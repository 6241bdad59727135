// Covers: src, .github/ARCHITECTURE.md, package.json, package.nls*.json
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { COMMANDS, CONTEXT, MCP_PROVIDER, ROWS, SETTINGS, SUBMENUS, VIEW_CONTAINER, VIEWS } from '../../src/ids';
import { agentContributions, agentTexts } from '../support/agentContributions';
import { importsOf, sourceFiles } from '../support/importGraph';
import { ROOT } from '../support/paths';

/** Which rooms a room may import from, besides itself. Type-only imports count as well. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'extension.ts': ['ids.ts', 'base', 'editor'],
  'ids.ts': [],
  base: [],
  editor: [
    'ids.ts',
    'base',
    'agents',
    'programs/headless',
    'doctor',
    'publish',
    'push',
    'bridge',
    'console',
    'debugger',
    'service',
    'manifest',
    'archive',
    'devtools',
    'sources',
    'screen',
  ],
  // Programs for terminals and agents, which need no editor.
  programs: [
    'base',
    'agents',
    'doctor',
    'publish',
    'push',
    'bridge',
    'console',
    'service',
    'manifest',
    'archive',
    'devtools',
    'local/dataFolder.ts',
    // A running service takes the browser that a program names only when that exists.
    'local/chromium/browserPaths.ts',
  ],
  agents: ['base', 'push', 'console', 'service', 'manifest', 'archive', 'devtools'],
  // What it needs of a service is in `testedBrowser.ts`.
  publish: [
    'base',
    'push',
    'console',
    'service/logger.ts',
    'service/model.ts',
    'service/redact.ts',
    'service/serviceErrors.ts',
    'manifest',
    'archive',
    'devtools',
  ],
  debugger: ['base', 'console', 'service', 'devtools', 'sources'],
  console: ['base', 'service', 'devtools', 'sources'],
  bridge: [
    'base',
    'devtools',
    'service/browserKey.ts',
    'service/devToolsAddress.ts',
    'service/model.ts',
    'service/serviceErrors.ts',
  ],
  // What it needs of a service and of browsers is in interfaces of its own, `pushService.ts`, `pushBrowsers.ts` and `pushLink.ts`.
  push: [
    'base',
    'service/browserKey.ts',
    'service/devToolsAddress.ts',
    'service/devToolsPolicy.ts',
    'service/interface.ts',
    'service/logger.ts',
    'service/model.ts',
    'service/reconcile.ts',
    'service/serviceErrors.ts',
    'manifest',
    'archive',
    'devtools',
  ],
  doctor: [
    'base',
    'devtools',
    'manifest/values/version.ts',
    'service/model.ts',
    'service/redact.ts',
    'service/serviceErrors.ts',
  ],
  service: ['base'],
  manifest: ['base'],
  archive: ['base'],
  // What a stroke of mouse or keyboard is, which goes from the screen's page to the browser.
  devtools: [
    'base',
    'service/browserKey.ts',
    'service/devToolsAddress.ts',
    'service/model.ts',
    'screen/strokes.ts',
    'screen/pageSizes.ts',
    'screen/pickers.ts',
  ],
  sources: ['base'],
  // It also runs in the page of the screen.
  screen: ['base/fields.ts'],
  local: ['service/interface.ts'],
};

/** The wings (folders) of a room, and who may import from which. */
interface Wings {
  /** The wings that each wing may import from. All of them may import the room's own files, but not its composers. */
  wings: Record<string, readonly string[]>;
  /** The wings that the room's own files may import from. */
  base: readonly string[];
  /** Files that put the wings together: they may import all of them, and no wing imports them. */
  composers: readonly string[];
}

const WINGS: Record<string, Wings> = {
  devtools: {
    wings: {
      // What runs in pages: text for the wings above.
      inPage: [],
      protocol: ['inPage'],
      workers: ['inPage', 'protocol'],
      errors: ['inPage', 'protocol'],
      connection: ['inPage', 'protocol', 'workers', 'errors'],
      pages: ['inPage', 'protocol', 'connection'],
      extensions: ['inPage', 'protocol', 'workers', 'connection', 'pages'],
      storage: ['inPage', 'protocol'],
      screen: ['inPage', 'protocol', 'pages'],
    },
    base: [],
    composers: [],
  },
  push: {
    wings: {
      prepare: [],
      place: ['prepare'],
      known: ['prepare', 'place'],
      activate: ['prepare', 'place', 'known'],
      turns: [],
    },
    base: ['prepare', 'place', 'known', 'activate'],
    composers: ['deliver.ts', 'deliverSet.ts', 'engine.ts', 'placeNext.ts', 'setRun.ts'],
  },
  screen: {
    wings: { wheel: [], page: ['wheel'] },
    base: ['wheel'],
    composers: [],
  },
  programs: {
    wings: { headless: [] },
    base: ['headless'],
    composers: [],
  },
  editor: {
    wings: {
      service: [],
      folder: [],
      lists: ['service'],
      targets: ['service', 'lists'],
      localhost: ['service', 'lists', 'targets'],
      browsers: ['service', 'lists', 'folder', 'targets', 'localhost'],
      problems: ['folder'],
      files: ['folder'],
      push: ['service', 'lists', 'targets', 'browsers', 'folder', 'problems', 'localhost'],
      storage: ['lists', 'browsers'],
      inspect: ['lists', 'browsers', 'folder', 'storage', 'localhost'],
      console: ['lists', 'targets', 'browsers', 'problems'],
      debugger: ['lists', 'browsers', 'folder', 'push'],
      doctor: ['service', 'lists', 'targets', 'browsers'],
      publish: ['browsers', 'folder', 'push'],
      screen: ['service', 'lists', 'targets', 'browsers', 'localhost'],
      tasks: ['targets', 'browsers', 'folder', 'push'],
      testing: ['lists', 'folder', 'push', 'agents'],
      agents: ['service', 'lists', 'browsers', 'folder', 'push'],
    },
    base: [],
    composers: ['sideload.ts'],
  },
  service: {
    wings: { wire: [], decode: ['wire'], operations: ['decode', 'wire'] },
    base: ['decode', 'wire'],
    composers: ['client.ts', 'requests.ts'],
  },
  manifest: {
    wings: {
      source: [],
      json: ['source'],
      tables: [],
      values: ['json'],
      folder: ['values'],
      locale: ['folder', 'json', 'source', 'tables'],
      shape: ['json'],
      managed: ['json', 'values'],
      dnr: ['json', 'shape', 'values'],
      worker: ['source'],
      use: ['folder', 'json', 'source', 'tables', 'values', 'worker'],
      rules: ['dnr', 'folder', 'json', 'locale', 'managed', 'shape', 'source', 'use', 'values', 'worker'],
      update: ['json', 'rules', 'source', 'values'],
      completion: [],
      pages: [],
    },
    base: ['folder', 'json', 'shape', 'source', 'tables', 'values'],
    composers: ['check.ts'],
  },
  local: {
    wings: {
      archive: [],
      instance: [],
      chromium: [],
      input: ['chromium'],
      store: ['archive'],
      files: ['archive'],
      sessions: ['archive', 'chromium', 'files', 'input', 'store'],
      http: ['archive', 'chromium', 'files', 'input', 'instance', 'sessions', 'store'],
      devtools: ['chromium', 'files', 'http', 'sessions'],
    },
    base: [],
    composers: ['main.ts', 'program.ts', 'localService.ts'],
  },
};

/** The files that alone may import a heavy library. */
const IMPORTERS: Record<string, readonly RegExp[]> = {
  undici: [/^service\//],
  jszip: [/^archive\//, /^local\/archive\//],
  'puppeteer-core': [/^devtools\/protocol\/connect\.ts$/, /^local\/chromium\/chromium\.ts$/],
  vscode: [/^editor\//, /^extension\.ts$/],
  tldts: [/^manifest\/update\//],
  yauzl: [/^archive\//, /^local\/archive\//],
  fastify: [/^local\//],
  '@fastify/multipart': [/^local\//],
  '@modelcontextprotocol/sdk': [/^programs\//],
};

/** The imports of `src/`, with paths below it. */
function importsOfSource(): { from: string; to: string }[] {
  const below = (path: string): string => (path.startsWith('src/') ? path.slice('src/'.length) : path);
  return sourceFiles('src')
    .flatMap(importsOf)
    .map(({ from, to }) => ({ from: below(from), to: below(to) }));
}

/** `undici` of `undici/lib/x.js`, `@a/b` of `@a/b/c`. */
function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

const roomOf = (file: string): string => file.split('/', 1)[0] ?? file;
const isInside = (to: string): boolean => to.endsWith('.ts');

/** The wing of a file, '' for a file that lies in the room's own folder. */
const wingOf = (file: string): string => file.split('/').slice(1, -1)[0] ?? '';

/** Whether a file may import another one of its room. */
function mayCross(from: string, to: string): boolean {
  const room = WINGS[roomOf(from)];
  const [source, target] = [wingOf(from), wingOf(to)];
  if (!room || source === target) return true;
  const isComposer = (file: string): boolean => wingOf(file) === '' && room.composers.includes(posix.basename(file));
  if (target === '') return !isComposer(to);
  if (source === '') return isComposer(from) || room.base.includes(target);
  return room.wings[source]?.includes(target) ?? false;
}

/** The circles in a graph, each as the path that leads back to its beginning. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (node: string, above: readonly string[]): void => {
    if (above.includes(node)) {
      circles.push([...above.slice(above.indexOf(node)), node].join(' → '));
      return;
    }
    if (done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...above, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return circles;
}

describe('imports', () => {
  const imports = importsOfSource();

  it('follow the layer order', () => {
    const climbing = imports.filter(({ from, to }) => {
      if (!isInside(to) || roomOf(from) === roomOf(to)) return false;
      const allowed = MAY_IMPORT[roomOf(from)];
      assert.ok(allowed, `${from} is in a folder that has no entry in MAY_IMPORT`);
      return !allowed.some((place) => to === place || to.startsWith(`${place}/`));
    });
    assert.deepEqual(climbing, []);
  });

  it('name the client of the service where it is made alone, so that another provider is a new file', () => {
    const makers = ['editor/service/connection.ts', 'programs/serviceChoice.ts'];
    const others = imports.filter(({ from, to }) => to === 'service/client.ts' && roomOf(from) !== 'service');
    assert.deepEqual([...new Set(others.map(({ from }) => from))].sort(), makers);
  });

  it('are drawn in ARCHITECTURE, each arrow and no other', () => {
    const text = readFileSync(join(ROOT, '.github/ARCHITECTURE.md'), 'utf8');
    const [, drawing = ''] = /```mermaid\nflowchart TD\n(.*?)```/s.exec(text) ?? [];
    const drawn = drawing.matchAll(/^ *(\w+) --> (.*)$/gm);
    const arrows = [...drawn].flatMap(([, from, to = '']) => to.split(' & ').map((room) => `${from} → ${room}`));
    const nameOf = (file: string): string => roomOf(file).replace(/\.ts$/, '');
    const real = imports
      .filter(({ from, to }) => isInside(to) && roomOf(from) !== roomOf(to))
      .map(({ from, to }) => [nameOf(from), nameOf(to)] as const)
      // The text says who may import these.
      .filter(([, to]) => to !== 'base' && to !== 'ids');
    assert.deepEqual([...new Set(arrows)].sort(), [...new Set(real.map((arrow) => arrow.join(' → ')))].sort());
  });

  it('cross from wing to wing only where the table of wings allows it', () => {
    const files = new Set(imports.map(({ from }) => from));
    for (const file of files) {
      const room = WINGS[roomOf(file)];
      const wing = wingOf(file);
      assert.ok(!room || wing === '' || wing in room.wings, `${file} is in a wing that has no entry in WINGS`);
    }
    const crossing = imports.filter(
      ({ from, to }) => isInside(to) && roomOf(from) === roomOf(to) && !mayCross(from, to),
    );
    assert.deepEqual(crossing, []);
  });

  it('between wings form no circle', () => {
    for (const { wings } of Object.values(WINGS)) assert.deepEqual(circlesOf(new Map(Object.entries(wings))), []);
  });

  it('between files form no circle', () => {
    const graph = new Map<string, string[]>();
    for (const { from, to } of imports) if (isInside(to)) graph.set(from, [...(graph.get(from) ?? []), to]);
    assert.deepEqual(circlesOf(graph), []);
  });

  it('of what every room may use come from at least two rooms', () => {
    const rooms = new Map<string, Set<string>>();
    for (const { from, to } of imports) {
      if (!to.startsWith('base/') || roomOf(from) === 'base') continue;
      rooms.set(to, (rooms.get(to) ?? new Set()).add(roomOf(from)));
    }
    const files = new Set(imports.map(({ from }) => from).filter((from) => from.startsWith('base/')));
    const lonely = [...files, ...rooms.keys()].filter((file) => (rooms.get(file)?.size ?? 0) < 2);
    assert.deepEqual(lonely, []);
  });

  it('of heavy libraries are in the files named for them only', () => {
    const strays = imports.filter(({ from, to }) => {
      const places = IMPORTERS[packageOf(to)];
      return places !== undefined && !places.some((place) => place.test(from));
    });
    assert.deepEqual(strays, []);
  });

  it('never name the index of undici, which would take over fetch of the whole extension host', () => {
    const types = new Set(['service/wire/transport.ts', 'service/wire/undici.d.ts']);
    const taken = imports.filter(({ from, to }) => to === 'undici' && !types.has(from));
    assert.deepEqual(taken, []);
    const transport = readFileSync(join(ROOT, 'src/service/wire/transport.ts'), 'utf8');
    assert.doesNotMatch(transport, /import (?!type)[^;]*from 'undici'/);
  });
});

describe('the fields of the interface', () => {
  it('have the names of the interface in the client and the local service alone', () => {
    const shapes = readFileSync(join(ROOT, 'src/service/interface.ts'), 'utf8');
    const names = new Set(shapes.match(/\b[a-z]+(?:_[a-z]+)+(?=\??:)/g));
    assert.ok(names.size > 30, 'the shapes are elsewhere');
    // A manifest has fields of its own, some of which are called the same.
    const files = sourceFiles('src').filter((file) => !/^src\/(?:service|local|manifest)\//.test(file));
    const strays = files.flatMap((file) => {
      const words = readFileSync(join(ROOT, file), 'utf8').match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [];
      return words.filter((word) => names.has(word)).map((word) => `${file}: ${word}`);
    });
    assert.deepEqual(strays, []);
  });
});

describe('the names of files', () => {
  it('occur once, so that a name alone says which file is meant', () => {
    const paths = new Map<string, string[]>();
    for (const path of sourceFiles('src')) {
      const name = posix.basename(path);
      paths.set(name, [...(paths.get(name) ?? []), path]);
    }
    assert.deepEqual(
      [...paths.values()].filter(({ length }) => length > 1),
      [],
    );
  });
});

describe('texts for the user', () => {
  const source = join(ROOT, 'src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, text: readFileSync(join(source, name), 'utf8') }));

  it('are translated by @vscode/l10n, so that none depends on vscode', () => {
    const strays = files.filter(
      ({ name, text }) => /import [^;]*\bl10n\b[^;]*from 'vscode'/.test(text) && name !== 'extension.ts',
    );
    assert.deepEqual(strays, []);
  });

  it('are literals, which tools can extract, with a placeholder for each argument', () => {
    const faults: string[] = [];
    const visit = (node: ts.Node, file: ts.SourceFile): void => {
      if (ts.isCallExpression(node) && node.expression.getText(file) === 'l10n.t') {
        const [text, ...args] = node.arguments;
        const placeholders = new Set(text?.getText(file).match(/\{\d+\}/g));
        const isWhole =
          text !== undefined &&
          ts.isStringLiteralLike(text) &&
          (args.length === 0 || placeholders.size === args.length);
        if (!isWhole) faults.push(`${file.fileName}: ${node.getText(file)}`);
      }
      ts.forEachChild(node, (child) => {
        visit(child, file);
      });
    };
    for (const { name, text } of files) {
      if (!text.includes('l10n.t(')) continue;
      const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
      visit(file, file);
    }
    assert.deepEqual(faults, []);
  }).timeout(20_000);
});

interface Setting {
  scope?: string;
  type?: string;
  default?: unknown;
  order?: number;
}

interface Manifest {
  contributes: {
    commands: { command: string; title: string }[];
    views: Record<string, { id: string }[]>;
    viewsContainers: { activitybar: { id: string }[] };
    configuration: { title: string; order: number; properties: Record<string, Setting> }[];
    menus: Record<string, ({ command: string; when?: string } | { submenu: string; when?: string })[]>;
    submenus: { id: string }[];
    viewsWelcome: { view: string; contents: string; when?: string }[];
    languageModelTools: object[];
    mcpServerDefinitionProviders: object[];
    keybindings: { command: string; key: string; mac?: string; when?: string }[];
  };
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
}

describe('package.json', () => {
  const text = readFileSync(join(ROOT, 'package.json'), 'utf8');
  const { contributes, capabilities } = JSON.parse(text) as Manifest;
  const commands = Object.values<string>(COMMANDS);
  const properties = Object.fromEntries(contributes.configuration.flatMap((part) => Object.entries(part.properties)));

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
    assert.deepEqual(Object.keys(properties).sort(), Object.values<string>(SETTINGS).sort());
    for (const [name, { scope, type, default: value }] of Object.entries(properties)) {
      assert.ok(scope !== undefined && type !== undefined && value !== undefined, `${name} is not complete`);
    }
  });

  it('lists the settings in the order in which the editor shows them: by their use, not by the alphabet', () => {
    assert.deepEqual(
      contributes.configuration.map(({ order }) => order),
      contributes.configuration.map((_, index) => index + 1),
    );
    for (const { title, properties: settings } of contributes.configuration) {
      const orders = Object.values(settings).map(({ order }) => order);
      assert.deepEqual(
        orders,
        orders.map((_, index) => index + 1),
        title,
      );
    }
    assert.equal(Object.keys(properties)[0], SETTINGS.pushOnSave);
  });

  it('binds no key with which a keyboard layout types a letter', () => {
    // On Windows Ctrl+Alt is AltGr, which types "ú" with U in US International and "€" in Polish (Programmers).
    const keys = contributes.keybindings.flatMap(({ key, mac }) => [key, mac ?? key]);
    const strays = keys.filter((key) => /\balt\+([^+]+\+)*.$/.test(key));
    assert.deepEqual(strays, []);
  });

  it('names only known commands, views, rows and context keys in menus, welcome texts and key bindings', () => {
    const entries = [...Object.values(contributes.menus).flat(), ...contributes.keybindings];
    const submenus = contributes.submenus.map(({ id }) => id);
    assert.deepEqual(submenus, Object.values<string>(SUBMENUS));
    for (const entry of entries) {
      if ('submenu' in entry) assert.ok(submenus.includes(entry.submenu), `${entry.submenu} is unknown`);
      else assert.ok(commands.includes(entry.command), `${entry.command} is unknown`);
    }
    const clauses = [...entries, ...contributes.viewsWelcome].map(({ when }) => when ?? '').join(' ');
    const known = new Set<string>([
      ...Object.values(VIEWS),
      ...Object.values(CONTEXT),
      ...Object.values(SETTINGS),
      'sideload.scroll',
    ]);
    for (const [id] of clauses.matchAll(/sideload\.\w+/g)) assert.ok(known.has(id), `${id} is unknown`);
    for (const [, row] of clauses.matchAll(/viewItem == (\w+)/g)) {
      assert.ok(Object.values<string>(ROWS).includes(row ?? ''), `${row ?? ''} is unknown`);
    }
    for (const [, rows] of clauses.matchAll(/viewItem =~ \/\^\(([\w|]+)\)(?:\(WithLiveView\)\?)?\$\//g)) {
      for (const row of rows?.split('|') ?? []) {
        assert.ok(Object.values<string>(ROWS).includes(row), `${row} is unknown`);
      }
    }
  });

  it('lets no workspace steer a credential', () => {
    assert.equal(properties[SETTINGS.service]?.scope, 'application');
    assert.equal(properties[SETTINGS.serviceUrl]?.scope, 'application');
    const restricted = capabilities.untrustedWorkspaces.restrictedConfigurations;
    for (const name of Object.keys(properties)) {
      if (properties[name]?.scope !== 'machine' || name === SETTINGS.browserPath) {
        assert.ok(restricted.includes(name), `${name} is not restricted`);
      }
    }
  });

  it('and the code declare the same tools for agents', () => {
    assert.deepEqual(contributes.languageModelTools, agentContributions());
    const texts = JSON.parse(readFileSync(join(ROOT, 'package.nls.json'), 'utf8')) as Record<string, string>;
    const ofTools = Object.entries(texts).filter(([name]) => name.startsWith('tool.'));
    assert.deepEqual(Object.fromEntries(ofTools), agentTexts());
    assert.deepEqual(contributes.mcpServerDefinitionProviders, [{ id: MCP_PROVIDER, label: 'Sideload' }]);
  });

  it('takes each of its texts from package.nls.json, which holds no other', () => {
    const texts = JSON.parse(readFileSync(join(ROOT, 'package.nls.json'), 'utf8')) as Record<string, string>;
    const used = new Set([...text.matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]));
    assert.deepEqual([...used].sort(), Object.keys(texts).sort());
    for (const [, command] of JSON.stringify(texts).matchAll(/command:([\w.]+)/g)) {
      // The ids of VS Code's own commands begin so.
      const isKnown = commands.includes(command ?? '') || /^(?:workbench|vscode)\./.test(command ?? '');
      assert.ok(isKnown, `a text links to the unknown command ${command ?? ''}`);
    }
  });
});
