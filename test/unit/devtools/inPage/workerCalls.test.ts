import assert from 'node:assert/strict';
import { decidedState, listensTo } from '../../../../src/devtools/inPage/workerCalls';
import { FakeEvent, FakePage } from '../../../support/fakePage';

describe('a worker', () => {
  let state: string;
  let changed: () => void;
  /** What the extension API answers, in its order; the last one stays. */
  let answers: (() => Promise<unknown>)[];
  let page: FakePage;

  beforeEach(() => {
    state = 'installing';
    answers = [() => Promise.resolve({})];
    const serviceWorker = {
      get state() {
        return state;
      },
      addEventListener: (_event: string, listener: () => void) => {
        changed = listener;
      },
    };
    const getPlatformInfo = (): Promise<unknown> =>
      (answers.length > 1 ? answers.shift() : answers[0])?.() ?? Promise.resolve();
    page = new FakePage({ serviceWorker, chrome: { runtime: { getPlatformInfo } } });
  });

  const refuse = (message: string) => (): Promise<unknown> => Promise.reject(new Error(message));

  it('tells its state when it is decided, not before', async () => {
    let told: unknown;
    const deciding = page.call(decidedState, 500).then((value) => (told = value));
    await page.clock.idle();
    state = 'activating';
    changed();
    await page.clock.idle();
    assert.equal(told, undefined);
    state = 'activated';
    changed();
    assert.equal(await deciding, 'activated');
  });

  it('tells a state that is decided already', async () => {
    state = 'activated';
    assert.equal(await page.call(decidedState, 500), 'activated');
    state = 'redundant';
    assert.equal(await page.call(decidedState, 500), 'redundant');
  });

  it('has a state also where the extension has no API, or has replaced it', async () => {
    state = 'activated';
    answers = [refuse('my own')];
    assert.equal(await page.call(decidedState, 500), 'activated');
    const serviceWorker = { state, addEventListener: () => undefined };
    assert.equal(await new FakePage({ serviceWorker }).call(decidedState, 500), 'activated');
  });

  it('is asked again while Chromium refuses its calls, up to a limit', async () => {
    state = 'activated';
    answers = [refuse('No SW'), refuse('No SW'), () => Promise.resolve({})];
    assert.equal(await page.clock.run(page.call(decidedState, 500)), 'activated');
    assert.equal(page.clock.now(), 10);
    answers = [refuse('No SW')];
    assert.equal(await page.clock.run(page.call(decidedState, 500)), 'apiRefused');
    assert.equal(page.clock.now(), 510);
  });

  it('tells which events of tabs it listens to', async () => {
    const [onCreated, onUpdated] = [new FakeEvent(), new FakeEvent()];
    onUpdated.addListener(() => undefined);
    const worker = new FakePage({ chrome: { tabs: { onCreated, onUpdated } } });
    assert.deepEqual(await worker.call(listensTo, ['onCreated', 'onUpdated', 'onRemoved']), [false, true, false]);
    assert.deepEqual(await new FakePage({}).call(listensTo, ['onCreated']), [false]);
  });
});
