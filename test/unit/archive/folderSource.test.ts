import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { selectFiles } from '../../support/selectFiles';
import type { Selection } from '../../../src/archive/selection';

describe('selection of files', () => {
  let folder: string;

  const write = async (...paths: string[]) => {
    for (const path of paths) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await writeFile(join(folder, path), path);
    }
  };
  const paths = (selection: Selection) => selection.files.map(({ path }) => path);
  const reason = (selection: Selection, path: string) => selection.leftOut.find((entry) => entry.path === path)?.reason;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-select-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('selects every file of an extension, sorted, with sizes and their sum', async () => {
    await write('manifest.json', 'js/b.js', 'js/a.js', 'js/a.js.map', 'Z.css');
    const selection = await selectFiles(folder);
    assert.deepEqual(paths(selection), ['Z.css', 'js/a.js', 'js/a.js.map', 'js/b.js', 'manifest.json']);
    assert.equal(selection.totalBytes, 5 + 7 + 11 + 7 + 13);
    assert.equal(selection.files[1]?.size, 'js/a.js'.length);
    assert.deepEqual(selection.leftOut, []);
  });

  it('leaves out version control, packages, archives, keys, environment and hidden files, and says why', async () => {
    await write(
      'manifest.json',
      '.git/config',
      'lib/node_modules/a/index.js',
      'old/v1.zip',
      'key.pem',
      '.env.local',
      '.DS_Store',
    );
    const selection = await selectFiles(folder);
    assert.deepEqual(paths(selection), ['manifest.json']);
    assert.deepEqual(selection.leftOut, [
      { path: '.DS_Store', reason: 'hidden file or folder', rule: 'builtIn' },
      { path: '.env.local', reason: 'environment files usually hold secrets', rule: 'builtIn', isSecret: true },
      { path: '.git', reason: 'version control', rule: 'builtIn' },
      { path: 'key.pem', reason: 'private key or certificate', rule: 'builtIn', isSecret: true },
      { path: 'lib/node_modules', reason: 'installed packages', rule: 'builtIn' },
      { path: 'old/v1.zip', reason: 'archive', rule: 'builtIn' },
    ]);
  });

  it('selects the packages of content scripts that development builds of CRXJS give hidden names', async () => {
    await write('manifest.json', 'vendor/.vite-deps-react.js__v--1a2b3c4d.js', 'vendor/.eslintrc.js');
    assert.deepEqual(paths(await selectFiles(folder)), ['manifest.json', 'vendor/.vite-deps-react.js__v--1a2b3c4d.js']);
    const [left] = (await selectFiles(folder, { exclude: ['vendor/.vite-deps-*'] })).leftOut.slice(-1);
    assert.match(left?.reason ?? '', /excluded by your pattern/);
  });

  it('leaves out what a browser writes into the folder that it loads, and no folder of that name elsewhere', async () => {
    await write('manifest.json', '_metadata/generated_indexed_rulesets/_ruleset1', 'data/_metadata/a.json');
    const selection = await selectFiles(folder);
    assert.deepEqual(paths(selection), ['data/_metadata/a.json', 'manifest.json']);
    assert.deepEqual(selection.leftOut, [{ path: '_metadata', reason: 'written by the browser', rule: 'builtIn' }]);
    assert.equal(paths(await selectFiles(folder, { include: ['_metadata'] })).length, 3);
  });

  it('ignores .gitignore, because build outputs are listed there', async () => {
    await write('manifest.json', 'build/worker.js');
    await writeFile(join(folder, '.gitignore'), 'build\n');
    assert.deepEqual(paths(await selectFiles(folder)), ['build/worker.js', 'manifest.json']);
  });

  it('excludes by setting: bare names at any depth, paths from the folder, folders with all that is in them', async () => {
    await write('manifest.json', 'a/notes.md', 'notes.md', 'test/deep/x.js', 'src/test/y.js', 'img/[1].png');
    const selection = await selectFiles(folder, { exclude: ['*.md', './test/', 'src/**/*.js', 'img/[[]1[]].png'] });
    assert.deepEqual(paths(selection), ['manifest.json']);
    assert.equal(reason(selection, 'a/notes.md'), 'excluded by your pattern "*.md"');
    assert.equal(reason(selection, 'test'), 'excluded by your pattern "./test/"');
  });

  it('anchors a path with a slash at the folder', async () => {
    await write('manifest.json', 'a/b/c.js', 'x/a/b/c.js');
    assert.deepEqual(paths(await selectFiles(folder, { exclude: ['a/b'] })), ['manifest.json', 'x/a/b/c.js']);
  });

  it('includes what is excluded, and opens a left-out folder only where a glob leads into it', async () => {
    await write(
      'manifest.json',
      '.env.example',
      'data.zip',
      'node_modules/a/dist/a.js',
      'node_modules/a/b.js',
      'node_modules/c/c.js',
    );
    const selection = await selectFiles(folder, {
      include: ['.env.example', '*.zip', 'node_modules/a/dist/**', 'c.js'],
    });
    assert.deepEqual(paths(selection), ['.env.example', 'data.zip', 'manifest.json', 'node_modules/a/dist/a.js']);
    assert.equal(reason(selection, 'node_modules'), 'installed packages');
  });

  it('gives an include precedence over the user’s own exclude', async () => {
    await write('manifest.json', 'a.md', 'b.md');
    assert.deepEqual(paths(await selectFiles(folder, { exclude: ['*.md'], include: ['b.md'] })), [
      'b.md',
      'manifest.json',
    ]);
  });

  it('never follows links: neither to files, folders, out of the folder, nor in circles', async () => {
    await write('manifest.json', 'real/a.js');
    await symlink('real', join(folder, 'loop'));
    await symlink('..', join(folder, 'real/up'));
    await symlink('/etc/hostname', join(folder, 'host.txt'));
    await symlink('nowhere', join(folder, 'dangling.js'));
    const selection = await selectFiles(folder, { include: ['**/*'] });
    assert.deepEqual(paths(selection), ['manifest.json', 'real/a.js']);
    assert.deepEqual(
      selection.leftOut.map(({ path }) => path),
      ['dangling.js', 'host.txt', 'loop', 'real/up'],
    );
    assert.match(reason(selection, 'loop') ?? '', /symbolic link/);
  });

  it('reports names that a zip cannot carry to another system', async function () {
    if (process.platform === 'win32') this.skip();
    await write('manifest.json', 'a\\b.js', 'line\nbreak.js', 'ü €.js');
    await writeFile(Buffer.concat([Buffer.from(`${folder}/latin-`), Buffer.from([0xe9]), Buffer.from('.js')]), 'x');
    const selection = await selectFiles(folder);
    assert.deepEqual(paths(selection), ['manifest.json', 'ü €.js']);
    assert.match(reason(selection, 'a\\b.js') ?? '', /backslash/);
    assert.match(reason(selection, 'line\nbreak.js') ?? '', /control character/);
    assert.match(reason(selection, 'latin-\uFFFD.js') ?? '', /not valid Unicode/);
  });

  it('says which folder is missing, and what a file in its place means', async () => {
    await write('manifest.json');
    await assert.rejects(selectFiles(join(folder, 'gone')), {
      name: 'ArchiveError',
      kind: 'folder',
      message: /does not exist/,
    });
    await assert.rejects(selectFiles(join(folder, 'manifest.json')), { name: 'ArchiveError', message: /is a file/ });
  });

  it('stops when it is aborted', async () => {
    await write('manifest.json');
    await assert.rejects(selectFiles(folder, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  });
});
