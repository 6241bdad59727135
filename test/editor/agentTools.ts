// Covers: src/editor/agents, src/agents, src/programs
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import assert from 'node:assert/strict';
import { commands, ConfigurationTarget, LanguageModelTextPart, lm, window } from 'vscode';
import { BROWSER_VARIABLE, TOKEN_VARIABLE } from '../../src/service/serviceAddress';
import { COMMANDS, SETTINGS } from '../../src/ids';
import { TOOL_NAMES, type ToolName } from '../../src/agents/toolNames';
import { ChosenExtension } from '../extensionHost/chosenExtension';
import { endBrowser, set } from '../extensionHost/editorBrowser';
import { AGENTS } from '../workbench/phrases';
import { SideloadLog } from '../extensionHost/sideloadLog';

/** What is pasted into other agents. */
interface Configuration {
  mcpServers: { sideload: { command: string; args: string[]; env?: Record<string, string> } };
}

const POPUP = '<!doctype html><script src="popup.js"></script>';

describe('the language-model tools', () => {
  const extension = new ChosenExtension('agents');

  const manifest = (version: string): string =>
    JSON.stringify({
      manifest_version: 3,
      name: 'Agents',
      version,
      background: { service_worker: 'worker.js' },
      action: { default_popup: 'popup.html' },
      permissions: ['storage'],
    });

  /** The parts of the answer; rejects when the tool did not do what it was asked for. */
  async function parts(name: ToolName, input: object = {}): Promise<readonly unknown[]> {
    return (await lm.invokeTool(name, { input, toolInvocationToken: undefined })).content;
  }
  async function ask(name: ToolName, input: object = {}): Promise<string> {
    const [part] = await parts(name, input);
    assert.ok(part instanceof LanguageModelTextPart);
    assert.doesNotMatch(part.value, /wss?:\/\/|jwt=/);
    return part.value;
  }
  const refused = (name: ToolName, input: object, reason: RegExp): Promise<void> =>
    assert.rejects(parts(name, input), (error: Error) => reason.test(error.message) || assert.fail(error.message));

  before(async function () {
    this.timeout(120_000);
    await extension.begin({
      'manifest.json': manifest('1.0'),
      'worker.js': "globalThis.build = 1;\nconsole.log('built', 1);\n",
      'popup.html': POPUP,
      'popup.js': "\nthrow new Error('in the popup');\n",
    });
  });

  after(async () => {
    await set(SETTINGS.agentConfirmation, undefined, ConfigurationTarget.Global);
    await extension.end();
  });

  it('are all there, with what models need to choose them', () => {
    const known = new Map(lm.tools.map((tool) => [tool.name, tool]));
    for (const name of TOOL_NAMES) {
      const tool = known.get(name);
      assert.ok(tool?.inputSchema, name);
      assert.ok(tool.description.length > 20, name);
    }
  });

  it('ask before they look into a browser or act in it, once', async () => {
    assert.match(await ask('list_extension_browsers'), /- agents \(id [^\n]*pushes go here\)/);
    assert.match(await ask('get_extension_guide'), /^# /);
    const log = await SideloadLog.fromNow();
    // In tests, VS Code confirms without a dialog.
    assert.match(await ask('list_extension_browsers'), /was not asked yet/);
    // Looking needs the question as acting does.
    assert.match(await ask('screenshot_extension_browser'), /^The screen of agents, /);
    assert.equal((await log.find(AGENTS.asks('screenshot_extension_browser', 'agents'))).length, 1);
    await refused('stop_extension_worker', {}, /No extension|No service worker/);
    assert.doesNotMatch(await ask('list_extension_browsers'), /agents \(id [^\n]*\n[^\n]*was not asked yet/);
    assert.match(await ask('push_extension'), /^RUNNING: «Agents» 1\.0 is running in agents: /);
    assert.match(await ask('reload_extension'), /^RUNNING: /);
    await log.find(AGENTS.logged('reload_extension', 'RUNNING'));
    assert.deepEqual(
      log.lines.filter((line) => line.includes(' asks to act in ')).length,
      1,
      'it asks twice for a browser',
    );
    // Nothing is asked about a browser that does not run.
    await refused('push_extension', { browser: 'other' }, /No browser "other" is running/);
    await ask('create_extension_browser', { name: 'agents-made', headless: true });
    await log.find(AGENTS.asks('create_extension_browser', 'a new browser'));
    assert.match(await ask('push_extension'), / is running in agents-made: /);
    await set(SETTINGS.agentConfirmation, 'never', ConfigurationTarget.Global);
    const later = await SideloadLog.fromNow();
    await refused('push_extension', { browser: 'third' }, /No browser "third" is running/);
    await later.find(AGENTS.logged('push_extension', 'No browser "third"'));
    assert.deepEqual(
      later.lines.filter((line) => line.includes(' asks to act in ')),
      [],
    );
    await endBrowser('agents-made');
  }).timeout(60_000);

  it('push what is in the editor, and the window knows of it', async () => {
    const log = await SideloadLog.fromNow();
    await extension.write('worker.js', "globalThis.build = 2;\nconsole.log('built', 2);\n");
    assert.match(
      await ask('push_extension', { folder: 'agents' }),
      /^RUNNING: .*\nbuild [0-9a-f]{12}, id [a-p]{32}, worker running/,
    );
    await extension.browser.says('globalThis.build', 2);
    assert.equal((await log.find(AGENTS.logged('push_extension', 'RUNNING'))).length, 1);
    assert.match(await ask('reload_extension'), /^RUNNING: /);
    assert.match(
      await ask('read_extension_console', { contains: 'built' }),
      /info worker: «built 2 \(agents\/worker\.js:2:\d+\)/,
    );
  }).timeout(60_000);

  it('and the user push one after the other to a browser', async () => {
    await extension.write('worker.js', 'globalThis.build = 3;\n');
    const [text] = await Promise.all([ask('push_extension'), commands.executeCommand(COMMANDS.push)]);
    assert.match(text, /^RUNNING: |^NOT RUNNING: Nothing has changed/);
    await extension.browser.says('globalThis.build', 3);
  }).timeout(60_000);

  it('fail with the place and the next step when the extension does not run', async () => {
    await extension.write('manifest.json', manifest('1.x'));
    await refused('push_extension', {}, /REFUSED by the check[^]*agents\/manifest\.json:1:\d+ error R-VERSION/);
    assert.match(await ask('get_extension_findings'), /^REFUSED: the check of agents has 1 error, 3 hints\./);
    await extension.write('manifest.json', manifest('1.1'));
    await extension.write('worker.js', "\nthrow new Error('at start');\n");
    await refused('push_extension', {}, /WORKER FAILED[^]*agents\/worker\.js:2:\d+ error in worker: [^]*at start/);
    await extension.write('worker.js', 'globalThis.build = 4;\n');
    assert.match(await ask('push_extension'), /^RUNNING: /);
  }).timeout(60_000);

  it('open surfaces, look, act, and change storage and the worker', async () => {
    const opened = await ask('open_extension_surface', { surface: 'page', path: 'popup.html' });
    assert.match(opened, /^OPENED: [^]*agents\/popup\.js:2:\d+ error in popup\.html: [^]*in the popup/);
    const picture = await parts('screenshot_extension_browser');
    assert.ok(picture[0] instanceof LanguageModelTextPart);
    assert.ok(picture.length === 2 || picture[0].value.includes(' It is in '), picture[0].value);
    assert.match(
      await ask('act_in_extension_browser', { actions: [{ do: 'click', x: 10, y: 10 }] }),
      /^DONE: 1 action/,
    );
    assert.match(await ask('set_extension_storage', { area: 'local', set: { a: 1 } }), /^WRITTEN: /);
    assert.match(await ask('get_extension_storage', { area: 'local' }), /\n«"a"»: «1»$/m);
    assert.match(await ask('stop_extension_worker'), /^DONE: .* is stopped\.$/m);
    assert.match(await ask('stop_extension_worker'), /^NOTHING TO DO: .* was stopped already\.$/m);
  }).timeout(60_000);

  it('are in the MCP server that the configuration names, with the browsers of this window', async () => {
    await commands.executeCommand(COMMANDS.showAgentConfiguration);
    const text = window.activeTextEditor?.document.getText() ?? '';
    // A debug session that begins would save it, and ask where.
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    const { mcpServers } = JSON.parse(text.replaceAll(/^\/\/.*$/gm, '')) as Configuration;
    const { args, env } = mcpServers.sideload;
    const token = process.env[TOKEN_VARIABLE] ?? '';
    assert.ok(token !== '' && !text.includes(token), 'the document has the token');
    assert.deepEqual(Object.keys(env ?? {}), [TOKEN_VARIABLE]);
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport({ command: process.execPath, args, env: { [TOKEN_VARIABLE]: token } });
    await client.connect(transport);
    try {
      const { tools } = await client.listTools();
      assert.equal(tools.length, TOOL_NAMES.length);
      const { content } = await client.callTool({ name: 'list_extension_browsers', arguments: {} });
      assert.match(JSON.stringify(content), /- agents \(id /);
    } finally {
      await client.close();
    }
  }).timeout(30_000);

  it('are there with the browser that the settings name, and without windows where they say so', async () => {
    const { Global } = ConfigurationTarget;
    const changes = [
      [SETTINGS.service, 'local', 'other'],
      [SETTINGS.browserPath, '/opt/a browser/chromium', undefined],
      [SETTINGS.headless, 'always', undefined],
    ] as const;
    let text = '';
    try {
      for (const [name, value] of changes) await set(name, value, Global);
      await commands.executeCommand(COMMANDS.showAgentConfiguration);
      text = window.activeTextEditor?.document.getText() ?? '';
      await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    } finally {
      for (const [name, , before] of changes) await set(name, before, Global);
    }
    const { mcpServers } = JSON.parse(text.replaceAll(/^\/\/.*$/gm, '')) as Configuration;
    const { args, env } = mcpServers.sideload;
    assert.deepEqual(env, { [BROWSER_VARIABLE]: '/opt/a browser/chromium' });
    assert.ok(args.includes('--headless'), args.join(' '));
  }).timeout(30_000);

  it('refuse what leads out of the workspace, or is of another shape', async () => {
    await refused('get_extension_findings', { folder: '..' }, /outside of the workspace/);
    await refused('get_extension_findings', { folder: '/etc' }, /outside of the workspace/);
    await refused('get_extension_findings', { other: 1 }, /other/);
    await refused('screenshot_extension_browser', { browser: 'nobody' }, /No browser "nobody" is running/);
  });
});
