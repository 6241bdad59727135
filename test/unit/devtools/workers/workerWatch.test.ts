import assert from 'node:assert/strict';
import { type Connection, connectDevTools } from '../../../../src/devtools/protocol/connect';
import type { MessageTransport } from '../../../../src/devtools/protocol/webSocket';
import { WorkerWatch } from '../../../../src/devtools/workers/workers';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { TestClock } from '../../../support/testClock';
import { IN_MEMORY } from '../../../support/devToolsAddress';

const [OURS, OTHERS] = ['a'.repeat(32), 'b'.repeat(32)];

type Command = Readonly<{ id: number; method: string; sessionId?: string; params?: { awaitPromise?: boolean } }>;

/** A browser in memory whose workers are attached to when the test says so, and say of themselves what it says. */
class Browser implements MessageTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  readonly #states = new Map<string, string>();
  /** Answers what a worker says only after a while. */
  decideLate: ((answer: (value: string) => void) => void) | undefined;

  /** The session of a worker that does not acknowledge that it runs. */
  silent: string | undefined;

  /** A worker starts, and is attached to before its first statement. */
  start(sessionId: string, extension: string, state: 'activated' | 'redundant' | 'starting'): void {
    this.#states.set(sessionId, state);
    const url = `chrome-extension://${extension}/worker.js`;
    const targetInfo = { targetId: `target of ${sessionId}`, type: 'service_worker', url, title: '', attached: true };
    this.#tell({
      method: 'Target.attachedToTarget',
      params: { sessionId, targetInfo, waitingForDebugger: true },
    });
    const script = { scriptId: '1', url, hash: sessionId };
    this.#tell({ method: 'Debugger.scriptParsed', params: script, sessionId });
  }

  send(message: string): void {
    const { id, method, sessionId, params } = JSON.parse(message) as Command;
    const answer = (value = this.#states.get(sessionId ?? '')): void => {
      const result = method === 'Runtime.evaluate' ? { result: { type: 'string', value } } : {};
      this.#tell({ id, result, ...(sessionId !== undefined && { sessionId }) });
    };
    if (method === 'Runtime.runIfWaitingForDebugger' && sessionId === this.silent) return;
    if (params?.awaitPromise && this.decideLate) this.decideLate(answer);
    else answer();
  }

  ping(): void {
    this.#tell({});
  }

  close(): void {
    this.onclose?.();
  }

  #tell(message: object): void {
    setImmediate(() => this.onmessage?.(JSON.stringify(message)));
  }
}

describe('the watch of starting workers', () => {
  let browser: Browser;
  let clock: TestClock;
  let watch: WorkerWatch;

  beforeEach(async () => {
    browser = new Browser();
    clock = new TestClock();
    const connection = await connectDevTools(IN_MEMORY, undefined, undefined, () => Promise.resolve(browser));
    watch = await WorkerWatch.begin(connection, undefined, clock);
  });

  afterEach(() => {
    void watch.dispose();
    browser.close();
  });

  /** How the worker of the extension under test has started, and which of the workers that was. */
  async function started(): Promise<[string, string | undefined]> {
    const start = await clock.run(watch.started(OURS));
    return [start.state, start.state === 'running' ? start.scripts[0]?.hash : undefined];
  }

  it('sees the worker of the extension', async () => {
    browser.start('ours', OURS, 'activated');
    assert.deepEqual(await started(), ['running', 'ours']);
  });

  it('asks a worker to the end that is activated so late that its calls of the API are not decided yet', async () => {
    browser.decideLate = (answer) =>
      clock.after(1400, () => {
        answer('apiRefused');
      });
    browser.start('ours', OURS, 'activated');
    assert.deepEqual(await started(), ['apiRefused', undefined]);
  });

  it('takes a worker for running that is activated and resolves no promise: a debugger has paused it', async () => {
    browser.decideLate = () => undefined;
    browser.start('ours', OURS, 'activated');
    assert.deepEqual(await started(), ['running', 'ours']);
  });

  it('never takes the worker of another extension for it', async () => {
    browser.start('others', OTHERS, 'activated');
    assert.deepEqual(await started(), ['absent', undefined]);
    assert.ok(clock.now() >= 10_000, `${clock.now()} ms`);
  });

  it('waits for a worker that has appeared and is activated after more than ten seconds', async () => {
    let isActivated = false;
    clock.after(20_000, () => (isActivated = true));
    browser.decideLate = (answer) => {
      if (isActivated) answer('activated');
    };
    browser.start('ours', OURS, 'starting');
    assert.deepEqual(await started(), ['running', 'ours']);
    assert.ok(clock.now() >= 20_000, `${clock.now()} ms`);
  });

  it('waits for the successor of a worker that the reload has ended', async () => {
    browser.start('before', OURS, 'redundant');
    clock.after(3000, () => {
      browser.start('after', OURS, 'activated');
    });
    assert.deepEqual(await started(), ['running', 'after']);
  });

  it('does not wait at its end for a worker that has a successor, and acknowledges nothing', async () => {
    browser.silent = 'before';
    browser.start('before', OURS, 'redundant');
    await clock.idle();
    browser.start('after', OURS, 'activated');
    assert.deepEqual(await started(), ['running', 'after']);
    const before = clock.now();
    await clock.run(watch.dispose());
    assert.ok(clock.now() - before < 1000, `${clock.now() - before} ms`);
  });

  it('does not count workers from before the reload', async () => {
    browser.start('before', OURS, 'activated');
    await clock.run(clock.delay(100));
    watch.forget();
    clock.after(200, () => {
      browser.start('after', OURS, 'activated');
    });
    assert.deepEqual(await started(), ['running', 'after']);
  });

  it('sees the workers of several extensions as soon as each appears', async () => {
    const starting = Promise.all([OURS, OTHERS].map((id) => watch.started(id)));
    await clock.idle();
    browser.start('ours', OURS, 'activated');
    browser.start('others', OTHERS, 'activated');
    const starts = await clock.run(starting);
    assert.deepEqual([starts.map(({ state }) => state), clock.now()], [['running', 'running'], 0]);
  });

  it('fails when the connection is lost', async () => {
    const starting = clock.run(watch.started(OURS));
    setImmediate(() => {
      browser.close();
    });
    await assert.rejects(starting, { name: 'DevToolsError' });
  });
});

describe('the end of a watch', () => {
  let browser: ScriptedBrowser;
  let clock: TestClock;
  let watch: WorkerWatch;

  beforeEach(async () => {
    browser = new ScriptedBrowser();
    clock = new TestClock();
    const connection = await connectDevTools(IN_MEMORY, undefined, undefined, () => Promise.resolve(browser));
    watch = await WorkerWatch.begin(connection, undefined, clock);
    await watch.dispose();
  });

  const start = async (isWaiting = true): Promise<string[]> => {
    browser.attach('late', `chrome-extension://${OURS}/worker.js`, 'service_worker', isWaiting);
    await clock.idle();
    return browser.methodsOf('late');
  };

  /** Whether workers are attached to, by the last command about it. */
  const isAttaching = (): unknown =>
    browser.received.findLast(({ method }) => method === 'Target.setAutoAttach')?.params['autoAttach'];

  it('pauses no further worker, and lets one run that was started while it lasted', async () => {
    const last = browser.received.findLast(({ method }) => method === 'Target.setAutoAttach');
    assert.equal(last?.params['waitForDebuggerOnStart'], false);
    await clock.advance(2900);
    assert.deepEqual(await start(), ['Runtime.runIfWaitingForDebugger']);
    assert.equal(browser.sessions, 0, 'it is still attached to');
    assert.equal(isAttaching(), true);
  });

  it('does not leave a worker before it has acknowledged that it runs, which would wait for good', async () => {
    browser.on('Runtime.runIfWaitingForDebugger', async () => {
      await clock.delay(3000);
      return {};
    });
    await start();
    await clock.advance(2900);
    assert.equal(browser.sessions, 1);
    await clock.advance(200);
    assert.equal(browser.sessions, 0, 'it is still attached to');
  });

  it('leaves a worker that has ended, which acknowledges nothing', async () => {
    browser.on('Runtime.runIfWaitingForDebugger', () => undefined);
    await start();
    assert.equal(browser.sessions, 1);
    browser.event('Inspector.targetCrashed', {}, 'late');
    await clock.idle();
    assert.equal(browser.sessions, 0, 'it is still attached to');
  });

  it('leaves a worker at once that runs already, and never lets one run that waits for somebody else', async () => {
    assert.deepEqual(await start(false), []);
    assert.equal(browser.sessions, 0);
  });

  it('is let run also nine seconds later; after ten, nothing is attached to', async () => {
    await clock.advance(9000);
    assert.equal(isAttaching(), true);
    await clock.advance(1000);
    assert.equal(isAttaching(), false);
    assert.deepEqual(await start(), []);
  });

  it('leaves it to a newer watch on the same connection', async () => {
    // That of the watch on the other connection.
    await clock.advance(10_000);
    const connection = await connectDevTools(IN_MEMORY, undefined, undefined, () => Promise.resolve(browser));
    const first = await WorkerWatch.begin(connection, undefined, clock);
    const second = await WorkerWatch.begin(connection, undefined, clock);
    await first.dispose();
    await clock.advance(8000);
    const third = await WorkerWatch.begin(connection, undefined, clock);
    await clock.advance(2500);
    assert.equal(isAttaching(), true, 'The end of an earlier watch ends a later one.');
    await Promise.all([second.dispose(), third.dispose()]);
  });
});

describe('two watches on one connection', () => {
  let browser: ScriptedBrowser;
  let clock: TestClock;
  let connection: Connection;
  let first: WorkerWatch;
  let second: WorkerWatch;

  beforeEach(async () => {
    browser = new ScriptedBrowser().onEvaluate(() => 'activated');
    clock = new TestClock();
    connection = await connectDevTools(IN_MEMORY, undefined, undefined, () => Promise.resolve(browser));
    first = await WorkerWatch.begin(connection, undefined, clock);
    second = await WorkerWatch.begin(connection, undefined, clock);
  });

  afterEach(async () => {
    await Promise.all([first.dispose(), second.dispose()]);
    browser.close();
  });

  /** What the browser was last told of new workers. */
  const told = (): Readonly<Record<string, unknown>> =>
    browser.received.findLast(({ method }) => method === 'Target.setAutoAttach')?.params ?? {};

  /** A worker starts, which is paused if the browser was told so. */
  const start = (targetId: string): void => {
    const isPaused = told()['waitForDebuggerOnStart'] === true;
    browser.attach(targetId, `chrome-extension://${OURS}/worker.js`, 'service_worker', isPaused);
  };

  it('leaves workers to the newer one when the older one ends', async () => {
    await clock.run(first.dispose());
    start('worker');
    assert.equal((await clock.run(second.started(OURS))).state, 'running');
  });

  it('lets the workers of the older one run at its end, and detaches from them', async () => {
    await clock.run(second.dispose());
    start('worker');
    await clock.idle();
    const third = await WorkerWatch.begin(connection, undefined, clock);
    await clock.run(first.dispose());
    assert.ok(browser.methodsOf('worker').includes('Runtime.runIfWaitingForDebugger'));
    assert.deepEqual([browser.sessions, told()['waitForDebuggerOnStart']], [0, true]);
    await third.dispose();
  });

  it('leaves workers to the older one again when the newer one ends before', async () => {
    await clock.run(second.dispose());
    // After the time in which late workers of the newer one were let run.
    await clock.advance(10_000);
    start('worker');
    assert.equal((await clock.run(first.started(OURS))).state, 'running');
    await clock.run(first.dispose());
    assert.deepEqual([told()['autoAttach'], told()['waitForDebuggerOnStart']], [true, false]);
    await clock.advance(10_000);
    assert.equal(told()['autoAttach'], false);
  });
});
