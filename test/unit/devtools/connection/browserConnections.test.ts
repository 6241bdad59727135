import assert from 'node:assert/strict';
import { BrowserConnections } from '../../../../src/devtools/connection/browserConnections';
import { DevToolsError } from '../../../../src/devtools/protocol/connect';
import { parseBaseUrl } from '../../../../src/service/serviceAddress';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { TestClock } from '../../../support/testClock';
import { REPLAYED } from '../../../transcripts/replayScenario';

const SERVICE = parseBaseUrl('http://127.0.0.1:1');

describe('a connection that is lost by a restart', () => {
  let clock: TestClock;
  let browser: ScriptedBrowser;
  let browsers: BrowserConnections;
  /** How many times a connection was asked for. */
  let opened: number;
  /** Whether the browser is not there yet. */
  let isAway: boolean;

  beforeEach(async () => {
    clock = new TestClock();
    browser = new ScriptedBrowser().onEvaluate(() => 'there');
    opened = 0;
    isAway = false;
    const open = async (): Promise<ScriptedBrowser> => {
      opened += 1;
      await clock.delay(1000);
      if (isAway) throw new DevToolsError('no answer');
      return browser;
    };
    browsers = new BrowserConnections(SERVICE, () => Infinity, {}, { open, clock });
    await use();
  });

  afterEach(() => {
    browsers.dispose();
  });

  const use = (): Promise<void> => clock.run(browsers.use(REPLAYED, () => Promise.resolve()));

  it('is opened again at once, and the next use waits for that', async () => {
    const stop = browsers.reopenWhenLost(REPLAYED);
    assert.equal(opened, 1);
    browser.lose();
    await clock.idle();
    assert.equal(opened, 2);
    stop();
    await use();
    assert.equal(opened, 2);
    assert.equal(clock.now(), 2000);
  });

  it('is opened by the next use, where the browser was not there yet', async () => {
    browsers.reopenWhenLost(REPLAYED);
    isAway = true;
    browser.lose();
    await clock.advance(900);
    const using = browsers.use(REPLAYED, () => Promise.resolve());
    await clock.advance(200);
    isAway = false;
    await clock.run(using);
    assert.deepEqual([opened, browsers.isOpen(REPLAYED.id)], [3, true]);
  });

  it('is opened by the next use alone, when nobody has asked for that, or for once', async () => {
    browsers.reopenWhenLost(REPLAYED)();
    browser.lose();
    await clock.idle();
    assert.equal(opened, 1);
    await use();
    browsers.reopenWhenLost(REPLAYED);
    browser.lose();
    await use();
    browser.lose();
    await clock.idle();
    assert.equal(opened, 3);
  });

  it('stays closed when this end has closed it', async () => {
    browsers.reopenWhenLost(REPLAYED);
    browsers.close(REPLAYED);
    await clock.idle();
    assert.equal(opened, 1);
  });
});

describe('a connection that several wait for', () => {
  it('is opened for the others when the one that began with it is cancelled', async () => {
    const clock = new TestClock();
    const browser = new ScriptedBrowser().onEvaluate(() => 'there');
    const open = async (_address: unknown, signal?: AbortSignal): Promise<ScriptedBrowser> => {
      await clock.delay(1000, { signal });
      return browser;
    };
    const browsers = new BrowserConnections(SERVICE, () => Infinity, {}, { open, clock });
    const abort = new AbortController();
    const use = (signal?: AbortSignal): Promise<string> =>
      browsers.use(REPLAYED, () => Promise.resolve('used'), signal).catch(String);
    const first = use(abort.signal);
    const [second, third] = [use(), use(new AbortController().signal)];
    await clock.advance(500);
    abort.abort(new Error('cancelled'));
    assert.equal(await clock.run(first), 'Error: cancelled');
    assert.deepEqual(await clock.run(Promise.all([second, third])), ['used', 'used']);
    assert.equal(clock.now(), 1500);
    browsers.dispose();
  });
});
