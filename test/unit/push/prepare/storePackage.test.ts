// Covers: src/push/prepare/storePackage.ts, src/programs/packCommand.ts
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readCli } from '../../../../src/programs/cliOptions';
import { packFolder } from '../../../../src/programs/packCommand';
import { packForStore } from '../../../../src/push/prepare/storePackage';
import { unzip } from '../../../support/unzip';

const MANIFEST = {
  manifest_version: 3,
  name: 'Packed',
  version: '1.0',
  description: 'An example.',
  icons: { 128: 'icon.png' },
  background: { service_worker: 'worker.js' },
  permissions: ['alarms', 'storage'],
};

const FILES: Readonly<Record<string, string>> = {
  'manifest.json': `// A comment\n${JSON.stringify(MANIFEST)}`,
  'worker.js': 'chrome.storage.local.set({ a: 1 });\n//# sourceMappingURL=worker.js.map\n',
  'worker.js.map': '{"sourcesContent": ["const secret = 1;"]}',
  'icon.png': 'x',
  'tests/worker.test.js': 'x',
  '.env': 'SECRET=1',
};

describe('a package for a store', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-package-'));
    await write(FILES);
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
  }

  it('holds what the extension needs, with a manifest that every parser reads', async () => {
    const { package: made, leftOut, findings } = await packForStore(folder, {});
    const entries = await unzip(made?.bytes ?? assert.fail());
    assert.deepEqual([...entries.keys()], ['icon.png', 'manifest.json', 'worker.js']);
    assert.deepEqual(JSON.parse(entries.get('manifest.json')?.content.toString('utf8') ?? ''), MANIFEST);
    assert.deepEqual(leftOut, ['tests/worker.test.js', 'worker.js.map']);
    assert.ok(findings.some(({ rule, message }) => rule === 'R-STORE-UNUSED' && message.includes('"alarms"')));
  });

  it('has the same bytes whenever it is made of the same files', async () => {
    const first = await packForStore(folder, {});
    await rm(join(folder, 'icon.png'));
    await write({ 'icon.png': 'x' });
    await utimes(join(folder, 'worker.js'), 1, 1);
    const second = await packForStore(folder, {});
    assert.ok(first.package && second.package);
    assert.deepEqual(Buffer.from(first.package.bytes), Buffer.from(second.package.bytes));
    for (const { entry } of (await unzip(first.package.bytes)).values())
      assert.deepEqual([entry.lastModFileDate, entry.extraFields.length], [(0 << 9) | (1 << 5) | 1, 0]);
  });

  it('is not made of what Chromium refuses, nor without a file that the manifest names', async () => {
    await write({ 'manifest.json': JSON.stringify({ ...MANIFEST, version: 'x' }) });
    const refused = await packForStore(folder, {});
    assert.equal(refused.package, undefined);
    assert.ok(refused.findings.some(({ rule }) => rule === 'R-VERSION'));
    await write(FILES);
    const { package: made, missing } = await packForStore(folder, { exclude: ['icon.png'] });
    assert.equal(made, undefined);
    assert.deepEqual(
      missing.map(({ path }) => path),
      ['icon.png'],
    );
  });

  it('is not made without a script of the worker in a folder of packages, which it names', async () => {
    await write({ 'worker.js': 'importScripts("node_modules/a/a.js");', 'node_modules/a/a.js': '' });
    const { package: made, missing, findings } = await packForStore(folder, {});
    assert.equal(made, undefined);
    assert.deepEqual(
      missing.map(({ path }) => path),
      ['node_modules/a/a.js'],
    );
    assert.ok(findings.every(({ severity }) => severity !== 'error'));
  });

  it('is not made without a script of a page in a folder of packages, and has what a setting names', async () => {
    const page = '<script src="/node_modules/a/a.js"></script><link href="node_modules/a/gone.css">';
    const files = { 'popup.html': page, 'node_modules/a/a.js': '', 'node_modules/a/README.md': '' };
    await write({
      ...files,
      'manifest.json': JSON.stringify({ ...MANIFEST, action: { default_popup: 'popup.html' } }),
      'data.zip': 'x',
    });
    const { package: none, missing } = await packForStore(folder, {});
    assert.equal(none, undefined);
    assert.deepEqual(
      missing.map(({ path, reason }) => [path, reason]),
      [['node_modules/a/a.js', 'installed packages']],
    );
    const { package: made, leftOut } = await packForStore(folder, { include: ['node_modules/a/**', 'data.zip'] });
    const names = [...(await unzip(made?.bytes ?? assert.fail())).keys()];
    assert.ok(names.includes('node_modules/a/a.js') && names.includes('data.zip'), names.join());
    assert.ok(leftOut.includes('node_modules/a/README.md'));
  });

  it('is written by the program, which says what is in it', async () => {
    const out = join(folder, '.out.zip');
    const lines: string[] = [];
    const pack = (): Promise<number> => packFolder(readCli(['pack', folder, '--out', out]), (line) => lines.push(line));
    assert.equal(await pack(), 0);
    assert.deepEqual([...(await unzip(await readFile(out))).keys()], ['icon.png', 'manifest.json', 'worker.js']);
    const said = lines.join('\n');
    for (const line of [
      /^permission alarms: no use found$/m,
      /^permission storage: used at worker\.js:1$/m,
      /^worker\.js\.map: left out/m,
      /^icon\.png: 1 B$/m,
      /\.out\.zip: 3 files, \d+ B$/m,
    ])
      assert.match(said, line);
    await rm(out);
    await write({ 'manifest.json': '{' });
    assert.equal(await pack(), 1);
    await assert.rejects(readFile(out));
    assert.throws(() => readCli(['pack', folder]), /--out/);
  });

  it('is refused by the program, which ends with 1, of a folder that does not exist or is too large', async () => {
    const out = join(folder, '.out.zip');
    const lines: string[] = [];
    const pack = (path: string): Promise<number> =>
      packFolder(readCli(['pack', path, '--out', out]), (line) => lines.push(line));
    assert.equal(await pack(join(folder, 'gone')), 1);
    assert.match(lines.join('\n'), /R-FILE: .*gone does not exist/);
    await write({ 'large.bin': '' });
    await truncate(join(folder, 'large.bin'), 300 * 1024 * 1024);
    assert.equal(await pack(folder), 1);
    assert.match(lines.at(-1) ?? '', /^refused: The folder has .*large\.bin/);
    await assert.rejects(readFile(out));
  });
});
