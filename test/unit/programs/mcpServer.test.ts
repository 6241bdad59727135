import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import assert from 'node:assert/strict';
import { createMcpServer } from '../../../src/programs/mcpServer';
import type { BrowserService } from '../../../src/service/browserService';
import type { Browser } from '../../../src/service/model';
import { silentLogger } from '../../../src/service/logger';
import { HeadlessWindow } from '../../../src/programs/headless/headlessWindow';
import { TOOL_NAMES } from '../../../src/agents/toolNames';
import { REPLAYED } from '../../transcripts/replayScenario';

/** The code of JSON-RPC 2.0 for invalid parameters, and for a method that does not exist. */
const INVALID_PARAMS = -32_602;
const METHOD_NOT_FOUND = -32_601;

describe('the server of the Model Context Protocol', () => {
  let client: InMemoryTransport;
  let window: HeadlessWindow;
  let answers: JSONRPCMessage[];

  beforeEach(async () => {
    window = new HeadlessWindow({
      roots: [],
      isLocal: true,
      connect: () => Promise.reject(new Error('no call of these needs a service')),
      log: silentLogger,
    });
    const [own, other] = InMemoryTransport.createLinkedPair();
    client = own;
    answers = [];
    client.onmessage = (message) => answers.push(message);
    await createMcpServer(window).connect(other);
  });
  afterEach(async () => {
    await client.close();
    await window.dispose();
  });

  /** The answer to a request. */
  async function ask(method: string, params: Record<string, unknown>): Promise<JSONRPCMessage | undefined> {
    await client.send({ jsonrpc: '2.0', id: 1, method, params });
    // Nothing that is asked here waits for anything but promises.
    await new Promise((resolve) => setImmediate(resolve));
    return answers.pop();
  }

  async function errorOf(method: string, params: Record<string, unknown>): Promise<{ code: number; message: string }> {
    const answer = await ask(method, params);
    assert(answer && 'error' in answer, JSON.stringify(answer));
    return answer.error;
  }

  for (const input of [null, [], ['folder'], 'folder', 7, true]) {
    it(`answers invalid params to the arguments ${JSON.stringify(input)} of every tool`, async () => {
      for (const name of TOOL_NAMES) {
        const error = await errorOf('tools/call', { name, arguments: input });
        assert.deepEqual({ ...error }, { code: INVALID_PARAMS, message: '"arguments" must be an object.' }, name);
      }
    });
  }

  it('answers invalid params to a call without a name, and says which other method does not exist', async () => {
    for (const params of [{}, { name: 7 }, { name: null }, { name: ['push_extension'] }]) {
      const error = await errorOf('tools/call', params);
      assert.deepEqual({ ...error }, { code: INVALID_PARAMS, message: '"name" must be the name of a tool.' });
    }
    assert.equal((await errorOf('tools/none', {})).code, METHOD_NOT_FOUND);
  });

  it('takes a call without arguments, and lists tools whatever the cursor is', async () => {
    const answer = await ask('tools/call', { name: 'get_extension_guide' });
    assert(answer && 'result' in answer, JSON.stringify(answer));
    assert.equal(answer.result['isError'], false);
    const list = await ask('tools/list', { cursor: 7 });
    assert(list && 'result' in list && Array.isArray(list.result['tools']), JSON.stringify(list));
    assert.equal(list.result['tools'].length, TOOL_NAMES.length);
  });

  it('ends a browser that is being started when it is closed', async () => {
    let onCreated = (_browser: Browser): void => undefined;
    const created = new Promise<Browser>((resolve) => (onCreated = resolve));
    const deleted: string[] = [];
    const service = {
      createBrowser: () => created,
      deleteBrowser: (id: string) => Promise.resolve(void deleted.push(id)),
      close: () => Promise.resolve(),
    } as unknown as BrowserService;
    const connect = (): Promise<BrowserService> => Promise.resolve(service);
    const starting = new HeadlessWindow({ roots: [], isLocal: true, connect, log: silentLogger });
    const calls = new Set<Promise<unknown>>();
    const server = createMcpServer(starting, calls);
    const [own, other] = InMemoryTransport.createLinkedPair();
    await server.connect(other);
    const params = { name: 'create_extension_browser', arguments: {} };
    await own.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    await new Promise((resolve) => setImmediate(resolve));
    await server.close();
    onCreated(REPLAYED);
    await Promise.all(calls);
    assert.deepEqual([deleted, starting.created], [[REPLAYED.id], []]);
    await starting.dispose();
  });
});
