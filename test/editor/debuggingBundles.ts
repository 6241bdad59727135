// Covers: src/editor/debugger, src/debugger, src/sources, test/fixtures/bundles
import assert from 'node:assert/strict';
import { appendFile, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { commands, debug, extensions } from 'vscode';
import { COMMANDS, EXTENSION_ID, SETTINGS } from '../../src/ids';
import { DevTools } from '../contract/devtools';
import { DebuggedFolder } from '../extensionHost/debuggedFolder';
import { DebuggerStops } from '../extensionHost/debuggerStops';
import { EditorBrowser, leaveService, set, useService } from '../extensionHost/editorBrowser';
import { byTurns, dose } from '../runner/seed';
import { type Site, startSite } from '../standins/site';
import { type Build, type BuildName, BUILDS, PARTS, writeBuild } from '../support/debugProjects';

/** How long a part has for its stop, in milliseconds. */
const STOP_LIMIT_MS = 30_000;

/** Environment variable with a file that gets a line of JSON for each build: where each part has stopped, and after how many milliseconds. */
const TABLE_ENV = 'SIDELOAD_TEST_TABLE';

/** Where a part stops: the end of a comment in its source. */
type Mark = (typeof PARTS)[number] | 'message';

describe('debugging what a bundler has built', function () {
  // With the full doses, bundlers come from npm.
  this.timeout(dose(300_000, 1_200_000));
  const repository = extensions.getExtension(EXTENSION_ID)?.extensionPath ?? '';
  let site: Site;
  let stops: DebuggerStops;

  before(async () => {
    await useService();
    site = await startSite();
    stops = new DebuggerStops();
  });

  after(async () => {
    stops.dispose();
    site.close();
    await leaveService();
  });

  for (const name of byTurns(Object.keys(BUILDS) as BuildName[])) {
    it(`by ${name} stops in the sources of each part at their lines`, async () => {
      const build: Build = BUILDS[name];
      const folder = DebuggedFolder.of('built');
      await writeBuild(folder.path, name, repository);
      const browser = await EditorBrowser.start('built');
      const devtools = await DevTools.connect(browser.described.devToolsUrl);
      try {
        await browser.choose();
        await set(SETTINGS.folder, `built/${build.output}`);
        const places = await breakInSources(folder, build);
        const seen: Record<string, string> = {};
        const times: Record<string, number> = {};
        /** Lets all go on that stops until these parts have, or their time is over. */
        const stopsOf = async (marks: readonly Mark[], act: () => Promise<unknown>): Promise<void> => {
          const begin = performance.now();
          const acted = act().catch((error: unknown) => String(error));
          const wanted = new Set<string>(marks);
          while (wanted.size > 0 && performance.now() < begin + STOP_LIMIT_MS) {
            if (!stops.hasMore) {
              await new Promise((settle) => setTimeout(settle, 10));
              continue;
            }
            const stop = await stops.next();
            const place = `${stop.file}:${stop.line}`;
            const found = [...wanted].find((each) => places[each] === place);
            // The side panel is shown in a tab, too, whose stop may come late.
            if (found === undefined && places['panel'] === place) {
              await stops.goOn(stop);
              continue;
            }
            const mark = found ?? [...wanted][0] ?? '';
            times[mark] ??= Math.round(performance.now() - begin);
            wanted.delete(mark);
            seen[mark] ??= build.isPlain ? `${place} ${await stops.evaluate(stop, valueAt(mark))}` : place;
            await stops.goOn(stop);
          }
          await acted;
        };
        await stopsOf(['worker'], async () => folder.start('launch'));
        await browser.says('typeof started', 'number');
        await stopsOf(['own', 'main', 'message'], async () => {
          const { targetId } = await devtools.result('Target.createTarget', { url: 'about:blank' });
          const tab = await devtools.attachTo(String(targetId));
          await devtools.call('Page.navigate', { url: site.url }, tab.sessionId);
        });
        const openers = [
          ['popup', COMMANDS.openPopup],
          ['options', COMMANDS.openOptions],
          ['panel', COMMANDS.openSidePanel],
        ] as const;
        for (const [mark, command] of openers)
          await stopsOf([mark], async () => commands.executeCommand(command, browser.row));
        const files = await readdir(join(folder.path, build.output), { recursive: true });
        const offscreen = files.find((file) => /offscreen[^/]*\.html$/.test(file)) ?? '';
        const options = JSON.stringify({ url: offscreen, reasons: ['DOM_PARSER'], justification: 'test' });
        await stopsOf(['offscreen'], async () => browser.ask(`chrome.offscreen.createDocument(${options}), 1`));
        const table = process.env[TABLE_ENV];
        if (table !== undefined) await appendFile(table, `${JSON.stringify({ name, seen, times })}\n`);
        const expected = Object.fromEntries(
          Object.entries(places).map(([mark, place]) => {
            const value = mark === 'message' ? 4 : 21;
            return [mark, build.isPlain ? `${place} ${value}` : place];
          }),
        );
        assert.deepEqual(seen, expected);
      } finally {
        debug.removeBreakpoints(debug.breakpoints);
        await stops.goOnAll();
        await stops.end();
        devtools.close();
        await set(SETTINGS.folder, undefined);
        await browser.end();
        await folder.remove();
      }
    });
  }
});

/** What has a value at a stop that no other frame knows. */
function valueAt(mark: string): string {
  return mark === 'message' ? 'message.value' : 'told.value';
}

/** Sets a breakpoint at each mark in the sources. Returns the place of each, as file and line. */
async function breakInSources(folder: DebuggedFolder, build: Build): Promise<Record<string, string>> {
  const places: Record<string, string> = {};
  for (const part of PARTS) {
    const path = build.sourceOf(part);
    const lines = (await readFile(join(folder.path, path), 'utf8')).split('\n');
    for (const [at, line] of lines.entries()) {
      const [, mark] = /\/\/ stop: (\w+)$/.exec(line) ?? [];
      if (mark === undefined || mark === 'twice') continue;
      folder.breakAt(path, at + 1);
      places[mark] = `${basename(path)}:${at + 1}`;
    }
  }
  return places;
}
