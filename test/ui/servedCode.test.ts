// Covers: src/editor/debugger, src/debugger, src/editor/problems, src/editor/localhost, src/sources
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { COMMANDS } from '../../src/ids';
import { TestService } from '../contract/service';
import { FarBrowser } from '../standins/farBrowser';
import { ModuleServer } from '../standins/moduleServer';
import { eventually } from '../support/eventually';
import { CACHE } from '../support/paths';
import { SERVED_LINE, writeServedProject } from '../support/servedProject';
import { DebuggerWindow } from '../workbench/debuggerWindow';
import { BUTTONS, MESSAGES } from '../workbench/phrases';
import { openBrowsers } from '../workbench/pushing';
import { chooseOtherService, leaveOtherService } from '../workbench/services';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle, paletteTitle } from '../workbench/titles';
import type { View } from '../workbench/view';
import type { Workbench } from '../workbench/workbench';

const BROWSER = 'far-away';

/** How long a push, or what it leads to, may take, in milliseconds. */
const PUSH_LIMIT_MS = 60_000;

/** What the project has, and what its worker throws when it has run for a moment. */
const FILES = ['dist', 'src', 'options.ts', 'package.json'];
const WORKER = 'const sum = 40 + 2; setTimeout(() => { throw new Error(`fails ${sum}`); }, 500);';

describe('code that a development server gives to a browser elsewhere', () => {
  let shared: SharedWindow;
  let workbench: Workbench;
  let view: View;
  let far: FarBrowser;
  let service: TestService;
  let server: ModuleServer;
  let debuggerWindow: DebuggerWindow;

  before(async function () {
    shared = await sharedWindow(this);
    ({ workbench } = shared);
    debuggerWindow = new DebuggerWindow(workbench);
    far = await FarBrowser.make();
    service = await TestService.start(['--browser', far.path]);
    await service.client.browsers.create({ name: BROWSER, headless: true, timeout_seconds: 600 });
    server = await ModuleServer.start(shared.folder);
    await writeServedProject(shared.folder, server.origin, { worker: WORKER, options: '' });
    view = await openBrowsers(workbench);
    await chooseOtherService(workbench, service.baseUrl, service.token);
    await view.waitForRow(BROWSER);
    await workbench.commandThatAsks(paletteTitle(COMMANDS.chooseFolder));
    await workbench.quickInput.tick(['dist']);
    await workbench.quickInput.closed();
  });

  after(async function () {
    this.timeout(120_000);
    await debuggerWindow.stop();
    await workbench.editors.closeAll();
    for (const name of FILES) await rm(join(shared.folder, name), { recursive: true, force: true });
    await workbench.command(paletteTitle(COMMANDS.chooseFolder));
    await leaveOtherService(workbench);
    server.close();
    await service.stop();
    await far.end();
  });

  const picture = (name: string): Promise<void> => workbench.picture(join(CACHE, 'ui', name));

  it('has its errors at the lines of its source', async () => {
    await view.clickRowAction(BROWSER, commandTitle(COMMANDS.pushToRow));
    await workbench.asked();
    await workbench.press(BUTTONS.allow);
    await workbench.notification(MESSAGES.running, PUSH_LIMIT_MS);
    await workbench.problems.open();
    const isShown = async (): Promise<boolean> =>
      (await workbench.problems.read()).some(
        ({ file, message }) => file.includes('worker.ts') && message.includes('fails 42'),
      );
    await eventually('the error is in the Problems panel', isShown, PUSH_LIMIT_MS);
    await picture('served-error.png');
    await workbench.clearNotifications();
  });

  it('stops at a breakpoint in its source', async () => {
    await debuggerWindow.toggleBreakpoint('src/worker.ts', SERVED_LINE);
    await debuggerWindow.start();
    await debuggerWindow.stands(SERVED_LINE);
    await picture('served-stopped.png');
    assert.ok(server.asked.includes('/src/worker.ts'));
  });
}).timeout(180_000);
