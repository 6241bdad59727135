import assert from 'node:assert/strict';
import type { BrowserLink } from '../../../../src/devtools/connection/link';
import { freshInstall } from '../../../../src/devtools/extensions/extensionState';
import {
  allowedOf,
  type ExtensionState,
  switchOnDeveloperMode,
} from '../../../../src/devtools/inPage/extensionsPageCalls';
import { extensionPageState } from '../../../../src/devtools/inPage/pageCalls';
import { namesWorker } from '../../../../src/devtools/inPage/surfaceCalls';
import { LoadRefusedError } from '../../../../src/devtools/protocol/loadRefused';
import { WorkerDebuggers } from '../../../../src/devtools/workers/workerDebuggers';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { isCallOf } from '../../../support/calledInPage';
import { TestClock } from '../../../support/testClock';

const ID = 'a'.repeat(32);
const WORKER_URL = `chrome-extension://${ID}/worker.js`;
const EXTENSION = { id: ID, name: 'sample', version: '1.0', path: '/home/chrome/extensions/sample', enabled: true };

const STATE: ExtensionState = {
  incognito: { isOn: false, isPossible: true },
  fileAccess: { isOn: false, isPossible: false },
  pinned: { isOn: false, isPossible: true },
};

const LET_RUN = 'Runtime.runIfWaitingForDebugger';

describe('the fresh install of an extension', () => {
  let browser: ScriptedBrowser;
  let clock: TestClock;
  let debuggers: WorkerDebuggers;
  let link: BrowserLink;
  /** What happens, in its order. */
  let acts: string[];
  let isLoaded: boolean;
  /** Whether the command line of the browser has loaded it. */
  let isOfCommandLine: boolean;
  /** Why Chromium does not load it again. */
  let refusal: Error | undefined;

  beforeEach(async () => {
    acts = [];
    [isLoaded, isOfCommandLine, refusal] = [true, false, undefined];
    clock = new TestClock();
    debuggers = new WorkerDebuggers();
    browser = new ScriptedBrowser()
      .on('Extensions.getExtensions', () => ({ extensions: isLoaded ? [EXTENSION] : [] }))
      .on('Extensions.uninstall', () => {
        acts.push('uninstall');
        isLoaded = isOfCommandLine;
        return {};
      })
      .on('Extensions.loadUnpacked', () => {
        acts.push('load');
        if (refusal) return refusal;
        [isLoaded, isOfCommandLine] = [true, false];
        const target = `worker-${acts.length}`;
        // The answer comes before the worker.
        clock.after(100, () => void browser.attach(target, WORKER_URL, 'service_worker', debuggers.isEmpty));
        return { id: ID };
      })
      .onEvaluate((expression, { target }) => {
        if (target?.startsWith('worker')) return 'activated';
        if (isCallOf(expression, switchOnDeveloperMode)) return 'on';
        if (isCallOf(expression, extensionPageState)) return 'there';
        if (isCallOf(expression, namesWorker)) return true;
        return isCallOf(expression, allowedOf) ? STATE : null;
      });
    link = await browser.link(clock, {}, debuggers);
  });

  afterEach(() => {
    link.close();
  });

  /** A debugger of the extension, which has paused the worker of a target. */
  const debug = (target: string): void => {
    debuggers.add({
      extensionId: ID,
      pausedAt: (asked) => (asked === target ? 'worker.js:1:1' : undefined),
      isPagePaused: () => false,
      release: () => Promise.resolve(void acts.push('release')),
      restore: () => Promise.resolve(void acts.push('restore')),
      untilReady: () => Promise.resolve(),
    });
  };

  const install = (): ReturnType<typeof freshInstall> =>
    clock.run(freshInstall(link, EXTENSION, new AbortController().signal));

  it('lets the new worker run, and waits until it does', async () => {
    const { extension, worker } = await install();
    assert.deepEqual([extension, worker?.state, acts], [EXTENSION, 'running', ['uninstall', 'load']]);
    assert.ok(browser.methodsOf('worker-2').includes(LET_RUN));
  });

  it('leaves it to a debugger to let the new worker run, and takes one for started that it has paused', async () => {
    debug('worker-3');
    assert.equal((await install()).worker?.state, 'paused');
    assert.ok(!browser.methodsOf('worker-3').includes(LET_RUN));
  });

  it('counts no worker of before that is listed, though a debugger is there', async () => {
    debug('before');
    browser.on('Target.setAutoAttach', ({ params }) => {
      if (!browser.target('before') && params['autoAttach'] === true) {
        browser.attach('before', WORKER_URL, 'service_worker', false);
      }
      return {};
    });
    assert.equal((await install()).worker?.state, 'running');
  });

  it('has paused workers released before each uninstallation, which would not end them', async () => {
    debug('none');
    isOfCommandLine = true;
    await install();
    assert.deepEqual(acts, ['release', 'uninstall', 'load', 'release', 'uninstall', 'load']);
  });

  it('has workers pause again when it fails', async () => {
    debug('none');
    refusal = new Error('Manifest file is missing');
    await assert.rejects(install(), LoadRefusedError);
    assert.deepEqual(acts, ['release', 'uninstall', 'load', 'restore']);
  });
});
