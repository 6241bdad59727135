import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import assert from 'node:assert/strict';
import { eventually } from '../support/eventually';
import { TOOL_NAMES } from '../../src/agents/toolNames';
import { PushStage } from './pushStage';
import { programPath } from './shippedPrograms';

/** A part of an answer. */
interface Part {
  type: string;
  text?: string;
  data?: string;
  mimeType?: string;
}

describe('the MCP server', function () {
  this.timeout(60_000);
  const stage = PushStage.forSuite();
  let client: Client;
  let transport: StdioClientTransport;

  beforeEach(async () => {
    const { folder, service } = stage();
    transport = new StdioClientTransport({
      command: process.execPath,
      args: [await programPath('mcp'), '--root', folder, '--service', service.baseUrl, '--headless'],
      env: { SIDELOAD_TOKEN: service.token },
      stderr: 'pipe',
    });
    client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
  });
  afterEach(() => client.close());

  async function call(name: string, input: Record<string, unknown> = {}): Promise<{ isError: boolean; parts: Part[] }> {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const all = JSON.stringify(content);
    assert.doesNotMatch(all, /wss?:\/\/|jwt=/);
    assert.ok(!all.includes(stage().service.token), 'it has the token');
    return { isError: isError === true, parts: content as Part[] };
  }
  const textOf = async (name: string, input?: Record<string, unknown>): Promise<string> => {
    const { parts } = await call(name, input);
    return parts[0]?.text ?? '';
  };

  it('lists all tools with their schemas, and which of them only look', async () => {
    assert.match(client.getInstructions() ?? '', /get_extension_guide/);
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      TOOL_NAMES,
    );
    const readOnly = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
    assert.deepEqual(
      readOnly,
      TOOL_NAMES.filter((name) => /^(get|list|read|screenshot)_/.test(name)),
    );
    assert.ok(tools.every(({ inputSchema }) => inputSchema.type === 'object'));
    assert.match(await textOf('get_extension_guide'), /push_extension/);
  });

  it('pushes, proves, looks, acts and debugs', async () => {
    const at = stage();
    await at.write('popup.html', '<!doctype html><script src="popup.js"></script>');
    await at.write('popup.js', "console.log('hello');\nthrow new Error('in the popup');\n");
    await at.editManifest({ permissions: ['storage'] });
    assert.match(await textOf('push_extension'), /^RUNNING: /);
    assert.equal(await at.ask('chrome.runtime.getManifest().name'), 'Sideload Sample');
    assert.match(
      await textOf('open_extension_surface', { surface: 'page', path: 'popup.html' }),
      /popup\.js:2:\d+ error/,
    );
    assert.match(await textOf('read_extension_console', { contains: 'hello' }), /info popup\.html: «hello/);
    const { parts } = await call('screenshot_extension_browser');
    const [, image] = parts;
    assert.deepEqual([image?.type, image?.mimeType], ['image', 'image/png']);
    assert.equal(
      Buffer.from(image?.data ?? '', 'base64')
        .subarray(1, 4)
        .toString(),
      'PNG',
    );
    assert.match(await textOf('act_in_extension_browser', { actions: [{ do: 'click', x: 9, y: 9 }] }), /^DONE/);
    assert.match(await textOf('set_extension_storage', { area: 'local', set: { a: [1] } }), /^WRITTEN/);
    assert.match(await textOf('get_extension_storage', { area: 'local' }), /«"a"»: «\[1\]»/);
    assert.match(await textOf('stop_extension_worker'), /stopped\.$/m);
    assert.match(await textOf('reload_extension'), /^RUNNING: /);
    assert.match(await textOf('list_extension_browsers'), /pushed from here/);
  });

  it('marks as errors what did not run, was refused, or does not exist', async () => {
    await stage().editManifest({ version: 'x' });
    assert.match(await textOf('get_extension_findings'), /^REFUSED: .*\n.*\nmanifest\.json:1:\d+ error R-VERSION: /);
    const refused: [string, Record<string, unknown>, RegExp][] = [
      ['push_extension', {}, /^REFUSED by the check/],
      ['push_extension', { folder: '/etc' }, /outside of the workspace/],
      ['push_extension', { folder: 7 }, /must be a string/],
      ['push_extension', { browser: 'nobody' }, /No browser "nobody"/],
      ['get_extension_storage', {}, /lacks "area"/],
      ['delete_everything', {}, /There is no tool "delete_everything"/],
    ];
    for (const [name, input, reason] of refused) {
      const { isError, parts } = await call(name, input);
      assert.equal(isError, true, name);
      assert.match(parts[0]?.text ?? '', reason);
    }
  });

  it('ends with its client, and the browsers that it has started with it', async () => {
    assert.match(
      await textOf('create_extension_browser', { name: 'of-the-agent' }),
      /^Browser of-the-agent runs, headless/,
    );
    const { pid } = transport;
    assert.ok(pid);
    await client.close();
    const isRunning = (): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await eventually('the server ends', () => !isRunning(), 10_000);
    const left: string[] = [];
    for await (const { name } of stage().client.listBrowsers()) left.push(name ?? '');
    assert.ok(!left.includes('of-the-agent'), left.join());
  });
});
