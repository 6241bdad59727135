// Covers: src/editor/publish, src/publish
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS } from '../../src/ids';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';

/** How long an update test may take on a busy machine, in milliseconds. */
const TEST_LIMIT_MS = 60_000;

describe('Test Update From…', () => {
  let shared: SharedWindow;
  let old: string;

  before(async function () {
    shared = await sharedWindow(this);
    // Keys are for what has the focus.
    await shared.workbench.editors.open('manifest.json');
    old = await mkdtemp(join(tmpdir(), 'sideload-ui-old-'));
    await cp(shared.folder, old, { recursive: true });
    const manifest = JSON.parse(await readFile(join(old, 'manifest.json'), 'utf8')) as object;
    await writeFile(join(old, 'manifest.json'), JSON.stringify({ ...manifest, version: '0.9' }));
  });
  after(async () => {
    await shared.workbench.editors.discard();
    await rm(old, { recursive: true, force: true });
  });

  it('asks for the old version, and opens the report about the update', async () => {
    const { workbench } = shared;
    await workbench.runThatAsks(COMMANDS.testUpdate);
    await workbench.quickInput.pick('Folder…');
    await workbench.quickInput.chooseFile(`${old}/`);
    await workbench.quickInput.pick('What the old version stores when its pages are opened');
    const tab = workbench.page.getByRole('tab', { name: /update\.md/ });
    await tab.waitFor({ timeout: TEST_LIMIT_MS });
    const page = workbench.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    await page.getByRole('heading', { name: /^Update of .* from 0\.9 to / }).waitFor();
    await page.getByText('It runs after the update').waitFor();
    await tab.click({ button: 'middle' });
    await tab.waitFor({ state: 'detached' });
    await workbench.clearNotifications();
  });

  it('says at which step it could not go on', async () => {
    const { workbench } = shared;
    await workbench.runThatAsks(COMMANDS.testUpdate);
    await workbench.quickInput.pick('Tag or Commit…');
    await workbench.quickInput.answer('no-such-tag');
    await workbench.quickInput.pick('What the old version stores when its pages are opened');
    await workbench.notification(
      /The update was not tested\. Getting the old version: .*(no git repository|no tag or commit)/,
    );
    await workbench.clearNotifications();
  });
}).timeout(120_000);
