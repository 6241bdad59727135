// Covers: src/editor/testing, src/editor/agents, src/agents, src/programs/headless
import assert from 'node:assert/strict';
import { commands, extensions, Uri } from 'vscode';
import type { ApiPush, SideloadApi } from '../../src/editor/agents/api';
import { COMMANDS, EXTENSION_ID } from '../../src/ids';
import { ChosenExtension } from '../extensionHost/chosenExtension';
import { eventually } from '../support/eventually';
import { AGENTS } from '../workbench/phrases';
import { SideloadLog } from '../extensionHost/sideloadLog';

/** Longer than the tests of this extension take, in milliseconds. */
const TESTS_MS = 9000;

describe('the tests of an extension', () => {
  const extension = new ChosenExtension('tested');

  before(async function () {
    this.timeout(120_000);
    await extension.begin({
      'manifest.json': JSON.stringify({
        manifest_version: 3,
        name: 'Tested',
        version: '1.0',
        background: { service_worker: 'worker.js' },
      }),
      'worker.js': 'globalThis.build = 1;\n',
    });
  });

  it('leave it the access to files that the user’s push has given it', async () => {
    const worker = (build: number): string =>
      `globalThis.build = ${build};\nchrome.extension.isAllowedFileSchemeAccess().then((is) => (globalThis.mayReadFiles = is));\n`;
    await extension.write('worker.js', worker(10));
    await commands.executeCommand(COMMANDS.push, extension.browser.row);
    await extension.browser.says('globalThis.mayReadFiles', true);
    await extension.write('worker.js', worker(11));
    const from = Date.now();
    await commands.executeCommand('testing.runAll');
    await extension.browser.says('globalThis.build', 11);
    await extension.browser.says('globalThis.mayReadFiles', true);
    await (await SideloadLog.fromNow(from)).find(AGENTS.tested('tested', '5 passed, 0 failed, 4 skipped'));
    await extension.write('worker.js', 'globalThis.build = 1;\n');
  });

  after(() => extension.end());

  it('can be pushed by other extensions, which get an event of every push', async () => {
    const api = extensions.getExtension<SideloadApi>(EXTENSION_ID)?.exports;
    assert.equal(api?.version, 1);
    const heard: ApiPush[] = [];
    const listener = api.onDidPush((push) => heard.push(push));
    const found = (await api.browsers()).find(({ name }) => name === 'tested');
    assert.deepEqual(Object.keys(found ?? {}).sort(), ['headless', 'id', 'name']);
    const pushed = await api.push(extension.folder, 'tested');
    listener.dispose();
    assert.deepEqual(
      [pushed.isRunning, pushed.outcome, pushed.version, pushed.browser.id],
      [true, 'running', '1.0', found?.id],
    );
    assert.deepEqual(heard, [pushed]);
    await assert.rejects(api.push('/etc', 'tested'), /outside of the workspace/);
    await assert.rejects(
      api.push(extension.folder, 'nobody'),
      /^ToolError: No browser "nobody" is running\. Those are: (?!.*create_extension_browser).*\.$/,
    );
    // Callers without types.
    const push = (...given: readonly unknown[]): Promise<unknown> =>
      Promise.resolve(Reflect.apply(api.push, api, given));
    for (const folder of [undefined, 'relative', Uri.file(extension.folder), '']) {
      await assert.rejects(push(folder, 'tested'), /folder must be the absolute path/);
    }
    for (const browser of [undefined, '', 5]) {
      await assert.rejects(push(extension.folder, browser), /browser must be the name or the id/);
    }
  });

  it('run from the Test view in the chosen browser', async () => {
    const api = extensions.getExtension<SideloadApi>(EXTENSION_ID)?.exports;
    assert.ok(api);
    const outcomes: string[] = [];
    const listener = api.onDidPush(({ outcome }) => outcomes.push(outcome));
    try {
      await commands.executeCommand('testing.runAll');
      await eventually('a push by the tests', () => outcomes.includes('running'), 20_000);
      await extension.browser.says('globalThis.build', 1);
      const last = Date.now();
      await extension.write('worker.js', "throw new Error('at start');\n");
      await commands.executeCommand('testing.runAll');
      await eventually('a failed push by the tests', () => outcomes.includes('workerFailed'), 20_000);
      // The Test view has closed the log, which is read again from its beginning.
      const log = await SideloadLog.fromNow(last - 30_000);
      await log.find(AGENTS.tested('tested', '1 passed, 1 failed, 7 skipped'));
      await log.find(AGENTS.tested('tested', '5 passed, 0 failed, 4 skipped'));
    } finally {
      listener.dispose();
    }
  }).timeout(90_000);

  it('run after each push of the user while that is switched on, in the browser and with the build of the push', async () => {
    const api = extensions.getExtension<SideloadApi>(EXTENSION_ID)?.exports;
    assert.ok(api);
    const outcomes: string[] = [];
    const listener = api.onDidPush(({ outcome }) => outcomes.push(outcome));
    const push = async (build: number): Promise<void> => {
      await extension.write('worker.js', `globalThis.build = ${build};\n`);
      await commands.executeCommand(COMMANDS.push, extension.browser.row);
    };
    try {
      await commands.executeCommand('testing.startContinuousRun');
      const from = Date.now();
      await push(3);
      const log = await SideloadLog.fromNow(from);
      await log.find(AGENTS.tested('tested', '5 passed, 0 failed, 4 skipped'));
      await extension.browser.says('globalThis.build', 3);
      await push(4);
      await log.find(AGENTS.tested('tested', '5 passed, 0 failed, 4 skipped'), 2);
      assert.deepEqual(outcomes, ['running', 'running']);
      await commands.executeCommand('testing.stopContinuousRun');
      const stopped = Date.now();
      await push(5);
      const later = await SideloadLog.fromNow(stopped);
      await extension.browser.says('globalThis.build', 5);
      await new Promise((settle) => setTimeout(settle, TESTS_MS));
      assert.deepEqual(
        later.lines.filter((line) => AGENTS.smokeTests.test(line)),
        [],
      );
    } finally {
      listener.dispose();
    }
  }).timeout(90_000);
});
