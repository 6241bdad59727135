import assert from 'node:assert/strict';
import { Bridge } from '../../../src/bridge/bridge';
import { fieldOf, listField } from '../../../src/base/fields';
import { ScriptedBrowser } from '../../standins/scriptedBrowser';
import { IN_MEMORY } from '../../support/devToolsAddress';
import { TestClock } from '../../support/testClock';

describe('a bridge', () => {
  let clock: TestClock;
  let browser: ScriptedBrowser;
  let bridge: Bridge;

  beforeEach(async () => {
    clock = new TestClock();
    browser = new ScriptedBrowser();
    bridge = await Bridge.start(
      {
        address: () => Promise.resolve(IN_MEMORY),
        ports: [5173],
        extensionIds: [],
        log: { debug: () => undefined },
      },
      { open: () => Promise.resolve(browser), clock },
    );
  });

  afterEach(() => {
    bridge.close();
  });

  /** The addresses that the browser asks for, as it was told last. */
  const asked = (): unknown => {
    const enabled = browser.received.findLast(
      ({ method, target }) => method === 'Fetch.enable' && target === undefined,
    );
    return listField(enabled?.params, 'patterns').map((pattern) => fieldOf(pattern, 'urlPattern'));
  };

  it('answers other ports at once', async () => {
    assert.deepEqual(asked(), ['http://localhost:5173/*', 'http://127.0.0.1:5173/*']);
    await bridge.update({ ports: [80] });
    assert.deepEqual(asked(), ['http://localhost/*', 'http://127.0.0.1/*']);
  });

  it('answers ports that were set while it connected again', async () => {
    let answer = (): void => assert.fail('the browser is asked');
    browser.on('Fetch.enable', () => new Promise((resolve) => (answer = () => resolve({}))));
    browser.lose();
    await clock.advance(300);
    assert.equal(bridge.isConnected, false);
    await bridge.update({ ports: [8080] });
    browser.on('Fetch.enable', () => ({}));
    answer();
    await clock.idle();
    assert.equal(bridge.isConnected, true);
    assert.deepEqual(asked(), ['http://localhost:8080/*', 'http://127.0.0.1:8080/*']);
  });
});
