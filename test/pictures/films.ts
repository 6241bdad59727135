/** The moving pictures of README: a save that runs, and a breakpoint that stops again in the next build. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMMANDS, SETTINGS } from '../../src/ids';
import { ROOT } from '../support/paths';
import { DEBUGGED_LINE, DEBUGGED_WORKER, DebuggerWindow } from '../workbench/debuggerWindow';
import { openBrowsers, whenRunning } from '../workbench/pushing';
import { commandTitle, paletteTitle } from '../workbench/titles';
import { openWindow, type OpenWindow } from '../workbench/window';
import { Film } from './film';
import { useTheme } from './themes';

/** What README shows at its full width. */
const SIZE = { width: 1120, height: 600 };

/** The name that Sideload gives to a browser for the sample. */
const BROWSER = 'sideload-sample';

const PAGE = 'popup.html';
const WORKER = 'background.js';

/** What is typed, and in which line and column of the page. */
const TYPED = ' says hello';
const AT = ':11:26';

/** The debugger says in an error that a server without a desktop opens no browser; Sideload starts it. */
const WITHOUT_ERRORS = '.notification-toast-container:has(.codicon-error) { display: none; }';

/** Longest time for a browser to start and run the extension, in milliseconds. */
const RUN_LIMIT_MS = 60_000;

/** How long the window may take to show what was done, in milliseconds. */
const SETTLE_MS = 1500;

/** How long a state is shown that a person reads, in milliseconds. */
const READ_MS = 1800;

/** How long the end is shown, in milliseconds. */
const END_MS = 3500;

/** Takes both in a theme; `part` is the end of their files' names. */
export async function takeFilms(part: string, theme: string): Promise<void> {
  const settings = { [SETTINGS.startUrl]: PAGE, 'editor.minimap.enabled': false, 'breadcrumbs.enabled': false };
  const window = await openWindow(`films-${part}`, 'newest', { settings });
  await useTheme(window.workbench, theme);
  await window.workbench.page.setViewportSize(SIZE);
  await openBrowsers(window.workbench);
  await window.workbench.page.mouse.move(0, 0);
  await window.workbench.page.keyboard.press('ControlOrMeta+F6');
  await whenRunning(window.workbench, RUN_LIMIT_MS);
  await window.workbench.clearNotifications();
  await window.workbench.command(paletteTitle(COMMANDS.togglePushOnSave));
  await window.workbench.page.addStyleTag({ content: WITHOUT_ERRORS });
  await filmSave(window, join(ROOT, 'media', `save-${part}.webp`));
  await filmDebugging(window, join(ROOT, 'media', `debug-${part}.webp`));
  await window.workbench.close();
}

/** A heading is edited and saved; the live screen of the browser shows the new heading. */
async function filmSave({ workbench }: OpenWindow, file: string): Promise<void> {
  const { editors, page } = workbench;
  await editors.closeAll();
  await editors.open(PAGE);
  await (await openBrowsers(workbench)).clickRowAction(BROWSER, commandTitle(COMMANDS.openScroll));
  const panel = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  await panel.locator('#picture').waitFor();
  await workbench.command('View: Toggle Primary Side Bar Visibility');
  await workbench.command('View: Focus First Editor Group');
  await editors.focus();
  await goTo(workbench, AT);
  await workbench.clearNotifications();
  await page.mouse.move(0, 0);
  await page.waitForTimeout(SETTLE_MS);
  const film = new Film(workbench);
  await film.hold(READ_MS);
  await film.type(TYPED);
  await film.hold(500);
  await page.keyboard.press('ControlOrMeta+s');
  await film.during(page.waitForTimeout(SETTLE_MS));
  await film.hold(END_MS);
  await film.write(file);
  await editors.closeAll();
}

/** F5 stops at a breakpoint; the code is edited and saved, and the new build stops there, with the new value. */
async function filmDebugging({ workbench, folder }: OpenWindow, file: string): Promise<void> {
  const { editors, page } = workbench;
  const window = new DebuggerWindow(workbench);
  await writeFile(join(folder, WORKER), DEBUGGED_WORKER);
  await window.toggleBreakpoint(WORKER, DEBUGGED_LINE);
  await workbench.command('View: Show Run and Debug');
  await editors.open(WORKER);
  await page.mouse.move(0, 0);
  await page.waitForTimeout(SETTLE_MS);
  const film = new Film(workbench);
  await film.hold(READ_MS);
  await window.start();
  await film.during(window.stands(DEBUGGED_LINE));
  await window.shows('sum', '42');
  await workbench.clearNotifications();
  await film.hold(READ_MS);
  await window.goOn();
  await editors.open(WORKER);
  await goTo(workbench, ':2:20');
  await film.hold(600);
  await page.keyboard.press('Backspace');
  await film.type('100', 1);
  await film.hold(500);
  await page.keyboard.press('ControlOrMeta+s');
  await film.during(window.stands(DEBUGGED_LINE));
  await window.shows('sum', '141');
  await workbench.clearNotifications();
  await film.hold(END_MS);
  await film.write(file);
  await window.stop();
}

/** Puts the cursor of the file to a line and column. */
async function goTo({ page, quickInput }: OpenWindow['workbench'], place: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+g');
  await quickInput.answer(place);
}
