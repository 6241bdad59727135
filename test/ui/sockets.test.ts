// Covers: src/service, src/devtools, src/editor/service
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS } from '../../src/ids';
import { readLocalService } from '../support/localService';
import { BUTTONS, SCROLL } from '../workbench/phrases';
import { createBrowser, openBrowsers, pushByRow, statusLabel } from '../workbench/pushing';
import { releaseOfSuite } from '../machine/releases';
// Its hooks remove what the window has left.
import '../workbench/sharedWindow';
import { recordedSockets, recordingSockets, type SocketUse } from '../workbench/sockets';
import { commandTitle } from '../workbench/titles';
import { openWindow, type OpenWindow } from '../workbench/window';

const BROWSER = 'recorded';

/** Longest time to open a window, in milliseconds. */
const OPEN_LIMIT_MS = 5 * 60_000;

/** Longest time to close it, in milliseconds. */
const CLOSE_LIMIT_MS = 60_000;

/** Time after the activation in which a request of it would begin, in milliseconds. */
const QUIET_MS = 3000;

describe('the sockets of the extension host', () => {
  let folder: string;
  let file: string;
  let window: OpenWindow;

  before(async function () {
    this.timeout(OPEN_LIMIT_MS);
    folder = await mkdtemp(join(tmpdir(), 'sideload-sockets-'));
    file = join(folder, 'sockets.jsonl');
    window = await openWindow('sockets', releaseOfSuite(), { env: recordingSockets(file) });
  });
  after(async function () {
    this.timeout(CLOSE_LIMIT_MS);
    await window.workbench.close();
    await window.server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** What the extension host has opened so far: Sideload and the extensions of VS Code. */
  async function opened(): Promise<SocketUse[]> {
    return (await recordedSockets(file)).filter(({ program }) => program.includes('--type=extensionHost'));
  }

  it('are none of Sideload while its view is closed', async () => {
    // Shown by the activation.
    await statusLabel(window.workbench);
    await new Promise((settle) => setTimeout(settle, QUIET_MS));
    assert.deepEqual(await opened(), []);
  });

  it('lead to the service and to the DevTools of its browsers, and nowhere else, on a whole day', async () => {
    const { workbench, server } = window;
    await createBrowser(workbench, BROWSER);
    const push = await pushByRow(workbench, BROWSER);
    assert.ok(push.succeeded, push.lines.join('\n'));
    const view = await openBrowsers(workbench);
    await view.clickRowAction(BROWSER, commandTitle(COMMANDS.openScroll));
    await workbench.editors.webview().getByRole('img', { name: SCROLL.screen }).waitFor();
    await workbench.run(COMMANDS.scrollDown);
    const service = await readLocalService(server.userDir);
    assert.ok(service, 'no local service is running');
    await view.clickRowMenu(BROWSER, commandTitle(COMMANDS.deleteBrowser));
    await workbench.press(BUTTONS.delete);
    await view.row(BROWSER).waitFor({ state: 'detached' });
    const uses = await opened();
    assert.ok(uses.length > 0, 'nothing was recorded');
    const { host } = new URL(service.baseUrl);
    assert.deepEqual(
      uses.filter(({ kind, target }) => kind !== 'connection' || target !== host),
      [],
    );
  });
}).timeout(120_000);
