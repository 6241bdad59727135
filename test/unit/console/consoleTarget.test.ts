import assert from 'node:assert/strict';
import type { ConsoleMessage } from '../../../src/console/consoleLine';
import { ConsoleTarget } from '../../../src/console/consoleTarget';
import type { BrowserLink } from '../../../src/devtools/connection/link';
import { attach } from '../../../src/devtools/protocol/attach';
import { ScriptedBrowser } from '../../standins/scriptedBrowser';
import { TestClock } from '../../support/testClock';

const ID = 'a'.repeat(32);
const WORKER = 'worker';
const URL_OF_WORKER = `chrome-extension://${ID}/worker.js`;

/** How far the clock of the browser may be off, in milliseconds. */
const OFF_MS = 60_000;

describe('a target of the console', () => {
  /** How far it is ahead. */
  let aheadMs = -OFF_MS;
  let browser: ScriptedBrowser;
  let link: BrowserLink;
  let clock: TestClock;
  let messages: ConsoleMessage[];
  let target: ConsoleTarget;

  /** The worker writes a text, or ends a group. */
  const write = (text: string, type = 'log'): void => {
    browser.event(
      'Runtime.consoleAPICalled',
      {
        type,
        args: [{ type: 'string', value: text }],
        executionContextId: 1,
        timestamp: Date.now() + aheadMs + messages.length,
      },
      WORKER,
    );
  };
  const texts = (): string[] => messages.map(({ read }) => read().text);

  beforeEach(async () => {
    clock = new TestClock();
    messages = [];
    browser = new ScriptedBrowser();
    browser.on('Runtime.enable', () => {
      const context = { id: 1, origin: `chrome-extension://${ID}`, name: '', auxData: {} };
      browser.event('Runtime.executionContextCreated', { context }, WORKER);
      write('before');
      return {};
    });
    link = await browser.link(clock);
    browser.show(WORKER, URL_OF_WORKER, 'service_worker');
    const session = await attach(link.connection, WORKER);
    assert.ok(session);
    target = new ConsoleTarget(
      session,
      {
        targetId: WORKER,
        type: 'service_worker',
        url: URL_OF_WORKER,
        title: '',
        attached: true,
        canAccessOpener: false,
      },
      {
        extensionId: ID,
        pageName: () => undefined,
        push: (message) => messages.push(message),
        addDropped: () => undefined,
        shown: new Map(),
      },
    );
    target.enable();
    await clock.idle();
  });

  afterEach(() => {
    link.close();
  });

  const showsEarlierAlone = async (): Promise<void> => {
    write('now');
    await clock.idle();
    assert.deepEqual(
      messages.map(({ isEarlier }) => isEarlier),
      [true, false],
    );
  };

  it(
    'shows the time of what was written before alone, also where the clock of the browser is behind',
    showsEarlierAlone,
  );

  describe('whose browser has a clock that is ahead', () => {
    before(() => (aheadMs = OFF_MS));
    after(() => (aheadMs = -OFF_MS));

    it('shows the time of what was written before alone', showsEarlierAlone);
  });

  it('writes all lines, also after a group was ended that was not begun', async () => {
    write('', 'endGroup');
    write('one');
    write('group', 'startGroup');
    write('two');
    write('', 'endGroup');
    write('', 'endGroup');
    write('three');
    await clock.idle();
    assert.deepEqual(texts(), ['before', 'one', 'group', '  two', 'three']);
  });
});
