// Covers: src/editor/debugger, src/debugger, src/sources
import assert from 'node:assert/strict';
import { commands, debug } from 'vscode';
import { COMMANDS, SETTINGS } from '../../src/ids';
import { DevTools, type Target } from '../contract/devtools';
import { DebuggedFolder } from '../extensionHost/debuggedFolder';
import { EVALED_PATH, FRAMED_PATH, writePage, writeParts } from '../extensionHost/debuggedParts';
import { DebuggerStops, type Stop } from '../extensionHost/debuggerStops';
import {
  distances,
  distanceText,
  EditorBrowser,
  leaveService,
  set,
  useDistantService,
} from '../extensionHost/editorBrowser';
import { eventually } from '../support/eventually';
import { type Site, startSite } from '../standins/site';

const WORKER = 'Service worker';

/** How long the debugger may take to have a session of a new tab, in milliseconds. */
const TAB_LIMIT_MS = 30_000;

/** More scripts than a page has before its content scripts. */
const MANY_SCRIPTS = 40;

/** How long a session may take to end, in milliseconds. */
const END_LIMIT_MS = 20_000;

for (const roundTripMs of distances())
  describe(`debugging the parts of an extension${distanceText(roundTripMs)}`, function () {
    this.timeout(240_000);
    const folder = DebuggedFolder.of('parts');
    let browser: EditorBrowser;
    let stops: DebuggerStops;
    let site: Site;
    let devtools: DevTools;
    let tab: Target;
    let id: string;

    /** Shows an address in the tab, which is not waited for: it may stop before it is loaded. */
    function show(url: string): void {
      void devtools.call('Page.navigate', { url }, tab.sessionId).catch(() => undefined);
    }

    /** Waits for the next stop, which must be there, and a variable must have this value. */
    async function stopAt(file: string, line: number, variable: string, value: string): Promise<Stop> {
      const stop = await stops.next();
      assert.deepEqual([stop.file, stop.line], [file, line], stops.last);
      assert.equal(await stops.value(stop, variable), value);
      return stop;
    }

    /** The same, and lets it go on. */
    async function passes(file: string, line: number, variable: string, value: string): Promise<void> {
      await stops.goOn(await stopAt(file, line, variable, value));
    }

    /** Waits for one stop at each of these places, in any order as the two worlds come, and compares a variable there. */
    async function passAll(
      places: Readonly<Record<string, readonly [variable: string, value: string]>>,
    ): Promise<void> {
      const wanted = new Map(Object.entries(places));
      while (wanted.size > 0) {
        const stop = await stops.next();
        const place = `${stop.file}:${stop.line}`;
        // The side panel was shown in a tab, too, whose stop may come late.
        if (place === 'panel.js:2') {
          await stops.goOn(stop);
          continue;
        }
        const [variable = '', value] = wanted.get(place) ?? [];
        assert(wanted.delete(place), place);
        assert.equal(await stops.value(stop, variable), value, place);
        await stops.goOn(stop);
      }
    }

    before(async () => {
      await useDistantService(roundTripMs);
      await writeParts(folder);
      site = await startSite();
      browser = await EditorBrowser.start('parts');
      await browser.choose();
      await set(SETTINGS.folder, 'parts/dist');
      await set(SETTINGS.exclude, ['alone.js.map']);
      stops = new DebuggerStops();
      // All of them before the session, which has them from the beginning.
      for (const name of ['offscreen', 'panel', 'main', 'frame', 'page']) folder.breakAt(`dist/${name}.js`, 2);
      folder.breakAt('src/twice.ts', 6);
      for (const name of ['packed', 'alone', 'evaled']) folder.breakAt(`src/${name}.ts`, 6);
      folder.breakAt('dist/worker.js', 3);
      folder.breakAt('dist/worker.js', 8, 'the sum is {sum}');
      devtools = await DevTools.connect(browser.described.devToolsUrl);
      const { targetId } = await devtools.result('Target.createTarget', { url: 'about:blank' });
      tab = await devtools.attachTo(String(targetId));
      await folder.start('launch');
      await stops.untilSessions(WORKER);
      await browser.says('started', 1);
      id = String((await browser.ask('chrome.runtime.id'))[0]);
    });

    afterEach(() => stops.goOnAll());

    after(async () => {
      debug.removeBreakpoints(debug.breakpoints);
      await stops.end();
      stops.dispose();
      devtools.close();
      await set(SETTINGS.exclude, undefined);
      await set(SETTINGS.folder, undefined);
      await browser.end();
      await leaveService();
      site.close();
      await folder.remove();
    });

    it('stops in an offscreen document', async () => {
      await browser.ask(
        `chrome.offscreen.createDocument({ url: 'offscreen.html', reasons: ['DOM_PARSER'], justification: 'test' }), 1`,
      );
      await passes('offscreen.js', 2, 'shown', '13');
    });

    it('stops in the side panel', async () => {
      const opened = commands.executeCommand(COMMANDS.openSidePanel, browser.row);
      await passes('panel.js', 2, 'shown', '11');
      await opened;
    });

    it('stops in content scripts of both worlds, one with an inline source map, and in a frame of the extension in their page', async () => {
      show(`${site.url}${FRAMED_PATH}`);
      await passAll({ 'main.js:2': ['own', '5'], 'twice.ts:6': ['value', '21'], 'frame.js:2': ['shown', '12'] });
    });

    it('stops there also in a tab that has had scripts of the same ids in another process', async () => {
      const known = stops.sessions.length;
      const { targetId } = await devtools.result('Target.createTarget', { url: 'about:blank' });
      const other = await devtools.attachTo(String(targetId));
      await eventually('the debugger has the tab', () => stops.sessions.length > known, TAB_LIMIT_MS);
      for (let count = 0; count < MANY_SCRIPTS; count++) await other.evaluate(String(count));
      // From a blank page alone, it would go on in the same process.
      await other.show(`chrome-extension://${id}/manifest.json`);
      const address = `${site.url}${FRAMED_PATH}`;
      void devtools.call('Page.navigate', { url: address }, other.sessionId).catch(() => undefined);
      await passAll({ 'main.js:2': ['own', '5'], 'twice.ts:6': ['value', '21'], 'frame.js:2': ['shown', '12'] });
      await devtools.closePage(String(targetId));
    });

    it('stops at the first statement of a module of the main world that webpack evaluates, also after a reload and a link', async () => {
      const evaled = JSON.stringify(`${site.url}${EVALED_PATH}`);
      const ways = [
        `location.assign(${evaled})`,
        'location.reload()',
        `Object.assign(document.createElement('a'), { href: ${evaled} }).click()`,
      ];
      await tab.show('about:blank');
      for (const way of ways) {
        void tab.evaluate(`setTimeout(() => ${way}), 1`).catch(() => undefined);
        await passAll({
          'main.js:2': ['own', '5'],
          'twice.ts:6': ['value', '21'],
          'evaled.ts:6': ['evaluated', '{value: 6}'],
        });
      }
    });

    it('stops in a source that webpack has named', async () => {
      show(`chrome-extension://${id}/packed.html`);
      await passes('packed.ts', 6, 'wanted', '{value: 4}');
    });

    it('stops in a source whose source map is only in the workspace', async () => {
      show(`chrome-extension://${id}/alone.html`);
      await passes('alone.ts', 6, 'kept', '{value: 5}');
      const map = await fetchedIn(tab, `chrome-extension://${id}/alone.js.map`);
      assert.equal(map, false);
    });

    it('writes what a log point says, without a stop', async () => {
      assert.deepEqual(await browser.ask('add(41)'), [42]);
      const { file, line } = await stops.output(/^the sum is 42\s*$/);
      assert.deepEqual([file, line], ['worker.js', 8]);
      assert.equal(stops.hasMore, false);
    });

    it('stops at uncaught exceptions, which it tells', async () => {
      const session = stops.session(WORKER);
      await session.customRequest('setExceptionBreakpoints', { filters: ['uncaught'] });
      await browser.ask(`setTimeout(() => fail('way'), 0), 1`);
      const stop = await stopAt('worker.js', 12, 'text', `'no way'`);
      const told = JSON.stringify(await session.customRequest('exceptionInfo', { threadId: stop.threadId }));
      assert.match(told, /no way/);
      await session.customRequest('setExceptionBreakpoints', { filters: [] });
      await stops.goOn(stop);
      await stops.output(/Uncaught Error.*no way/);
    });

    it('pauses a worker that runs', async () => {
      const session = stops.session(WORKER);
      await browser.ask('setTimeout(spin, 0), 1');
      await stops.output(/^spinning\s*$/);
      await session.customRequest('pause', { threadId: 0 });
      const stop = await stops.next();
      assert.deepEqual([stop.file, stop.line], ['worker.js', 17]);
      assert(Number(await stops.value(stop, 'turns')) > 0);
      await stops.evaluate(stop, 'globalThis.isSpinning = false');
      await stops.goOn(stop);
      await browser.says('add(1)', 2);
    });

    it('stops again in a page that a push has closed and opened, and leaves it open when its session is stopped', async () => {
      await tab.show('about:blank');
      const opened = commands.executeCommand(COMMANDS.openOptions, browser.row);
      await passes('page.js', 2, 'build', '1');
      await opened;
      await writePage(folder, 2);
      const pushed = commands.executeCommand(COMMANDS.push, browser.row);
      // The side panel and the offscreen document of the tests before are reloaded, too, in any order.
      let stop = await stops.next();
      for (; stop.file !== 'page.js'; stop = await stops.next()) await stops.goOn(stop);
      assert.deepEqual([stop.line, await stops.value(stop, 'build')], [2, '2']);
      await stops.goOn(stop);
      await pushed;
      await debug.stopDebugging(stops.session('page.html'));
      await eventually('its session ends', () => !stops.names.includes('page.html'), END_LIMIT_MS);
      assert(stops.names.includes(WORKER));
      const isOpen = `chrome.tabs.query({ url: chrome.runtime.getURL('page.html') }).then((tabs) => tabs.length)`;
      assert.deepEqual(await browser.ask(isOpen), [1]);
    });

    it('stops in a worker that was asleep and that a message wakes', async () => {
      await stops.end();
      show(`chrome-extension://${id}/frame.html`);
      await browser.says(
        `chrome.tabs.query({ url: chrome.runtime.getURL('frame.html') }).then((tabs) => tabs.length)`,
        1,
      );
      await commands.executeCommand(COMMANDS.stopWorker, browser.row);
      await folder.start('attach');
      await stops.untilSessions('frame.html');
      assert(!stops.names.includes(WORKER));
      void tab.evaluate('chrome.runtime.sendMessage({ a: 21 }), 1');
      const next = await stops.stepOver(await stopAt('worker.js', 3, 'message', '{a: 21}'));
      assert.deepEqual([next.file, next.line], ['worker.js', 4]);
      assert.equal(await stops.value(next, 'doubled'), '42');
      await stops.goOn(next);
    });

    it('stops at two lines that follow each other in a worker that was asleep', async () => {
      await stops.end();
      await commands.executeCommand(COMMANDS.stopWorker, browser.row);
      folder.breakAt('dist/worker.js', 4);
      await folder.start('attach');
      await stops.untilSessions('frame.html');
      void tab.evaluate('chrome.runtime.sendMessage({ a: 4 }), 1');
      await passes('worker.js', 3, 'message', '{a: 4}');
      await passes('worker.js', 4, 'doubled', '8');
      await browser.says('doubled', 8);
    });

    it('writes the console and errors when it runs, without a stop', async () => {
      await stops.end();
      await folder.start('attach', { noDebug: true });
      await stops.untilSessions(WORKER);
      await browser.ask(`console.log('only', 'run'), setTimeout(() => fail('stop'), 0), 1`);
      await stops.output(/^only run\s*$/);
      await stops.output(/Uncaught Error[^]*no stop[^]*\/worker\.js:12/);
      await tab.evaluate('chrome.runtime.sendMessage({ a: 5 }), 1');
      await browser.says('doubled', 10);
      assert.equal(stops.hasMore, false);
    });
  });

/** Whether a page can load an address. */
async function fetchedIn(page: Target, url: string): Promise<unknown> {
  return page.evaluate(`fetch(${JSON.stringify(url)}).then(({ ok }) => ok, () => false)`);
}
