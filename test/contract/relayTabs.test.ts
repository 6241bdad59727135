import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Relay } from '../../src/debugger/relay';
import { SourceLocations } from '../../src/console/sourceLocations';
import { eventually } from '../support/eventually';
import { type Site, startSite } from '../standins/site';
import { DevTools, type Target } from './devtools';
import { ExtensionStage } from './extensionStage';
import { RelayClient } from './relay.client';
import { addressOf } from '../support/devToolsAddress';

/** How long the debugger takes to have a session for a tab, in milliseconds: longer than a page takes to run. */
const SESSION_MS = 400;

/** How often each way is tried: once, or as often as this environment variable says. */
const TIMES = Number(process.env['SIDELOAD_TEST_TABS'] ?? '1');

/** How long one try may take, in milliseconds. */
const TRY_LIMIT_MS = 30_000;

/** How often a tab is left, and when before or after the debugger begins with it, in milliseconds: about when it lets it run. */
const LEAVES = 8;
const FIRST_LEAVE_MS = -20;
const LEAVE_STEP_MS = 15;

/** How long a page may take to load, in milliseconds. */
const LOAD_LIMIT_MS = 15_000;

const OPENER =
  '<title>Site</title><a id="own" target="_blank" rel="opener" href="/opened">a</a><a id="free" target="_blank" href="/opened">b</a>';

describe('the first statements of content scripts in a tab that is opened', function () {
  this.timeout(60_000 + TIMES * TRY_LIMIT_MS);
  let stage: ExtensionStage;
  let site: Site;
  let id: string;
  let relay: Relay;
  let client: RelayClient;
  let devtools: DevTools;
  let opener: Target;

  before(async () => {
    stage = await ExtensionStage.start();
    site = await startSite(OPENER);
    const run = { matches: ['http://127.0.0.1/opened*'], run_at: 'document_start' };
    const content_scripts = [
      { ...run, js: ['own.js'] },
      { ...run, js: ['main.js'], world: 'MAIN' },
    ];
    ({ id } = await stage.load(
      { permissions: ['tabs', 'sessions'], content_scripts },
      'globalThis.first = 1;',
      undefined,
      {
        'own.js': 'globalThis.own = 1;\n',
        'main.js': 'globalThis.main = 1;\n',
        'page.html': '<!doctype html><title>Page</title>',
      },
    ));
    const { devToolsUrl } = await stage.client.getBrowser(stage.browserId);
    devtools = await DevTools.connect(devToolsUrl);
    const { targetId } = await devtools.result('Target.createTarget', { url: 'about:blank' });
    opener = await devtools.attachTo(String(targetId));
    await opener.show(site.url);
    relay = await Relay.start({
      extensionId: id,
      name: 'Stage',
      matches: (url) => url.startsWith(site.url),
      holdsTabs: true,
      address: () => Promise.resolve(addressOf({ devToolsUrl })),
      locations: new SourceLocations(id, undefined),
      log: { debug: () => undefined },
    });
    const attached = once(relay.events, 'attached');
    const breakpoints = ['own', 'main'].map((name) => ({ urlRegex: `.*/${name}\\.js$`, lineNumber: 0 }));
    client = await RelayClient.attach(relay.socketAddress, breakpoints, SESSION_MS);
    await attached;
    await client.target('Site', ({ isReady }) => isReady);
  });

  after(async () => {
    await client.close();
    relay.close();
    devtools.close();
    site.close();
    await stage.end();
  });

  const url = (): string => JSON.stringify(`${site.url}opened`);
  /** With a gesture of the user, without which Chromium opens no window. */
  const inOpener = (expression: string): Promise<unknown> =>
    devtools.call('Runtime.evaluate', { expression: `${expression}, 1`, userGesture: true }, opener.sessionId);
  const inWorker = (expression: string): Promise<unknown> => stage.inWorker(id, `${expression}.then(() => 1)`);

  const ways: Record<string, () => Promise<unknown>> = {
    'Target.createTarget': () => devtools.call('Target.createTarget', { url: `${site.url}opened` }),
    'chrome.tabs.create': () => inWorker(`chrome.tabs.create({ url: ${url()} })`),
    'chrome.windows.create': () => inWorker(`chrome.windows.create({ url: ${url()} })`),
    'window.open': () => inOpener(`window.open(${url()})`),
    'window.open without an opener': () => inOpener(`window.open(${url()}, '_blank', 'noopener')`),
    'a link with target and opener': () => inOpener(`document.getElementById('own').click()`),
    'a link with target': () => inOpener(`document.getElementById('free').click()`),
    'an address in a tab of the browser': async () => {
      const { targetId } = await devtools.result('Target.createTarget', { url: 'chrome://version/' });
      const tab = await devtools.attachTo(String(targetId));
      await eventually('it is there', async () => (await tab.evaluate('document.readyState')) === 'complete', 30_000);
      await devtools.call('Page.navigate', { url: `${site.url}opened` }, tab.sessionId);
    },
    'an address in a tab of another site': async () => {
      const { targetId } = await devtools.result('Target.createTarget', { url: 'about:blank' });
      const tab = await devtools.attachTo(String(targetId));
      await tab.show(site.url.replace('127.0.0.1', 'localhost'));
      await devtools.call('Page.navigate', { url: `${site.url}opened` }, tab.sessionId);
    },
    // At once, when it shows its first page: on a busy machine the relay has hardly begun with it.
    'an address in a tab that was opened with another site': async () => {
      const other = site.url.replace('127.0.0.1', 'localhost');
      const { targetId } = await devtools.result('Target.createTarget', { url: other });
      const tab = await devtools.attachTo(String(targetId));
      await eventually('it is there', async () => (await tab.evaluate('document.readyState')) === 'complete', 30_000);
      await devtools.call('Page.navigate', { url: `${site.url}opened` }, tab.sessionId);
    },
    'a tab that is restored': () =>
      inWorker(
        `chrome.sessions.getRecentlyClosed().then((all) => all.find(({ tab }) => tab?.url.endsWith('opened'))).then(({ tab }) => chrome.sessions.restore(tab.sessionId))`,
      ),
  };

  for (const [way, open] of Object.entries(ways)) {
    it(`by ${way} are stopped at in both worlds${TIMES > 1 ? `, ${TIMES} times` : ''}`, async () => {
      const missed: string[] = [];
      const seen = { 'own.js:1': 0, 'main.js:1': 0 };
      const attempt = async (): Promise<string | undefined> => {
        const before = new Set(client.targets);
        let failure = '';
        void open().catch((error: unknown) => {
          failure = String(error);
        });
        const wanted = new Set(['own.js:1', 'main.js:1']);
        const isOver = async (): Promise<boolean> => {
          for (const target of client.targets) {
            const { pausedAt } = target;
            if (pausedAt === undefined || before.has(target)) continue;
            if (wanted.delete(pausedAt)) seen[pausedAt === 'own.js:1' ? 'own.js:1' : 'main.js:1']++;
            target.pausedAt = undefined;
            await client.resume(target);
          }
          return wanted.size === 0;
        };
        await eventually('both stop', isOver, TRY_LIMIT_MS / 2).catch(() => undefined);
        const miss = `${[...wanted].join()} ${failure} ${JSON.stringify(client.targets.slice(-3))}`;
        for (const { targetId, type, url } of await stage.link.targets.list()) {
          if (type === 'page' && url.endsWith('/opened')) await devtools.closePage(targetId);
        }
        return wanted.size > 0 ? miss : undefined;
      };
      for (let time = 0; time < TIMES; time++) {
        const miss = await attempt();
        if (miss !== undefined) missed.push(`${time}: ${miss}`);
      }
      if (TIMES > 1) console.log(`${way}: isolated ${seen['own.js:1']}, MAIN ${seen['main.js:1']} of ${TIMES}`);
      assert.deepEqual(missed, []);
      assert.deepEqual(client.faults, []);
    });
  }

  describe('in a page that shows nothing of the extension', () => {
    const other = async (): Promise<{ targetId: string; tab: Target }> => {
      const { targetId } = await devtools.result('Target.createTarget', {
        url: site.url.replace('127.0.0.1', 'localhost'),
      });
      const tab = await devtools.attachTo(String(targetId));
      const isLoaded = async (): Promise<boolean> =>
        (await tab.evaluate('document.title + document.readyState')) === 'Sitecomplete';
      await eventually('it is loaded', isLoaded, LOAD_LIMIT_MS);
      // The relay's session has its breakpoints.
      await new Promise((settle) => setTimeout(settle, SESSION_MS));
      return { targetId: String(targetId), tab };
    };

    it('nothing stops by the debugger statement, in scripts, timers and evaluated code', async () => {
      const { targetId, tab } = await other();
      await tab.evaluate(`const script = document.createElement('script'); script.textContent = 'debugger; globalThis.one = 1;';
        document.head.append(script); setTimeout(() => { debugger; eval('debugger; globalThis.two = 2'); new Function('debugger; globalThis.three = 3')(); }); 1`);
      const hasRun = async (): Promise<boolean> =>
        (await tab.evaluate('[one, two, three].join()').catch(() => '')) === '1,2,3';
      await eventually('all has run', hasRun, LOAD_LIMIT_MS);
      await devtools.closePage(targetId);
    });

    it('what another debugger stops stays so', async () => {
      const { targetId, tab } = await other();
      await devtools.result('Debugger.enable', {}, tab.sessionId);
      const paused = devtools.event('Debugger.paused', tab.sessionId);
      await tab.evaluate(`setTimeout(() => { debugger; globalThis.after = 1; }); 1`);
      await paused;
      await new Promise((settle) => setTimeout(settle, SESSION_MS));
      // A page that is paused answers what needs no promise.
      const said = await devtools.result('Runtime.evaluate', { expression: 'typeof after' }, tab.sessionId);
      assert.deepEqual(said['result'], { type: 'string', value: 'undefined' });
      await devtools.result('Debugger.resume', {}, tab.sessionId);
      await eventually('it goes on', async () => (await tab.evaluate('typeof after')) === 'number', LOAD_LIMIT_MS);
      await devtools.closePage(targetId);
    });
  });

  it('are run, when a tab moves to the process of the extension while the debugger lets it run', async () => {
    const missed: string[] = [];
    for (let time = 0; time < LEAVES * TIMES; time++) {
      const { targetId } = await devtools.result('Target.createTarget', { url: 'about:blank' });
      const tab = await devtools.attachTo(String(targetId));
      await new Promise((settle) => setTimeout(settle, SESSION_MS + FIRST_LEAVE_MS + (time % LEAVES) * LEAVE_STEP_MS));
      await devtools.call('Page.navigate', { url: `chrome-extension://${id}/page.html` }, tab.sessionId);
      const isLoaded = async (): Promise<boolean> =>
        (await tab.evaluate('document.title + document.readyState').catch(() => '')) === 'Pagecomplete';
      await eventually('it is loaded', isLoaded, LOAD_LIMIT_MS).catch(() => missed.push(String(time)));
      await devtools.closePage(String(targetId));
    }
    assert.deepEqual(missed, []);
    assert.deepEqual(client.faults, []);
  });
});
