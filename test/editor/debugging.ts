// Covers: src/editor/debugger, src/debugger
import { build as bundle } from 'esbuild';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { commands, debug } from 'vscode';
import { COMMANDS, SETTINGS } from '../../src/ids';
import { DevTools } from '../contract/devtools';
import { DebuggedFolder } from '../extensionHost/debuggedFolder';
import { DebuggerStops } from '../extensionHost/debuggerStops';
import {
  distances,
  distanceText,
  EditorBrowser,
  leaveService,
  set,
  useDistantService,
} from '../extensionHost/editorBrowser';
import { eventually } from '../support/eventually';
import { dose } from '../runner/seed';
import { SideloadLog } from '../extensionHost/sideloadLog';
import { type Site, startSite } from '../standins/site';

/** The worker of a build: line 1 is its first statement, line 5 in a function. VS Code moves a breakpoint whose own line changes on the disk. */
const workerOf = (build: number): string => `globalThis.first = 1;
globalThis.build = ${build};
globalThis.add = (a) => {
  const b = 1;
  const sum = a + b;
  return sum;
};
`;

/** Pushes while it is debugged. */
const PUSHES = dose(10, 50);

/** Longest time for one of them and its stop, in milliseconds. */
const PUSH_LIMIT_MS = 12_000;

const MANIFEST = {
  manifest_version: 3,
  name: 'Debugged',
  version: '1.0',
  background: { service_worker: 'worker.js' },
  action: { default_popup: 'popup.html' },
  options_page: 'options.html',
  content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['content.js'], run_at: 'document_start' }],
};

for (const roundTripMs of distances())
  describe(`debugging an extension${distanceText(roundTripMs)}`, function () {
    this.timeout(240_000);
    const folder = DebuggedFolder.of('debugged');
    let browser: EditorBrowser;
    let stops: DebuggerStops;
    let site: Site;
    let build = 0;

    before(async () => {
      await useDistantService(roundTripMs);
      await folder.write('manifest.json', JSON.stringify(MANIFEST));
      await folder.write('worker.js', workerOf(build));
      await folder.write('popup.html', '<!doctype html><title>Popup</title><script src="popup.js"></script>');
      await folder.write('popup.js', 'globalThis.opened = 1;\n');
      await folder.write('options.html', '<!doctype html><title>Options</title><script src="options.js"></script>');
      await folder.write('options.js', 'const chosen = 7;\nglobalThis.chosen = chosen;\n');
      await folder.write('content.js', 'const mark = 3;\ndocument.title = String(mark);\n');
      site = await startSite();
      browser = await EditorBrowser.start('debugged');
      await browser.choose();
      await set(SETTINGS.folder, 'debugged');
      stops = new DebuggerStops();
    });

    afterEach(async () => {
      debug.removeBreakpoints(debug.breakpoints);
      await stops.end();
    });

    after(async () => {
      stops.dispose();
      await set(SETTINGS.folder, undefined);
      await browser.end();
      await leaveService();
      site.close();
      await folder.remove();
    });

    /** Pushes a build whose worker runs, whatever the test before has left. */
    const pushed = async (): Promise<void> => {
      build += 1;
      await folder.write('worker.js', workerOf(build));
      await commands.executeCommand(COMMANDS.push, browser.row);
      await browser.says('globalThis.build', build);
    };

    it('pushes it first, and stops at the first statement of its worker', async () => {
      folder.breakAt('worker.js', 1);
      await folder.start('launch');
      const stop = await stops.next();
      assert.deepEqual([stop.file, stop.line], ['worker.js', 1]);
      await stops.goOn(stop);
      await browser.says('globalThis.build', build);
    });

    it('that runs already stops in a function of its worker, with its variables, and steps', async () => {
      await pushed();
      folder.breakAt('worker.js', 5);
      await folder.start('attach');
      await stops.untilBound('Service worker');
      const asked = browser.askOverStop('add(41)');
      const stop = await stops.next();
      assert.deepEqual([stop.file, stop.line], ['worker.js', 5]);
      assert.equal(await stops.value(stop, 'a'), '41');
      assert.equal(await stops.value(stop, 'b'), '1');
      assert.equal(await stops.evaluate(stop, 'a + 100'), '141');
      const next = await stops.stepOver(stop);
      assert.deepEqual([next.file, next.line], ['worker.js', 6]);
      assert.equal(await stops.value(next, 'sum'), '42');
      await stops.goOn(next);
      assert.deepEqual(await asked, [42]);
    });

    it('is refused for an extension or a browser that is not there, and debugs no other one in its place', async () => {
      await pushed();
      const missing = 'a'.repeat(32);
      const wrong = [
        [{ extensionId: missing }, /The extension a{32} is in no browser that pushes of this window go to/],
        [{ extensionId: missing, browser: 'debugged' }, /The extension a{32} is not in the browser debugged/],
        [{ browser: 'nobody' }, /No browser with the name or id "nobody" runs/],
      ] as const;
      for (const [given, reason] of wrong) {
        const log = await SideloadLog.fromNow();
        void debug.startDebugging(folder.root, folder.configuration('attach', given));
        await log.find(reason);
      }
      assert.deepEqual(stops.names, []);
    });

    it('stops in its options page and its content script at their first statements', async () => {
      folder.breakAt('options.js', 2);
      folder.breakAt('content.js', 2);
      await folder.start('launch');
      await stops.untilSessions('Service worker');
      await browser.says('globalThis.build', build);
      const devtools = await DevTools.connect(browser.described.devToolsUrl);
      try {
        const page = await devtools.attachToPage();
        void devtools.call('Page.navigate', { url: site.url }, page.sessionId);
        const content = await stops.next();
        assert.deepEqual([content.file, content.line], ['content.js', 2]);
        assert.equal(await stops.value(content, 'mark'), '3');
        await stops.goOn(content);
        await commands.executeCommand(COMMANDS.openOptions, browser.row);
        const options = await stops.next();
        assert.deepEqual([options.file, options.line], ['options.js', 2]);
        assert.equal(await stops.value(options, 'chosen'), '7');
        await stops.goOn(options);
      } finally {
        devtools.close();
      }
    });

    it('stops at the first statement of the popup', async () => {
      await pushed();
      folder.breakAt('popup.js', 1);
      await folder.start('attach');
      await stops.untilSessions('Service worker');
      void commands.executeCommand(COMMANDS.openPopup, browser.row);
      const stop = await stops.next();
      assert.deepEqual([stop.file, stop.line], ['popup.js', 1]);
      await stops.goOn(stop);
    });

    it(`stops in each of ${PUSHES} builds that are pushed, whether the worker went on or not, and each push says so`, async function () {
      this.timeout(PUSHES * PUSH_LIMIT_MS);
      folder.breakAt('worker.js', 1);
      await folder.start('launch');
      let stop = await stops.next();
      for (let push = 0; push < PUSHES; push++) {
        if (push % 2 === 0) await stops.goOn(stop);
        build += 1;
        await folder.write('worker.js', workerOf(build));
        const log = await SideloadLog.fromNow();
        await commands.executeCommand(COMMANDS.push, browser.row);
        stop = await stops.next();
        assert.deepEqual([stop.file, stop.line], ['worker.js', 1], `push ${push}; ${stops.last}`);
        await log.find(/paused its service worker at debugged\/worker\.js:1:1/);
        await eventually(
          () => stops.names.join(),
          () => stops.names.filter((name) => name === 'Service worker').length === 1,
          10_000,
        );
        // A reload may start two workers, one after the other (seen in 1 of 60 reloads): the debug session of the first ends.
        if (stop.session.id !== stops.session('Service worker').id) stop = await stops.next();
      }
      await stops.goOn(stop);
      await browser.says('globalThis.build', build);
    });

    it('pushes again with the restart button, and lives on', async () => {
      await folder.start('launch');
      await stops.untilSessions('Service worker');
      await browser.says('globalThis.build', build);
      build += 1;
      await folder.write('worker.js', workerOf(build));
      await commands.executeCommand('workbench.action.debug.restart');
      await browser.says('globalThis.build', build);
      await stops.untilSessions('Service worker');
      // The session of the worker of before may end a moment later.
      await eventually(
        () => stops.names.join(),
        () => stops.names.filter((name) => name === 'Service worker').length === 1,
        10_000,
      );
    });

    it('goes on after a restart of the browser', async () => {
      await pushed();
      folder.breakAt('worker.js', 5);
      await folder.start('attach');
      await stops.untilSessions('Service worker');
      await browser.restart();
      await eventually('the worker of before is gone', () => !stops.names.includes('Service worker'), 20_000);
      await commands.executeCommand(COMMANDS.push, browser.row);
      await stops.untilBound('Service worker');
      await browser.says('globalThis.build', build);
      const asked = browser.askOverStop('add(1)');
      const stop = await stops.next();
      assert.deepEqual([stop.file, stop.line], ['worker.js', 5]);
      await stops.goOn(stop);
      await asked;
    });

    it('runs for two extensions in one browser, each with a session of its own', async () => {
      const second = DebuggedFolder.of('second');
      await second.write(
        'manifest.json',
        JSON.stringify({ ...MANIFEST, name: 'Second', options_page: undefined, action: {}, content_scripts: [] }),
      );
      await second.write('worker.js', workerOf(500));
      try {
        folder.breakAt('worker.js', 5);
        second.breakAt('worker.js', 6);
        await commands.executeCommand(COMMANDS.push, browser.row);
        await folder.start('attach');
        await stops.untilSessions('Service worker');
        await set(SETTINGS.folder, 'second');
        await commands.executeCommand(COMMANDS.push, browser.row);
        const log = await SideloadLog.fromNow();
        await second.start('launch');
        await log.find(/Second 1\.0 is running/);
        await stops.untilBound('Service worker', 2);
        const asked = browser.askOverStop('add(build)');
        const stopped = [await stops.next(), await stops.next()];
        assert.deepEqual(stopped.map(({ line }) => line).sort(), [5, 6]);
        for (const stop of stopped) assert.equal(await stops.value(stop, 'a'), String(stop.line === 5 ? build : 500));
        for (const stop of stopped) await stops.goOn(stop);
        await asked;
        await browser.says('build', build);
        await browser.says('build', 500);
      } finally {
        await set(SETTINGS.folder, 'debugged');
        await stops.end();
        await second.remove();
      }
    });

    it('runs in two browsers at once, each with a session of its own', async () => {
      const other = await EditorBrowser.start('other');
      try {
        for (const each of [browser, other]) await commands.executeCommand(COMMANDS.pinBrowser, each.row);
        folder.breakAt('worker.js', 1);
        await folder.start('launch');
        const first = await stops.next();
        const second = await stops.next();
        assert.notEqual(first.session.id, second.session.id);
        assert.deepEqual([first.line, second.line], [1, 1]);
        await stops.goOn(first);
        await stops.goOn(second);
        await other.says('globalThis.build', build);
        await browser.says('globalThis.build', build);
      } finally {
        for (const each of [browser, other]) await commands.executeCommand(COMMANDS.unpinBrowser, each.row);
        await stops.end();
        await other.end();
        await browser.choose();
      }
    });

    it('stops in the sources of a minified bundle of modules', async () => {
      const project = DebuggedFolder.of('bundled');
      try {
        await project.write(
          'src/main.ts',
          'interface Pair {\n  left: number;\n}\n\nexport function act(pair: Pair): number {\n  const twice = pair.left * 2;\n  return twice;\n}\n\nObject.assign(globalThis, { act });\n',
        );
        const manifest = { ...MANIFEST, name: 'Bundled', background: { service_worker: 'main.js', type: 'module' } };
        const { content_scripts: _scripts, action: _action, options_page: _page, ...keys } = manifest;
        await project.write('dist/manifest.json', JSON.stringify(keys));
        const [source, outfile] = [join(project.path, 'src', 'main.ts'), join(project.path, 'dist', 'main.js')];
        await bundle({
          entryPoints: [source],
          outfile,
          bundle: true,
          format: 'esm',
          minify: true,
          sourcemap: 'linked',
        });
        await set(SETTINGS.folder, 'bundled/dist');
        project.breakAt('src/main.ts', 6);
        const log = await SideloadLog.fromNow();
        await folder.start('launch');
        // The second push is that of the debugger once it has attached; the worker of the first one ends with it.
        await log.find(/Bundled 1\.0 is (?:running|delivered)/, 2);
        await stops.untilBound('Service worker');
        await browser.says('typeof act', 'function');
        const asked = browser.askOverStop('act({ left: 4 })');
        const stop = await stops.next();
        assert.deepEqual([stop.file, stop.line], ['main.ts', 6]);
        assert.match((await stops.value(stop, 'pair')) ?? '', /left: 4/);
        await stops.goOn(stop);
        assert.deepEqual(await asked, [8]);
      } finally {
        await set(SETTINGS.folder, 'debugged');
        await project.remove();
      }
    });
  });
