// Covers: src/local, src/programs
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { newFolder, TestService } from '../contract/service';
import { programPath } from '../contract/shippedPrograms';
import { fieldOf } from '../../src/base/fields';

/** Far more than any of these takes when it is refused, and far less than it took. */
const SOON_MS = 5000;
const HUGE = 2 ** 31;

describe('a hostile program that uses the interface of the local service', function () {
  this.timeout(60_000);
  let service: TestService;
  let id: string;

  before(async () => {
    service = await TestService.start();
    ({ session_id: id } = await service.client.browsers.create({ headless: true }));
  });
  // Fails when the service has written to its error output.
  after(() => service.stop());

  async function post(path: string, body: object, method = 'POST'): Promise<number> {
    const headers = { 'content-type': 'application/json' };
    const answer = await service.request(`/browsers/${id}/${path}`, { method, headers, body: JSON.stringify(body) });
    await answer.arrayBuffer();
    return answer.status;
  }

  const at = { x: 5, y: 5 };
  for (const [path, body] of [
    ['computer/scroll', { ...at, delta_y: HUGE }],
    ['computer/scroll', { ...at, delta_x: -HUGE }],
    ['computer/click_mouse', { ...at, num_clicks: HUGE }],
    [
      'computer/drag_mouse',
      {
        path: [
          [1, 1],
          [2, 2],
        ],
        steps_per_segment: HUGE,
      },
    ],
    ['computer/drag_mouse', { path: Array.from({ length: 5000 }, () => [1, 1]) }],
    [
      'computer/drag_mouse',
      {
        path: [
          [1, 1],
          [2, 2],
        ],
        step_delay_ms: HUGE,
      },
    ],
    ['computer/press_key', { keys: ['a'], duration: HUGE }],
    ['computer/press_key', { keys: Array.from({ length: 5000 }, () => 'a') }],
    ['computer/press_key', { keys: ['a+'.repeat(1_000_000) + 'a'] }],
    ['computer/press_key', { keys: Array.from({ length: 900 }, () => 'a+a') }],
    ['computer/press_key', { keys: ['a'], hold_keys: Array.from({ length: 100_000 }, () => 'Shift_L') }],
    ['computer/move_mouse', { ...at, hold_keys: Array.from({ length: 5000 }, () => 'Shift_L') }],
    ['computer/type', { text: 'a'.repeat(200_000) }],
    ['computer/type', { text: 'aa', delay: HUGE }],
    ['computer/move_mouse', { ...at, smooth: true, duration_ms: HUGE }],
    ['computer/batch', { actions: [{ type: 'sleep', sleep: { duration_ms: HUGE } }] }],
    ['computer/batch', { actions: Array.from({ length: 5000 }, () => ({ type: 'sleep', sleep: { duration_ms: 0 } })) }],
  ] as const) {
    it(`cannot occupy a browser by ${path} ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const began = performance.now();
      assert.equal(await post(path, body), 400);
      assert(performance.now() - began < SOON_MS);
    });
  }

  it('gets 400 for a path that is too long, in all operations, and the service says nothing of its folders', async () => {
    const long = `/home/kernel/${'x'.repeat(300)}`;
    for (const [operation, body] of [
      ['fs/delete_directory', { path: long }],
      ['fs/delete_file', { path: long }],
      ['fs/create_directory', { path: long }],
      ['fs/move', { src_path: long, dest_path: '/home/kernel/b' }],
      ['fs/set_file_permissions', { path: long, mode: '644' }],
    ] as const) {
      assert.equal(await post(operation, body, 'PUT'), 400, operation);
    }
    assert.equal(await post('fs/delete_directory', { path: '/home/kernel/nothing' }, 'PUT'), 200);
  });
});

describe('a hostile client of the MCP server', function () {
  this.timeout(60_000);

  it('does not end it by a line that is too long or no message', async () => {
    const folder = await newFolder();
    const child = spawn(process.execPath, [await programPath('mcp'), '--root', folder], { stdio: 'pipe' });
    try {
      let complaints = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
      const answers = createInterface({ input: child.stdout });
      const send = (message: object): void => {
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      };
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
      send({ id: 1, method: 'initialize', params });
      await once(answers, 'line');
      send({
        id: 2,
        method: 'tools/call',
        params: { name: 'get_extension_guide', arguments: { a: 'x'.repeat(12_000_000) } },
      });
      const [refused] = (await once(answers, 'line')) as [string];
      assert.match(refused, /too long/);
      assert.match(complaints, /left out: it has more than \d+ bytes/);
      child.stdin.write('no message\n{"jsonrpc":"2.0"}\n\u0000\n');
      child.stdin.write(`${'['.repeat(200_000)}\n`);
      send({ id: 3, method: 'ping' });
      const [pong] = (await once(answers, 'line')) as [string];
      assert.equal(fieldOf(JSON.parse(pong), 'id'), 3);
      assert.equal(child.exitCode, null);
      child.stdin.end();
      await once(child, 'exit');
    } finally {
      child.kill('SIGKILL');
    }
  });
});
