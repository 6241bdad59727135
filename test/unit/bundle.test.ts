// Covers: src, .esbuild.ts
import { build, type BuildOptions } from 'esbuild';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NODE_BUNDLE } from '../../.esbuild';

const ROOT = join(__dirname, '..', '..');
const run = promisify(execFile);

const HOST: BuildOptions = { ...NODE_BUNDLE, logLevel: 'silent' };

/** What may be loaded at activation: it is small, and needed at once. */
const ACTIVATION_PACKAGES = ['@vscode/l10n'];

/** Prints whether the global dispatchers of `fetch`, which all undicis of a process share, are set. */
const PRINT_DISPATCHERS = `
  const seen = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].filter((name) => Symbol.for(name) in globalThis);
  console.log(JSON.stringify(seen));
`;

describe('the bundle of the extension host', () => {
  let folder = '';

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sideload-bundle-'));
    // Node has no module of this name; an empty one is enough to load the bundle, which touches it in `activate` only.
    mkdirSync(join(folder, 'node_modules', 'vscode'), { recursive: true });
    writeFileSync(join(folder, 'node_modules', 'vscode', 'index.js'), '');
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('loads without touching the global fetch dispatcher', async () => {
    await build({ ...HOST, entryPoints: ['src/extension.ts'], outfile: join(folder, 'extension.js') });
    const script = `const { activate } = require('./extension.js'); console.error(typeof activate); ${PRINT_DISPATCHERS}`;
    const { stdout, stderr } = await run(process.execPath, ['-e', script], { cwd: folder });
    assert.equal(stderr.trim(), 'function');
    assert.deepEqual(JSON.parse(stdout), []);
  }).timeout(20_000);

  it('loads none of the heavy libraries at activation', async () => {
    const { metafile } = await build({ ...HOST, entryPoints: ['src/extension.ts'], metafile: true, write: false });
    const loaded = new Set<string>();
    const visit = (file: string): void => {
      if (loaded.has(file)) return;
      loaded.add(file);
      // A dynamic import is loaded when it is first needed.
      const imports = metafile.inputs[file]?.imports.filter(({ kind }) => kind !== 'dynamic-import') ?? [];
      for (const { path, external } of imports) if (!external) visit(path);
    };
    visit('src/extension.ts');
    const packages = new Set([...loaded].flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []));
    assert.deepEqual([...packages].sort(), ACTIVATION_PACKAGES);
  }).timeout(20_000);

  it('leaves the dispatcher alone also when its service client sends a request', async () => {
    await build({
      ...HOST,
      stdin: {
        contents: `
          export { ServiceClient } from './src/service/client';
          export { silentLogger } from './src/service/logger';
        `,
        resolveDir: ROOT,
        loader: 'ts',
      },
      outfile: join(folder, 'client.js'),
    });
    const script = `
      const { ServiceClient, silentLogger } = require('./client.js');
      const server = require('node:http').createServer((request, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ id: 'p1', created_at: 'now' }));
      });
      server.listen(0, '127.0.0.1', async () => {
        const baseUrl = new URL('http://127.0.0.1:' + server.address().port);
        const client = new ServiceClient({ baseUrl, token: 't', log: silentLogger });
        const profile = await client.createProfile('a');
        console.error(profile.id);
        await client.close();
        server.close();
        ${PRINT_DISPATCHERS}
      });
    `;
    const { stdout, stderr } = await run(process.execPath, ['-e', script], { cwd: folder });
    assert.equal(stderr.trim(), 'p1');
    assert.deepEqual(JSON.parse(stdout), []);
  }).timeout(20_000);
});
