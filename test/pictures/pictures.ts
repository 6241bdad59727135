/**
 * `npm run pictures`: takes the pictures of README and of the walkthrough from the running product, so that they show what a user sees.
 * `-- --all` takes every view and state in each kind of theme and each language instead, into the cache, to be looked at, and
 * `-- --first` only the way from a fresh window to a running extension, which belongs to them. `-- --films` takes only the moving pictures,
 * `-- --debugger` only those of the guide about debugging.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMMANDS, SETTINGS } from '../../src/ids';
import { ensureBrowser } from '../machine/browser';
import { endAll } from '../support/cleanup';
import { DEBUGGED_LINE, DEBUGGED_WORKER, DebuggerWindow } from '../workbench/debuggerWindow';
import { takeFilms } from './films';
import { takeFirstSuccess } from './firstSuccess';
import { CONTRAST_THEMES, THEMES, useTheme } from './themes';
import { CACHE, ROOT } from '../support/paths';
import { openBrowsers, pushByRow, pushItem, whenRunning } from '../workbench/pushing';
import { LANGUAGES } from '../support/texts';
import { commandTitle, paletteTitle, titlesIn } from '../workbench/titles';
import { openWindow, type OpenWindow } from '../workbench/window';
import { WINDOW_SIZE, type Workbench } from '../workbench/workbench';

/** The name that Sideload gives to a browser for the sample. */
const BROWSER = 'sideload-sample';

/** The name of the sample. */
const EXTENSION = 'Sideload Sample';

const WORKER = 'background.js';

/** What the picture of the console shows. */
const LOGGED = `chrome.storage.local.set({ pages: 3 });
console.log('Counting goes on', { pages: 3, shown: 'in the badge' });`;

/** Longest time for Problems to follow what is typed, in milliseconds. */
const PROBLEMS_LIMIT_MS = 30_000;

/** Longest time for a browser to start and run the extension, in milliseconds. */
const RUN_LIMIT_MS = 60_000;

/** How long the window may take to show what was done, in milliseconds. */
const SETTLE_MS = 1500;

/** README's pictures, by the state that they show. */
const PUBLISHED: Readonly<Record<string, string>> = {
  children: 'overview.png',
  inspect: 'inspect.png',
  debug: 'debug.png',
  debugAgain: 'debug-again.png',
  problems: 'problems.png',
  screenBeside: 'scroll.png',
};

/** The steps of the walkthrough that have a picture. */
const STEPS: readonly string[] = ['run', 'saves', 'problems', 'screen'];

/** A small window, since the walkthrough shows small pictures. */
const WALKTHROUGH_SIZE = { width: 640, height: 400 };

/** Messages of Problems, and the controls of the screen, need some room. */
const WALKTHROUGH_SIZES: Readonly<Record<string, { width: number; height: number }>> = {
  problems: { width: 960, height: 480 },
  screen: { width: 800, height: 480 },
};

/** The settings of the window: its browser shows something. */
const SETTINGS_SHOWN = { [SETTINGS.startUrl]: 'popup.html' };

/** Takes the picture `name` of what is shown. */
type Take = (name: string) => Promise<void>;

/** Runs the sample by one act, and takes pictures of each view and state on the way. */
async function takeSeries(window: OpenWindow, take: Take): Promise<void> {
  const { workbench, folder } = window;
  const { editors, page } = workbench;
  const item = pushItem(workbench);
  const view = await openBrowsers(workbench);
  // A tooltip would stay where the sidebar was opened.
  await page.mouse.move(0, 0);
  await view.welcome();
  await take('empty');
  await page.keyboard.press('ControlOrMeta+F6');
  await whenRunning(workbench, RUN_LIMIT_MS);
  await take('run');
  await workbench.clearNotifications();
  await editors.open('background.js');
  await view.row(BROWSER).click();
  await page.keyboard.press('ArrowRight');
  await view.waitForRow(EXTENSION);
  await view.row(EXTENSION).first().click();
  await page.keyboard.press('ArrowRight');
  await page.mouse.move(0, 0);
  await page.waitForTimeout(SETTLE_MS);
  await take('children');
  await item.click();
  await workbench.quickInput.opened();
  await take('menu');
  await workbench.quickInput.cancel();

  await takeInspected(window, take);

  await openScreen(workbench);
  await take('screen');
  await editors.closeAll();
  await editors.open('popup.html');
  await openScreen(workbench);
  await take('screenBeside');
  await editors.closeAll();

  await workbench.command(paletteTitle(COMMANDS.togglePushOnSave));
  await editors.open('background.js');
  await editors.appendLine('// saved');
  await editors.save();
  await page.waitForTimeout(SETTLE_MS);
  await take('saves');
  await workbench.command(paletteTitle(COMMANDS.togglePushOnSave));

  const good = await readFile(join(folder, 'manifest.json'), 'utf8');
  await editors.open('manifest.json');
  await editors.replaceAll(good.replace('"background.js"', '"worker.js"').replace('"1.0.0"', '"1.0.x"'));
  await workbench.problems.open();
  await workbench.problems.waitFor('worker.js', PROBLEMS_LIMIT_MS);
  await take('problems');
  await editors.replaceAllIn('manifest.json', good);
  await workbench.problems.waitForNone('worker.js', PROBLEMS_LIMIT_MS);
  await workbench.hidePanel();
  await takeDebugged(window, take);
}

/** Opens the screen of the browser, in an editor group of its own where a file is open. */
async function openScreen(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await (await openBrowsers(workbench)).clickRowAction(BROWSER, commandTitle(COMMANDS.openScroll));
  const panel = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  await panel.locator('#picture').waitFor();
  await page.mouse.move(0, 0);
  await page.waitForTimeout(SETTLE_MS);
}

/** The console, after a push of a build that writes to it, and the storage of the extension. */
async function takeInspected({ workbench, folder }: OpenWindow, take: Take): Promise<void> {
  const { editors, page } = workbench;
  const worker = join(folder, WORKER);
  const good = await readFile(worker, 'utf8');
  await workbench.run(COMMANDS.startConsole);
  await writeFile(worker, `${good}\n${LOGGED}\n`);
  await pushByRow(workbench, BROWSER);
  await workbench.clearNotifications();
  await editors.closeAll();
  await (await openBrowsers(workbench)).clickRowMenu(EXTENSION, commandTitle(COMMANDS.openStorage));
  await workbench.quickInput.opened();
  await workbench.quickInput.pick(/^local/);
  await editors.textWith('"pages"');
  await workbench.run(COMMANDS.showConsole);
  await page.waitForTimeout(SETTLE_MS);
  await take('inspect');
  await workbench.run(COMMANDS.stopConsole);
  await writeFile(worker, good);
  await pushByRow(workbench, BROWSER);
  await workbench.clearNotifications();
  await editors.closeAll();
  await workbench.hidePanel();
}

/** A stop at a breakpoint after F5, and the next one in the code that was saved then. */
async function takeDebugged({ workbench, folder }: OpenWindow, take: Take): Promise<void> {
  const { editors } = workbench;
  const window = new DebuggerWindow(workbench);
  await editors.closeAll();
  await writeFile(join(folder, WORKER), DEBUGGED_WORKER);
  await window.toggleBreakpoint(WORKER, DEBUGGED_LINE);
  await window.start();
  await window.stands(DEBUGGED_LINE);
  await window.shows('sum', '42');
  await takeQuiet(workbench, take, 'debug');
  await workbench.command(paletteTitle(COMMANDS.togglePushOnSave));
  await window.goOn();
  await editors.open(WORKER);
  await editors.replaceAll(DEBUGGED_WORKER.replace('a + 1', 'a + 2'));
  await editors.save();
  await window.stands(DEBUGGED_LINE);
  await window.shows('sum', '43');
  await takeQuiet(workbench, take, 'debugAgain');
  await window.stop();
}

/**
 * Takes a picture without notifications. One may come late: of a page that has gone when its session begins, as a popup, VS Code's debugger says
 * that it cannot launch a browser from here.
 */
async function takeQuiet(workbench: Workbench, take: Take, name: string): Promise<void> {
  await workbench.page.waitForTimeout(SETTLE_MS);
  await workbench.clearNotifications();
  await take(name);
  const [late] = await workbench.notifications();
  if (late) throw new Error(`the picture "${name}" may show a notification: ${late.message}`);
}

/** The pictures of a stop at a breakpoint, by themselves. */
async function takeDebugger(): Promise<void> {
  const window = await openWindow('pictures-debugger', 'newest', { settings: SETTINGS_SHOWN });
  const { workbench } = window;
  await useTheme(workbench, THEMES.light);
  await takeDebugged(window, async (name) => await workbench.picture(join(ROOT, 'media', PUBLISHED[name] ?? name)));
  await workbench.close();
}

/** README's pictures and those of the walkthrough, which follow the theme. */
async function takePublished(): Promise<void> {
  for (const [part, theme] of Object.entries(THEMES)) {
    const window = await openWindow(`pictures-${part}`, 'newest', { settings: SETTINGS_SHOWN });
    await useTheme(window.workbench, theme);
    await takeSeries(window, async (name) => {
      const { workbench } = window;
      const published = PUBLISHED[name];
      if (part === 'light' && published !== undefined) await workbench.picture(join(ROOT, 'media', published));
      if (STEPS.includes(name)) {
        await workbench.page.setViewportSize(WALKTHROUGH_SIZES[name] ?? WALKTHROUGH_SIZE);
        // The pointer would show the tooltip of what comes to lie below it.
        await workbench.page.mouse.move(0, 0);
        await workbench.page.waitForTimeout(SETTLE_MS);
        await workbench.picture(join(ROOT, 'media', 'walkthrough', `${name}-${part}.png`));
        await workbench.page.setViewportSize(WINDOW_SIZE);
      }
    });
    await window.workbench.close();
  }
}

/** Everything in each kind of theme in English, and in each of the other languages. */
async function takeAll(): Promise<void> {
  const folder = join(CACHE, 'pictures');
  for (const language of [...LANGUAGES, undefined]) {
    titlesIn(language);
    const themes = language ? { light: THEMES.light } : { ...THEMES, ...CONTRAST_THEMES };
    for (const [part, theme] of Object.entries(themes)) {
      const window = await openWindow(`pictures-${part}`, 'newest', {
        settings: SETTINGS_SHOWN,
        ...(language === undefined ? {} : { language }),
      });
      await useTheme(window.workbench, theme);
      await takeSeries(window, (name) =>
        window.workbench.picture(join(folder, language ?? 'en', `${name}-${part}.png`)),
      );
      await window.workbench.close();
    }
  }
  console.log(`The pictures are in ${folder}.`);
}

async function main(args: readonly string[]): Promise<void> {
  await ensureBrowser(console.log);
  const isAll = args.includes('--all');
  if (args.includes('--debugger')) {
    await takeDebugger();
    return;
  }
  if (isAll || args.includes('--first')) await takeFirstSuccess(join(CACHE, 'pictures'));
  if (isAll) await takeAll();
  else if (!args.includes('--first')) {
    if (!args.includes('--films')) await takePublished();
    for (const [part, theme] of Object.entries(THEMES)) await takeFilms(part, theme);
  }
}

void main(process.argv)
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .then(endAll);
