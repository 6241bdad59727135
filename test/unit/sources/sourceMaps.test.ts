import { build, type BuildOptions } from 'esbuild';
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { findSource, type Spot } from '../../../src/sources/sourceMaps';

/** The statement that the tests look for stands in line 4, after two blanks; type and comment go when it is built. */
const SOURCE = [
  'interface Settings { wait: number }',
  '// what the worker needs',
  'export function start(settings: Settings): void {',
  "  throw new Error('no ' + settings.wait);",
  '}',
  '',
].join('\n');

const ENTRY = "import { start } from './lib/start';\nstart({ wait: 1 });\n";

describe('a location in a built file', () => {
  let root: string;
  let folder: string;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'sideload-maps-'));
    folder = join(root, 'dist');
    await mkdir(join(root, 'src', 'lib'), { recursive: true });
    await writeFile(join(root, 'src', 'lib', 'start.ts'), SOURCE);
    await writeFile(join(root, 'src', 'worker.ts'), ENTRY);
  });

  after(() => rm(root, { recursive: true, force: true }));

  beforeEach(() => rm(folder, { recursive: true, force: true }));

  /** Builds the worker and gives the location of its `throw`. */
  async function built(options: BuildOptions = {}, file = join(folder, 'worker.js')): Promise<Spot> {
    await build({
      absWorkingDir: root,
      entryPoints: ['src/worker.ts'],
      bundle: true,
      outfile: file,
      sourcemap: 'linked',
      ...options,
    });
    const lines = (await readFile(file, 'utf8')).split('\n');
    const line = lines.findIndex((text) => text.includes('throw '));
    return { file, line, column: lines[line]?.indexOf('throw ') ?? -1 };
  }

  /** Builds the worker, with other names for its sources in the map; `name` gets them as paths from the project. */
  async function renamed(
    name: (source: string) => string | null,
    more: object = {},
    file = join(folder, 'worker.js'),
  ): Promise<Spot> {
    const spot = await built({}, file);
    const map = JSON.parse(await readFile(`${file}.map`, 'utf8')) as { sources: string[] };
    const sources = map.sources.map((source) => name(relative(root, join(dirname(file), source))));
    await writeFile(`${file}.map`, JSON.stringify({ ...map, sources, ...more }));
    return spot;
  }

  const source = (): Spot => ({ file: join(root, 'src', 'lib', 'start.ts'), line: 3, column: 2 });
  const find = (spot: Spot): Promise<Spot | undefined> => findSource(spot, { folder, root });

  it('leads to its source by a map beside the file', async () => {
    assert.deepEqual(await find(await built()), source());
  });

  it('leads to its source by a map inside the file, also when the whole file is one line', async () => {
    assert.deepEqual(await find(await built({ sourcemap: 'inline', minify: true })), source());
  });

  it('leads to its source by a map that the file does not name', async () => {
    assert.deepEqual(await find(await built({ sourcemap: 'external' })), source());
  });

  it('leads to its source from a folder below, by a map whose URL is percent-encoded', async () => {
    const spot = await built({}, join(folder, 'chunks', 'worker.js'));
    const map = await readFile(`${spot.file}.map`, 'utf8');
    const script = await readFile(spot.file, 'utf8');
    await rm(`${spot.file}.map`);
    const address = `data:application/json,${encodeURIComponent(map)}`;
    await writeFile(spot.file, script.replace(/(sourceMappingURL=).*/, `$1${address}`));
    assert.deepEqual(await find(spot), source());
  });

  const NAMES: Record<string, (path: string) => string> = {
    'webpack with the path of the project': (path) => `webpack:///./${path}`,
    'webpack with a name and a mark': (path) => `webpack://my-extension/./${path}?a1b2`,
    'webpack with an absolute path': (path) => `webpack:///${join(root, path)}`,
    'an absolute path': (path) => join(root, path),
    'an address of a file': (path) => `file://${join(root, path)}`,
    'a path from the project, as a development server names it': (path) => `/${path}`,
  };
  for (const [name, rewrite] of Object.entries(NAMES)) {
    it(`leads to its source named by ${name}`, async () => {
      assert.deepEqual(await find(await renamed(rewrite)), source());
    });
  }

  it('leads to its source named from the folder of the project as if the map were there, as Parcel does', async () => {
    assert.deepEqual(await find(await renamed((name) => name)), source());
  });

  it('leads to its source named from a root that the map gives', async () => {
    for (const sourceRoot of ['webpack:///', 'webpack://my-extension', root]) {
      assert.deepEqual(await find(await renamed((path) => path, { sourceRoot })), source(), sourceRoot);
    }
  });

  it('leads to its source by a map of parts', async () => {
    const spot = await built();
    const file = `${spot.file}.map`;
    const map: unknown = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ version: 3, sections: [{ offset: { line: 0, column: 0 }, map }] }));
    assert.deepEqual(await find(spot), source());
  });

  it('prefers the project next to the build to the one above', async () => {
    const inner = join(root, 'packages', 'ext');
    await mkdir(join(inner, 'src', 'lib'), { recursive: true });
    await writeFile(join(inner, 'src', 'lib', 'start.ts'), SOURCE);
    const spot = await renamed((path) => `webpack:///./${path}`, {}, join(inner, 'dist', 'worker.js'));
    const found = await findSource(spot, { folder: join(inner, 'dist'), root });
    assert.deepEqual(found, { ...source(), file: join(inner, 'src', 'lib', 'start.ts') });
  });

  it('has no source when the source is not in the workspace', async () => {
    await symlink('/etc/hostname', join(root, 'link.ts'));
    const others = [(path: string) => `webpack:///./elsewhere/${path}`, () => '/etc/hostname', () => '../link.ts'];
    for (const name of [...others, () => null]) assert.equal(await find(await renamed(name)), undefined);
  });

  it('has no source when the map refers to one that it does not list', async () => {
    const spot = await built();
    // Every mapping of every line names source -1: "D" is -1 in base64 VLQ.
    const mappings = Array.from({ length: spot.line + 1 }, () => 'ADAA').join(';');
    const map = JSON.stringify({ version: 3, sources: ['../src/worker.ts'], names: [], mappings });
    await writeFile(`${spot.file}.map`, map);
    assert.equal(await find(spot), undefined);
  });

  it('has no source when the map leads before the beginning of one', async () => {
    const spot = await built();
    // The third field of a mapping is the line in the source, the fourth the column: "D" is -1 in base64 VLQ.
    for (const place of ['AADA', 'AAAD']) {
      const mappings = Array.from({ length: spot.line + 1 }, (_, line) => (line === spot.line ? place : '')).join(';');
      const map = JSON.stringify({ version: 3, sources: ['../src/worker.ts'], names: [], mappings });
      await writeFile(`${spot.file}.map`, map);
      assert.equal(await find(spot), undefined, place);
    }
  });

  it('has no source when the map is on a server, outside of the folder, or invalid', async () => {
    const spot = await built();
    const script = await readFile(spot.file, 'utf8');
    const map = await readFile(`${spot.file}.map`, 'utf8');
    await rm(`${spot.file}.map`);
    await writeFile(join(root, 'worker.js.map'), map);
    for (const address of [
      'https://example.com/worker.js.map',
      '../worker.js.map',
      'gone.map',
      'data:,%',
      'data:,{}',
    ]) {
      await writeFile(spot.file, script.replace(/(sourceMappingURL=).*/, `$1${address}`));
      assert.equal(await find(spot), undefined, address);
    }
    for (const text of ['', '[]', '{"version":3}', '{"version":3,"sources":["a"],"mappings":5}', 'null']) {
      await writeFile(`${spot.file}.map`, text);
      await writeFile(spot.file, script);
      assert.equal(await find(spot), undefined, text);
    }
    assert.equal(await find({ ...spot, file: join(folder, 'gone.js') }), undefined);
  });
});
