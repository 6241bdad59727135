import assert from 'node:assert/strict';
import { pauseErrorsOf, watchErrorsOf } from '../../../../src/devtools/inPage/errorCalls';
import {
  countLoads,
  loadsOf,
  reloadExtension,
  setExtensionEnabled,
  switchOnDeveloperMode,
} from '../../../../src/devtools/inPage/extensionsPageCalls';
import { attach } from '../../../../src/devtools/protocol/attach';
import { LoadRefusedError } from '../../../../src/devtools/protocol/loadRefused';
import { BrowserLink } from '../../../../src/devtools/connection/link';
import type { ErrorReport } from '../../../../src/devtools/errors/errorReports';
import { WorkerDebuggers } from '../../../../src/devtools/workers/workerDebuggers';
import { WorkerWatch } from '../../../../src/devtools/workers/workers';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { argumentsOf, isCallOf } from '../../../support/calledInPage';
import { IN_MEMORY } from '../../../support/devToolsAddress';
import { TestClock } from '../../../support/testClock';

const ID = 'a'.repeat(32);

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const TEST_LIMIT_MS = 30_000;

/** What the page of chrome://extensions was asked about errors, in its order. */
function askedOfErrors({ received }: ScriptedBrowser): string[] {
  return received.flatMap(({ params: { expression } }) => {
    if (isCallOf(expression, watchErrorsOf)) return ['watch'];
    return isCallOf(expression, pauseErrorsOf) ? ['pause'] : [];
  });
}

describe('the connection to a browser', function () {
  this.timeout(TEST_LIMIT_MS);
  let browser: ScriptedBrowser;
  let clock: TestClock;
  let debuggers: WorkerDebuggers;
  let link: BrowserLink;
  /** What the connection has reported. */
  const reported: string[] = [];
  /** What pages say of their interface, in their order; the last one stays. */
  let states: string[];
  /** What the page answers to a reload. */
  let reloaded: unknown;
  /** What happens, in its order. */
  const acts: string[] = [];

  beforeEach(async () => {
    browser = new ScriptedBrowser();
    clock = new TestClock();
    debuggers = new WorkerDebuggers();
    reported.length = acts.length = 0;
    states = ['on'];
    reloaded = true;
    browser.onEvaluate((expression) => {
      if (isCallOf(expression, switchOnDeveloperMode)) {
        const state = states.length > 1 ? states.shift() : states[0];
        return state === 'silent' ? new Promise(() => undefined) : state;
      }
      if (isCallOf(expression, reloadExtension)) {
        acts.push('reload');
        return reloaded;
      }
      if (isCallOf(expression, loadsOf)) return 3;
      const [, isEnabled] = argumentsOf(expression, setExtensionEnabled) ?? [];
      if (isEnabled !== undefined) return isEnabled === true ? true : 'no';
      return null;
    });
    link = await browser.link(
      clock,
      {
        onLost: () => reported.push('lost'),
        onExtensions: () => reported.push('extensions'),
        onPages: () => reported.push('pages'),
      },
      debuggers,
    );
  });

  afterEach(() => {
    link.close();
  });

  /** A debugger of an extension's workers. */
  const debug = (extensionId: string): void => {
    debuggers.add({
      extensionId,
      pausedAt: () => undefined,
      isPagePaused: () => false,
      release: async () => {
        await clock.delay(100);
        acts.push(`released ${extensionId.slice(0, 1)}`);
      },
      restore: () => Promise.resolve(),
      untilReady: () => Promise.resolve(),
    });
  };

  /** The pages that were opened, by their addresses. */
  const pages = (): unknown[] =>
    browser.received.filter(({ method }) => method === 'Target.createTarget').map(({ params }) => params['url']);

  it('opens one hidden page, whatever is asked at once', async () => {
    const asked = Promise.all([link.prepare(), link.prepare(), link.loads(ID), link.reload(ID)]);
    assert.deepEqual(await clock.run(asked), [true, true, 3, true]);
    assert.deepEqual(pages(), ['chrome://extensions/strings.m.js']);
  });

  it('switches Developer mode on, without which a reload disables an extension for good', async () => {
    await clock.run(link.prepare());
    assert.ok(browser.received.some(({ params }) => isCallOf(params['expression'], switchOnDeveloperMode)));
  });

  it('is in Developer mode a trip before that page reports', async () => {
    let answer: ((value: null) => void) | undefined;
    browser.onEvaluate((expression) => {
      if (isCallOf(expression, switchOnDeveloperMode)) return 'on';
      return isCallOf(expression, countLoads) ? new Promise<null>((resolve) => (answer = resolve)) : null;
    });
    let isPrepared: boolean | undefined;
    void link.prepare().then((is) => (isPrepared = is));
    assert.equal(await clock.run(link.developerMode()), true);
    await clock.idle();
    assert.equal(isPrepared, undefined);
    answer?.(null);
    await clock.idle();
    assert.equal(isPrepared, true);
  });

  it('asks for Developer mode without waiting until it has attached to that page', async () => {
    browser.on('Target.attachToTarget', () => undefined);
    void link.prepare();
    await clock.idle();
    assert.ok(browser.received.some(({ params }) => isCallOf(params['expression'], switchOnDeveloperMode)));
  });

  it('keeps no second session with that page, and attaches to nothing else', async () => {
    browser.show('popup', `chrome-extension://${ID}/popup.html`, 'other');
    await clock.run(link.prepare());
    await link.connection.send('Target.createTarget', { url: `chrome-extension://${ID}/later.html`, hidden: true });
    await clock.idle();
    assert.equal(browser.sessions, 1);
  });

  it('leaves alone what others attach to before that page has its id', async () => {
    let answer: ((reply: object) => void) | undefined;
    browser.on('Target.createTarget', () => new Promise<object>((resolve) => (answer = resolve)));
    const preparing = link.prepare();
    const watch = await clock.run(WorkerWatch.begin(link.connection, undefined, clock));
    browser.attach('worker', `chrome-extension://${ID}/worker.js`, 'service_worker', true);
    browser.show('hidden', `chrome-extension://${ID}/manifest.json`, 'other');
    const session = await clock.run(attach(link.connection, 'hidden'));
    browser.show('page', 'chrome://extensions/strings.m.js', 'other');
    answer?.({ targetId: 'page' });
    assert.equal(await clock.run(preparing), true);
    const left = browser.received.flatMap(({ method, params }) =>
      method === 'Target.detachFromTarget' ? [params['sessionId']] : [],
    );
    assert.ok(session);
    assert.deepEqual(left, []);
    await watch.dispose();
  });

  it('has Developer mode on also in a browser that attaches to nothing by itself', async () => {
    browser.on('Target.setAutoAttach', () => new Error('Not supported'));
    assert.equal(await clock.run(link.prepare()), true);
  });

  it('goes on to report when only Developer mode was asked for', async () => {
    assert.equal(await clock.run(link.developerMode()), true);
    await clock.idle();
    assert.ok(browser.received.some(({ params }) => isCallOf(params['expression'], countLoads)));
  });

  it('does not look for another page where Developer mode is refused', async () => {
    states = ['refused'];
    assert.deepEqual(await clock.run(Promise.all([link.developerMode(), link.prepare()])), [false, false]);
    assert.ok(!browser.received.some(({ method }) => method === 'Page.navigate'));
  });

  it('waits for the interface of that page', async () => {
    states = ['loading', 'loading', 'on'];
    assert.equal(await clock.run(link.prepare()), true);
    assert.equal(clock.now(), 10);
  });

  it('asks that page again when it does not answer', async () => {
    states = ['silent', 'on'];
    assert.equal(await clock.run(link.prepare()), true);
    assert.equal(clock.now(), 1005);
  });

  it('opens the whole extensions page where there is no such script', async () => {
    states = ['none', 'loading', 'on'];
    assert.equal(await clock.run(link.prepare()), true);
    assert.ok(
      browser.received.some(
        ({ method, params }) => method === 'Page.navigate' && params['url'] === 'chrome://extensions',
      ),
    );
  });

  it('does without where there is none at all, and then reloads nothing', async () => {
    states = ['none'];
    assert.deepEqual(
      await clock.run(
        Promise.all([link.prepare(), link.reload(ID), link.loads(ID), link.setEnabled(ID, true), link.workers()]),
      ),
      [false, false, undefined, false, undefined],
    );
    assert.deepEqual(acts, []);
  });

  it('gives up a page that never has its interface after its limits', async () => {
    states = ['loading'];
    let outcome: boolean | undefined;
    void link.prepare().then((isPrepared) => (outcome = isPrepared));
    // 5 s for the script, and 5 s for the whole page.
    await clock.advance(9900);
    assert.equal(outcome, undefined);
    await clock.advance(200);
    assert.equal(outcome, false);
  });

  it('has the page that does not answer for long when it does, and lets nobody wait so long for it', async () => {
    states = ['silent'];
    let outcome: boolean | undefined;
    void link.prepare().then((isPrepared) => (outcome = isPrepared));
    void link.watchErrors(ID, { isPushed: true });
    await clock.advance(9900);
    assert.equal(outcome, undefined);
    await clock.advance(200);
    assert.equal(outcome, false);
    await clock.advance(30_000);
    states = ['on'];
    await clock.advance(1100);
    assert.deepEqual(await clock.run(Promise.all([link.prepare(), link.loads(ID)])), [true, 3]);
    assert.deepEqual(pages(), ['chrome://extensions/strings.m.js']);
    assert.ok(browser.received.some(({ params }) => isCallOf(params['expression'], watchErrorsOf)));
  });

  it('waits for no page once the connection is closed', async () => {
    states = ['silent'];
    let outcome: boolean | undefined;
    void link.prepare().then((isPrepared) => (outcome = isPrepared));
    await clock.advance(1500);
    link.close();
    await clock.advance(100);
    assert.equal(outcome, false);
  });

  it('releases the debugged workers of an extension before its reload, and those of no other', async () => {
    debug(ID);
    debug('b'.repeat(32));
    assert.equal(await clock.run(link.reload(ID)), true);
    assert.deepEqual(acts, ['released a', 'reload']);
  });

  it('tells why Chromium refuses a reload, and when it does not answer', async () => {
    reloaded = 'Manifest file is missing';
    await assert.rejects(clock.run(link.reload(ID)), (error) => {
      assert.ok(error instanceof LoadRefusedError);
      return error.chromium === 'Manifest file is missing';
    });
    reloaded = false;
    assert.equal(await clock.run(link.reload(ID)), false);
  });

  it('says whether an extension was enabled', async () => {
    assert.deepEqual(await clock.run(Promise.all([link.setEnabled(ID, true), link.setEnabled(ID, false)])), [
      true,
      false,
    ]);
  });

  it('reports loads of extensions, and nothing of other bindings', async () => {
    await clock.run(link.prepare());
    const page = browser.received.find(({ method }) => method === 'Runtime.addBinding')?.target;
    browser.event('Runtime.bindingCalled', { name: 'extensionsChanged', payload: '' }, page);
    browser.event('Runtime.bindingCalled', { name: 'other', payload: '' }, page);
    await clock.idle();
    assert.deepEqual(reported, ['extensions']);
  });

  it('reports that it was lost, once', async () => {
    assert.equal(link.isOpen, true);
    browser.lose();
    await clock.idle();
    assert.deepEqual([link.isOpen, ...reported], [false, 'lost']);
  });

  it('reports nothing after it was closed', async () => {
    browser.show('tab', 'https://example.com/');
    await clock.idle();
    link.close();
    await clock.advance(10_000);
    assert.deepEqual([link.isOpen, ...reported], [false]);
  });

  it('watches and pauses errors without failing where that does not work', async () => {
    await clock.run(Promise.all([link.watchErrors(ID, { isPushed: true }), link.pauseErrors(ID)]));
    const expressions = browser.received.map(({ params }) => params['expression']);
    const argumentsIn = (fn: (...args: never[]) => unknown): unknown[] =>
      expressions.flatMap((expression) => argumentsOf(expression, fn) ?? []);
    assert.deepEqual(argumentsIn(watchErrorsOf), [ID, true, false]);
    assert.deepEqual(argumentsIn(pauseErrorsOf), [ID]);
    browser.onEvaluate(() => new Error('there is no page any more'));
    await clock.run(Promise.all([link.watchErrors(ID, { isPushed: true }), link.pauseErrors(ID)]));
  });

  it('sends what was called about errors in its order when the page comes late', async () => {
    states = ['loading', 'on'];
    const [watch, pause] = [() => link.watchErrors(ID, { isPushed: true }), () => link.pauseErrors(ID)];
    await clock.run(Promise.all([pause(), watch(), pause(), watch()]));
    assert.deepEqual(askedOfErrors(browser), ['pause', 'watch', 'pause', 'watch']);
  });
});

describe('the errors of a connection whose inspectors come late', () => {
  const ORIGIN = `chrome-extension://${ID}`;
  let browser: ScriptedBrowser;
  let inspectors: ScriptedBrowser;
  let clock: TestClock;
  let link: BrowserLink;
  let reports: ErrorReport[];
  /** Opens the connection of the inspectors. */
  let openInspectors: () => void;

  beforeEach(async () => {
    browser = new ScriptedBrowser().onEvaluate((expression) =>
      isCallOf(expression, switchOnDeveloperMode) ? 'on' : null,
    );
    inspectors = new ScriptedBrowser();
    clock = new TestClock();
    reports = [];
    const late = new Promise<ScriptedBrowser>((resolve) => {
      openInspectors = (): void => resolve(inspectors);
    });
    const connections = [Promise.resolve(browser), late];
    const wiring = { open: () => connections.shift() ?? Promise.reject(new Error('a third connection')), clock };
    const events = { onErrors: (report: ErrorReport) => void reports.push(report) };
    link = await BrowserLink.open(IN_MEMORY, events, undefined, undefined, wiring);
  });

  afterEach(() => {
    link.close();
  });

  /** The page reports errors of the extension for the first time. */
  const reportFirst = (): void => {
    const page = browser.received.find(({ method }) => method === 'Runtime.addBinding')?.target;
    const payload = JSON.stringify({ extensionId: ID, isFirst: true, isOfPages: false, errors: [] });
    browser.event('Runtime.bindingCalled', { name: 'reportErrors', payload }, page);
  };

  /** An error of the extension in a tab. */
  const fail = async (text: string, timestamp: number): Promise<void> => {
    const description = `Error: ${text}\n    at ${ORIGIN}/content.js:3:9`;
    const args = [{ type: 'object', subtype: 'error', description }];
    inspectors.event('Runtime.consoleAPICalled', { type: 'error', args, executionContextId: 1, timestamp }, 'tab');
    await clock.idle();
  };

  it('are watched and paused in the order of the calls, and first reported with what the inspectors have seen', async () => {
    const watching = link.watchErrors(ID, { isPushed: true });
    await clock.idle();
    const pausing = link.pauseErrors(ID);
    const again = link.watchErrors(ID, { isPushed: true });
    await clock.idle();
    assert.deepEqual(askedOfErrors(browser), ['watch', 'pause', 'watch']);
    reportFirst();
    await clock.idle();
    assert.equal(reports.length, 0);
    openInspectors();
    await clock.run(Promise.all([watching, pausing, again]));
    assert.deepEqual(
      reports.map(({ isFirst, traces }) => [isFirst, traces.length]),
      [[true, 0]],
    );
  });

  describe('of an extension that was pushed before', () => {
    /** Called when its worker has repeated what it has thrown, and warned of, before the connection. */
    let onInspected: () => void;

    beforeEach(async () => {
      onInspected = (): void => undefined;
      inspectors.on('Runtime.enable', ({ target }) => {
        const event = { args: [{ type: 'string', value: 'at the start' }], executionContextId: 1 };
        const stackTrace = { callFrames: [{ url: `${ORIGIN}/worker.js`, lineNumber: 1, columnNumber: 2 }] };
        for (const [timestamp, type] of [[1, 'error'] as const, [2, 'warning'] as const]) {
          inspectors.event('Runtime.consoleAPICalled', { ...event, type, stackTrace, timestamp }, target);
        }
        onInspected();
        return {};
      });
      openInspectors();
      await clock.run(link.watchErrors(ID, { isPushed: false }));
      inspectors.show('worker', `${ORIGIN}/worker.js`, 'service_worker');
      await clock.idle();
    });

    /** What is reported as perhaps not listed. */
    const unsure = (): unknown[] =>
      reports.flatMap(({ isFirst, traces }) =>
        traces.filter(({ isListed }) => isListed === 'unsure').map(({ text, isWarning }) => [isFirst, text, isWarning]),
      );

    it('are also those of its worker that Chromium may not have recorded', async () => {
      reportFirst();
      await clock.idle();
      assert.deepEqual([reports[0]?.isFirst, reports[0]?.isAgain], [true, true]);
      assert.deepEqual(unsure(), [[false, 'at the start', false]]);
      reportFirst();
      await clock.idle();
      assert.deepEqual(
        reports.filter(({ isFirst }) => isFirst).map(({ isAgain }) => isAgain),
        [true, false],
      );
      assert.equal(unsure().length, 1);
    });

    it('are not those once it is pushed', async () => {
      reportFirst();
      // While its worker is asked.
      onInspected = (): void => void link.pauseErrors(ID);
      await clock.idle();
      assert.deepEqual([reports[0]?.isAgain, unsure()], [true, []]);
      await clock.run(link.watchErrors(ID, { isPushed: true }));
      reportFirst();
      await clock.idle();
      assert.equal(reports.at(-1)?.isAgain, false);
      assert.deepEqual(unsure(), []);
    });
  });

  it('are those since the last pause', async () => {
    openInspectors();
    await clock.run(link.watchErrors(ID, { isPushed: true }));
    inspectors.attach('tab', 'https://example.com/', 'page', false);
    await clock.idle();
    await fail('before', 1);
    void link.pauseErrors(ID);
    await fail('after', 2);
    reportFirst();
    await clock.idle();
    assert.deepEqual(
      reports.at(-1)?.traces.map(({ text }) => text),
      ['Error: after'],
    );
  });
});
