// Covers: src/editor/debugger, src/debugger
import assert from 'node:assert/strict';
import { commands, debug } from 'vscode';
import { COMMANDS, SETTINGS } from '../../src/ids';
import { DevTools } from '../contract/devtools';
import { DebuggedFolder } from '../extensionHost/debuggedFolder';
import { DebuggerStops } from '../extensionHost/debuggerStops';
import { EditorBrowser, leaveService, set, useService } from '../extensionHost/editorBrowser';
import { eventually } from '../support/eventually';

const WORKER = 'Service worker';

/** How long a session may take to end, in milliseconds. */
const END_LIMIT_MS = 20_000;

/** After how long nobody else is attached to the worker any more, in milliseconds. */
const LEFT_MS = 1000;

/** How often each way is tried: once, or as often as this environment variable says. */
const TIMES = Number(process.env['SIDELOAD_TEST_STOPS'] ?? '1');

/** How long one try may take, in milliseconds. */
const TRY_LIMIT_MS = 60_000;

describe('a service worker that stops while it is debugged', function () {
  this.timeout(60_000 + TIMES * TRY_LIMIT_MS);
  const folder = DebuggedFolder.of('stopping');
  let browser: EditorBrowser;
  let stops: DebuggerStops;
  let devtools: DevTools;
  /** Of the extension. */
  let id: string;

  before(async () => {
    await useService();
    await folder.write(
      'manifest.json',
      JSON.stringify({
        manifest_version: 3,
        name: 'Stopping',
        version: '1.0',
        background: { service_worker: 'worker.js' },
      }),
    );
    await folder.write(
      'worker.js',
      'globalThis.first = 1;\nglobalThis.add = (a) => {\n  const sum = a + 1;\n  return sum;\n};\n',
    );
    await folder.write('page.html', '<!doctype html><title>Page</title>');
    browser = await EditorBrowser.start('stopping');
    await browser.choose();
    await set(SETTINGS.folder, 'stopping');
    stops = new DebuggerStops();
    devtools = await DevTools.connect(browser.described.devToolsUrl);
    folder.breakAt('worker.js', 1);
    folder.breakAt('worker.js', 3);
    await folder.start('launch');
    const stop = await stops.next();
    await stops.goOn(stop);
    await browser.says('typeof add', 'function');
    id = String((await browser.ask('chrome.runtime.id'))[0]);
  });

  after(async () => {
    debug.removeBreakpoints(debug.breakpoints);
    await stops.end();
    stops.dispose();
    devtools.close();
    await set(SETTINGS.folder, undefined);
    await browser.end();
    await leaveService();
    await folder.remove();
  });

  /** The target of the worker. */
  const target = async (): Promise<string> => {
    const { targetInfos } = await devtools.result('Target.getTargets');
    assert(Array.isArray(targetInfos));
    const infos = targetInfos as { type: string; url: string; targetId: string }[];
    const found = infos.find(({ type, url }) => type === 'service_worker' && url.includes(id));
    assert(found, JSON.stringify(infos));
    return found.targetId;
  };

  const ways: Record<string, () => Promise<unknown>> = {
    'Stop Worker': () => Promise.resolve(commands.executeCommand(COMMANDS.stopWorker, browser.row)),
    'the end of its target': async () => devtools.result('Target.closeTarget', { targetId: await target() }),
    'a crash of its process': async () => {
      const { targetId } = await devtools.result('Target.createTarget', { url: 'about:blank' });
      const page = await devtools.attachTo(String(targetId));
      await page.show(`chrome-extension://${id}/page.html`);
      // It is in the process of the worker, and never answers.
      void devtools.call('Page.crash', {}, page.sessionId).catch(() => undefined);
      await eventually('the worker has gone', () => !stops.names.includes(WORKER), END_LIMIT_MS);
      await devtools.call('Target.closeTarget', { targetId });
    },
  };

  for (const [way, stop] of Object.entries(ways)) {
    it(`by ${way} ends its session, and stops at its first statement and in a function when it wakes${TIMES > 1 ? `, ${TIMES} times` : ''}`, async () => {
      const missed: string[] = [];
      for (let time = 0; time < TIMES; time++) {
        try {
          // As long as somebody else is attached, such as the last question of this test, the target of the worker stays.
          await new Promise((settle) => setTimeout(settle, LEFT_MS));
          await stop();
          await eventually(
            () => `the session ends: ${stops.names.join()}`,
            () => !stops.names.includes(WORKER),
            END_LIMIT_MS,
          );
          const woken = commands.executeCommand(COMMANDS.wakeWorker, browser.row);
          const first = await stops.next();
          assert.deepEqual([first.file, first.line], ['worker.js', 1]);
          assert.equal(await stops.evaluate(first, 'globalThis.first'), 'undefined');
          assert.equal(stops.names.filter((name) => name === WORKER).length, 1);
          await stops.goOn(first);
          await woken;
          const asked = browser.askOverStop('add(41)');
          const second = await stops.next();
          assert.deepEqual([second.file, second.line], ['worker.js', 3]);
          assert.equal(await stops.value(second, 'a'), '41');
          await stops.goOn(second);
          assert.deepEqual(await asked, [42]);
        } catch (error) {
          missed.push(`${time}: ${String(error)}; ${stops.last}`);
          await stops.goOnAll();
          await commands.executeCommand(COMMANDS.wakeWorker, browser.row);
        }
      }
      if (TIMES > 1) console.log(`${way}: ${TIMES - missed.length} of ${TIMES}`);
      assert.deepEqual(missed, []);
    });
  }
});
