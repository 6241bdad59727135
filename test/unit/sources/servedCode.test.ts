import { transform } from 'esbuild';
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fieldOf } from '../../../src/base/fields';
import type { LoopbackPorts } from '../../../src/base/loopback';
import { findSource } from '../../../src/sources/sourceMaps';
import { SERVED_LINE, writeServedProject } from '../../support/servedProject';

const SOURCE = `interface Count {\n  value: number;\n}\nthrow new Error('fails');\n`;

describe('a location in code of a development server', () => {
  let root: string;
  let server: Server;
  let origin: string;
  const asked: string[] = [];

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'sideload-served-'));
    const inline = await transform(SOURCE, { loader: 'ts', sourcefile: 'worker.ts', sourcemap: 'inline' });
    const beside = await transform(SOURCE, { loader: 'ts', sourcefile: 'worker.ts', sourcemap: 'external' });
    const answers: Record<string, string> = {
      '/src/worker.ts': inline.code,
      '/src/built.js': `${beside.code}//# sourceMappingURL=built.js.map\n`,
      '/src/built.js.map': beside.map,
      '/src/elsewhere.js': `${beside.code}//# sourceMappingURL=http://127.0.0.2:1/built.js.map\n`,
      '/src/large.ts': inline.code + ' '.repeat(9 * 1024 * 1024),
    };
    server = createServer(({ url = '' }, response) => {
      asked.push(url);
      const code = answers[new URL(url, origin).pathname];
      if (url === '/src/moved.ts') response.writeHead(302, { location: '/src/worker.ts' }).end();
      else if (code === undefined) response.writeHead(404).end('none');
      else response.end(code);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    origin = `http://127.0.0.1:${String(fieldOf(server.address(), 'port'))}`;
    await writeServedProject(root, origin, { worker: '', options: '' });
  });

  after(async () => {
    server.closeAllConnections();
    server.close();
    await rm(root, { recursive: true, force: true });
  });

  const find = (path: string, servers: LoopbackPorts = 'any'): ReturnType<typeof findSource> =>
    findSource(
      { file: `${origin}${path}`, line: 0, column: 0 },
      { folder: join(root, 'dist'), root, servers: () => servers },
    );

  it('maps to the source in the workspace, by an inline source map or by one beside the script', async () => {
    const place = { file: join(root, 'src', 'worker.ts'), line: SERVED_LINE - 1, column: 0 };
    assert.deepEqual(await find('/src/worker.ts'), place);
    assert.deepEqual(await find('/src/worker.ts?t=17'), place);
    assert.deepEqual(await find('/src/built.js'), place);
    assert.deepEqual(await find('/src/worker.ts', [Number(new URL(origin).port)]), place);
  });

  it('has no source when the server gives none, too much, or another address', async () => {
    for (const path of ['/src/none.ts', '/src/large.ts', '/src/moved.ts', '/src/elsewhere.js'])
      assert.equal(await find(path), undefined, path);
  });

  it('is found where it has an address of the extension, but no file: by the server that the script of the worker names', async () => {
    const place = { file: join(root, 'src', 'worker.ts'), line: SERVED_LINE - 1, column: 0 };
    const locations = { folder: join(root, 'dist'), root };
    const spot = { file: join(root, 'dist', 'src', 'worker.ts'), line: 0, column: 0 };
    assert.deepEqual(await findSource(spot, { ...locations, servers: () => 'any' }), place);
    asked.length = 0;
    assert.equal(await findSource(spot, { ...locations, servers: () => [1] }), undefined);
    assert.equal(await findSource(spot, locations), undefined);
    const outside = join(root, 'src', 'other.ts');
    assert.equal(await findSource({ ...spot, file: outside }, { ...locations, servers: () => 'any' }), undefined);
    assert.deepEqual(asked, []);
  });

  it('is not asked for at a server that the browser may not reach', async () => {
    asked.length = 0;
    assert.equal(await find('/src/worker.ts', [1]), undefined);
    assert.equal(await find('/src/worker.ts', []), undefined);
    const spot = { file: `${origin}/src/worker.ts`, line: 0, column: 0 };
    assert.equal(await findSource(spot, { folder: root, root }), undefined);
    assert.deepEqual(asked, []);
  });
});
