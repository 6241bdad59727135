import assert from 'node:assert/strict';
import { connectDevTools, type Connection } from '../../../../src/devtools/protocol/connect';
import { WorkerDebuggers } from '../../../../src/devtools/workers/workerDebuggers';
import { WorkerWatch } from '../../../../src/devtools/workers/workers';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { TestClock } from '../../../support/testClock';
import { IN_MEMORY } from '../../../support/devToolsAddress';

const ID = 'a'.repeat(32);
const URL = `chrome-extension://${ID}/worker.js`;
const RUN = 'Runtime.runIfWaitingForDebugger';

describe('a worker that starts', () => {
  let browser: ScriptedBrowser;
  let clock: TestClock;
  let connection: Connection;
  let watch: WorkerWatch;
  /** What the worker says of itself; undefined for no answer. */
  let state: string | undefined;

  beforeEach(async () => {
    browser = new ScriptedBrowser();
    clock = new TestClock();
    state = 'activated';
    browser.onEvaluate(() => state);
    connection = await connectDevTools(IN_MEMORY, undefined, undefined, () => Promise.resolve(browser));
  });

  afterEach(() => {
    connection.dispose();
  });

  const begin = async (debuggers?: WorkerDebuggers, mayRun?: Promise<void>): Promise<void> => {
    watch = await WorkerWatch.begin(connection, debuggers, clock, mayRun);
  };

  /** A worker starts, and waits for the debugger before its first statement. */
  const start = async (targetId = 'worker', url = URL): Promise<void> => {
    browser.attach(targetId, url, 'service_worker', true);
    await clock.idle();
  };

  const parsed = (hash: string): void => {
    browser.event('Debugger.scriptParsed', { scriptId: '1', url: URL, hash }, 'worker');
  };

  it('has ended when its target has crashed, though it answers nothing', async () => {
    state = undefined;
    await begin();
    await start();
    browser.event('Inspector.targetCrashed', {}, 'worker');
    assert.deepEqual(await clock.run(watch.started(ID)), { state: 'failed', faults: [] });
    assert.ok(clock.now() < 6000, `${clock.now()} ms`);
  });

  it('has failed with all lines of an error, as of a bundler that shows source text, without its stack', async () => {
    await begin();
    await start();
    const description = `SyntaxError: Unexpected token (1:2)\n\n> 1 | ((\n    at eval (${URL}:9:7)\n    at ${URL}:30:1`;
    const exceptionDetails = { text: 'Uncaught', url: URL, lineNumber: 8, columnNumber: 6, exception: { description } };
    browser.event('Runtime.exceptionThrown', { exceptionDetails }, 'worker');
    browser.event('Inspector.targetCrashed', {}, 'worker');
    const fault = { text: 'SyntaxError: Unexpected token (1:2)\n\n> 1 | ((', url: URL, line: 8, column: 6 };
    assert.deepEqual(await clock.run(watch.started(ID)), { state: 'failed', faults: [fault] });
  });

  it('may follow another one in the same target, and has only its own scripts and errors', async () => {
    state = undefined;
    await begin();
    await start();
    parsed('before');
    await clock.idle();
    state = 'activated';
    browser.event('Inspector.targetReloadedAfterCrash', {}, 'worker');
    parsed('after');
    await clock.idle();
    const started = await clock.run(watch.started(ID));
    assert.deepEqual(started.state === 'running' && started.scripts.map(({ hash }) => hash), ['after']);
    assert.equal(
      browser.methodsOf('worker').filter((method) => method === RUN).length,
      2,
      'The second one waits, too.',
    );
  });

  it('is asked again to run, and what it loads, when it is silent: both may be lost in the target of another one', async () => {
    state = undefined;
    await begin();
    await start();
    const starting = clock.run(watch.started(ID));
    await clock.advance(2500);
    const sent = browser.methodsOf('worker');
    assert.ok(sent.filter((method) => method === RUN).length > 1, sent.join());
    assert.ok(sent.lastIndexOf('Debugger.enable') < sent.lastIndexOf(RUN), sent.join());
    state = 'activated';
    parsed('late');
    const started = await starting;
    assert.deepEqual(started.state === 'running' && started.scripts.map(({ hash }) => hash), ['late']);
  });

  it('has no script when it answers for 5 s from its start, and none of its files has come', async () => {
    browser.onEvaluate((expression) => (expression === 'self.serviceWorker.state' ? 'parsed' : undefined));
    await begin();
    await start();
    assert.deepEqual(await clock.run(watch.started(ID)), { state: 'noScript' });
    assert.ok(clock.now() > 5000 && clock.now() < 9000, `${clock.now()} ms`);
  });

  it('has its time when one of its files has come, or it does not answer', async () => {
    await begin();
    for (const [says, hasScript, state] of [
      ['parsed', true, 'endless'],
      [undefined, true, 'endless'],
      [undefined, false, 'absent'],
    ] as const) {
      browser.onEvaluate((expression) => (expression === 'self.serviceWorker.state' ? says : undefined));
      watch.forget();
      const target = `worker ${says} ${hasScript}`;
      await start(target);
      if (hasScript) browser.event('Debugger.scriptParsed', { scriptId: '1', url: URL, hash: '' }, target);
      const began = clock.now();
      assert.deepEqual(await clock.run(watch.started(ID)), { state });
      assert.ok(clock.now() - began > 30_000, `${clock.now() - began} ms`);
    }
  });

  it('is looked for when none has come for a second: it may wait for a debugger that has left it', async () => {
    state = 'parsed';
    browser
      .onEvaluate((expression) =>
        expression === 'self.serviceWorker.state' || state === 'activated' ? state : undefined,
      )
      .on(RUN, () => {
        state = 'activated';
        return {};
      });
    await begin();
    browser.show('left', URL, 'service_worker');
    assert.equal((await clock.run(watch.started(ID))).state, 'running');
    assert.ok(clock.now() >= 1000 && clock.now() < 3000, `${clock.now()} ms`);
  });

  it('is not given up for one that is listed and has ended', async () => {
    state = undefined;
    browser.onEvaluate((_expression, { target }) => (target === 'ended' ? undefined : state));
    await begin();
    browser.show('ended', URL, 'service_worker');
    const starting = watch.started(ID);
    await clock.advance(1500);
    await start();
    await clock.advance(1500);
    state = 'activated';
    assert.equal((await clock.run(starting)).state, 'running');
    assert.ok(clock.now() < 6000, `${clock.now()} ms`);
  });

  it('is not taken for one of before, which runs', async () => {
    await begin();
    browser.show('before', URL, 'service_worker');
    assert.deepEqual(await clock.run(watch.started(ID)), { state: 'absent' });
    assert.ok(!browser.methodsOf('before').includes(RUN));
  });

  it('runs, and is asked, only when it may', async () => {
    let allow: () => void = () => undefined;
    await begin(undefined, new Promise<void>((resolve) => (allow = resolve)));
    await start();
    let isDone = false;
    const starting = watch.started(ID).finally(() => (isDone = true));
    await clock.advance(5000);
    const sent = browser.methodsOf('worker');
    assert.deepEqual([sent.includes(RUN), sent.includes('Runtime.evaluate'), isDone], [false, false, false]);
    allow();
    assert.equal((await clock.run(starting)).state, 'running');
    assert.ok(browser.methodsOf('worker').includes(RUN));
  });

  it('is not left before it has acknowledged that it runs, since it would wait for good', async () => {
    browser.on(RUN, async () => {
      await clock.delay(3000);
      return {};
    });
    await begin();
    await start();
    void watch.dispose();
    await clock.advance(2900);
    assert.equal(browser.sessions, 1);
    await clock.advance(200);
    assert.equal(browser.sessions, 0);
  });

  describe('in a browser with a debugger', () => {
    /** The target of the worker that the debugger has paused. */
    let paused: string | undefined;
    let debuggers: WorkerDebuggers;

    beforeEach(() => {
      paused = undefined;
      debuggers = new WorkerDebuggers();
      debuggers.add({
        extensionId: ID,
        pausedAt: (targetId) => (targetId === paused ? 'worker.js:1:1' : undefined),
        isPagePaused: () => false,
        release: () => Promise.resolve(),
        restore: () => Promise.resolve(),
        untilReady: () => Promise.resolve(),
      });
    });

    it('is let run by that alone, when its breakpoints are set', async () => {
      await begin(debuggers);
      await start();
      assert.ok(!browser.methodsOf('worker').includes(RUN), browser.methodsOf('worker').join());
      await watch.dispose();
      assert.equal(browser.sessions, 0);
    });

    it('is let run by that alone also when it is another one’s, or comes late', async () => {
      await begin(debuggers);
      await start('site', 'https://example.com/worker.js');
      await watch.dispose();
      await start('late');
      for (const target of ['site', 'late']) assert.deepEqual(browser.methodsOf(target), []);
      assert.equal(browser.sessions, 0);
    });

    it('counts as paused where it is paused itself, and not where another one is', async () => {
      paused = 'another';
      await begin(debuggers);
      await start();
      assert.equal((await clock.run(watch.started(ID))).state, 'running');
      paused = 'worker';
      assert.deepEqual(await clock.run(watch.started(ID)), { state: 'paused', scripts: [], at: 'worker.js:1:1' });
    });
  });
});
