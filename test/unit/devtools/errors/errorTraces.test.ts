import assert from 'node:assert/strict';
import type { ErrorTrace } from '../../../../src/devtools/errors/errorTrace';
import { ErrorTraces } from '../../../../src/devtools/errors/errorTraces';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { TestClock } from '../../../support/testClock';
import { IN_MEMORY } from '../../../support/devToolsAddress';

const ID = 'abcdefghijklmnopabcdefghijklmnop';
const ORIGIN = `chrome-extension://${ID}`;
const SITE = 'https://example.com/';

interface Stage {
  browser: ScriptedBrowser;
  clock: TestClock;
  traces: ErrorTraces;
  seen: ErrorTrace[];
}

async function open(): Promise<Stage> {
  const browser = new ScriptedBrowser();
  const clock = new TestClock();
  const seen: ErrorTrace[] = [];
  const wiring = { open: () => Promise.resolve(browser), clock };
  const traces = await clock.run(ErrorTraces.open(IN_MEMORY, (trace) => void seen.push(trace), wiring));
  return { browser, clock, traces, seen };
}

/** An error of the extension that a page or worker reports, at this time. */
function callAt(timestamp: number, file = 'content.js'): object {
  const description = `Error: at ${timestamp}\n    at ${ORIGIN}/${file}:3:9`;
  return { type: 'error', args: [{ type: 'object', subtype: 'error', description }], executionContextId: 1, timestamp };
}

const CALLED = 'Runtime.consoleAPICalled';

describe('the inspectors of a browser', () => {
  it('of pages are listened to while these live', async () => {
    const { browser, clock, seen, traces } = await open();
    browser.attach('tab', SITE, 'page', false);
    await clock.advance(0);
    assert.deepEqual(browser.methodsOf('tab'), ['Target.setAutoAttach', 'Runtime.enable']);
    browser.event(CALLED, callAt(1), 'tab');
    browser.event(CALLED, callAt(2), 'tab');
    await clock.advance(0);
    assert.deepEqual(
      seen.map(({ text }) => text),
      ['Error: at 1', 'Error: at 2'],
    );
    assert.equal(browser.sessions, 1);
    assert.equal(traces.since(ID).length, 2);
    traces.forget(ID);
    assert.deepEqual(traces.since(ID), []);
  });

  it('of workers are asked when one has failed, and let go, so that it may fall asleep; what was read is not read again', async () => {
    const { browser, clock, seen, traces } = await open();
    browser.show('worker', `${ORIGIN}/worker.js`, 'service_worker');
    await clock.idle();
    const kept = [callAt(1, 'worker.js')];
    browser.on('Runtime.enable', () => {
      for (const event of kept) browser.event(CALLED, event, 'worker');
      return {};
    });
    await clock.run(traces.inspectWorkers(ID));
    assert.equal(browser.sessions, 0);
    kept.push(callAt(2, 'worker.js'));
    await clock.run(traces.inspectWorkers(ID));
    assert.deepEqual(
      seen.map(({ text, isListed }) => [text, isListed]),
      [
        ['Error: at 1', true],
        ['Error: at 2', true],
      ],
    );
    assert.equal(browser.sessions, 0);
  });

  it('of workers are asked though one that has ended is listed before them, and does not answer', async () => {
    const { browser, clock, seen, traces } = await open();
    browser.show('ended', `${ORIGIN}/worker.js`, 'service_worker');
    browser.show('worker', `${ORIGIN}/worker.js`, 'service_worker');
    await clock.idle();
    browser.on('Runtime.enable', ({ target }) => {
      if (target === 'ended') return undefined;
      browser.event(CALLED, callAt(1, 'worker.js'), 'worker');
      return {};
    });
    const inspecting = traces.inspectWorkers(ID);
    await clock.advance(0);
    assert.deepEqual(
      seen.map(({ text }) => text),
      ['Error: at 1'],
    );
    await clock.run(inspecting);
    assert.equal(browser.sessions, 0);
  });

  it('of popups are asked now and then, as an attached popup would not close', async () => {
    const { browser, clock, seen } = await open();
    browser.on('Runtime.enable', () => {
      browser.event(CALLED, callAt(1, 'popup.js'), 'popup');
      return {};
    });
    browser.attach('popup', `${ORIGIN}/popup.html`, 'other', false);
    await clock.advance(0);
    assert.equal(browser.sessions, 0);
    await clock.advance(400);
    assert.equal(seen.length, 1);
    assert.equal(browser.sessions, 0);
    browser.remove('popup');
    const before = browser.received.length;
    await clock.advance(20_000);
    assert.equal(browser.received.length, before);
  });

  it('of the browser itself and of hidden pages are left alone', async () => {
    const { browser, clock } = await open();
    browser.attach('settings', 'chrome://settings/', 'page', false);
    browser.attach('hidden', `${ORIGIN}/manifest.json?sideload`, 'page', false);
    await clock.advance(10_000);
    assert.equal(browser.sessions, 0);
    assert.equal(browser.received.filter(({ method }) => method === 'Runtime.enable').length, 0);
  });

  it('in a storm are read up to a limit', async () => {
    const { browser, clock, seen } = await open();
    browser.attach('tab', SITE, 'page', false);
    for (let at = 1; at <= 500; at += 1) browser.event(CALLED, callAt(at), 'tab');
    await clock.advance(0);
    assert.equal(seen.length, 50);
  });
});
