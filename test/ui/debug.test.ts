// Covers: src/editor/debugger, src/debugger
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMMANDS } from '../../src/ids';
import { DEBUGGED_LINE, DEBUGGED_WORKER, DebuggerWindow } from '../workbench/debuggerWindow';
import { CACHE } from '../support/paths';
import { STATUS_BAR } from '../workbench/phrases';
import { deleteBrowser, openBrowsers, whenStatus } from '../workbench/pushing';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { paletteTitle } from '../workbench/titles';
import type { Workbench } from '../workbench/workbench';

/** The name that Sideload gives to a browser for the sample. */
const BROWSER = 'sideload-sample';

const FILE = 'background.js';

describe('an extension that is debugged by the keyboard', () => {
  let shared: SharedWindow;
  let workbench: Workbench;
  let window: DebuggerWindow;
  let worker: string;
  let good: string;

  before(async function () {
    shared = await sharedWindow(this);
    ({ workbench } = shared);
    window = new DebuggerWindow(workbench);
    worker = join(shared.folder, FILE);
    good = await readFile(worker, 'utf8');
    await writeFile(worker, DEBUGGED_WORKER);
    await openBrowsers(workbench);
  });

  after(async () => {
    await window.stop();
    await window.toggleBreakpoint(FILE, DEBUGGED_LINE);
    await workbench.command(paletteTitle(COMMANDS.togglePushOnSave));
    await whenStatus(workbench, STATUS_BAR.pushOnSaveIsOff);
    await workbench.editors.closeAll();
    await writeFile(worker, good);
    await openBrowsers(workbench);
    await deleteBrowser(workbench, BROWSER);
    await workbench.clearNotifications();
  });

  const picture = (name: string): Promise<void> => workbench.picture(join(CACHE, 'pictures', `debug-${name}.png`));

  it('stops at a breakpoint of its worker after F5 alone, without a launch.json', async () => {
    await window.toggleBreakpoint(FILE, DEBUGGED_LINE);
    await window.start();
    await window.stands(DEBUGGED_LINE);
    await window.shows('sum', '42');
    await picture('stopped');
  });

  it('steps out to what follows the call', async () => {
    await window.stepOut();
    await window.stands(DEBUGGED_LINE + 3);
    await picture('stepped');
  });

  it('stops again in the new code after a save', async () => {
    await workbench.command(paletteTitle(COMMANDS.togglePushOnSave));
    await whenStatus(workbench, STATUS_BAR.pushOnSaveIsOn);
    await window.goOn();
    await workbench.editors.open(FILE);
    await workbench.editors.replaceAll(DEBUGGED_WORKER.replace('a + 1', 'a + 2'));
    await workbench.editors.save();
    await window.stands(DEBUGGED_LINE);
    await window.shows('sum', '43');
    await workbench.editors.textWith('a + 2');
    await picture('stopped-again');
  });
}).timeout(180_000);
