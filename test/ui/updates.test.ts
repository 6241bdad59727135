// Covers: src/editor/publish, src/publish, src/editor/push/exportPackage.ts
import assert from 'node:assert/strict';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { COMMANDS, VIEWS } from '../../src/ids';
import { eventually } from '../support/eventually';
import { packTexts } from '../support/packFiles';
import { CACHE } from '../support/paths';
import { BUTTONS, TEST_ROWS, UPDATES } from '../workbench/phrases';
import { createExpanded, deleteBrowser, openBrowsers } from '../workbench/pushing';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle, viewTitle } from '../workbench/titles';
import type { Workbench } from '../workbench/workbench';

/** How long an update test may take on a busy machine, in milliseconds. */
const TEST_LIMIT_MS = 60_000;

/** How long a window without a test may take to show so, in milliseconds. */
const LEFT_LIMIT_MS = 20_000;

const EXTENSION = 'Sideload Sample';

/** What a version stores when it was installed or updated. */
const storing = (theme: string): string =>
  `chrome.runtime.onInstalled.addListener(() => chrome.storage.local.set({ theme: '${theme}' }));\n`;

describe('Test Update From…', () => {
  let shared: SharedWindow;
  let workbench: Workbench;
  let old: string;
  let script: string;

  before(async function () {
    shared = await sharedWindow(this);
    ({ workbench } = shared);
    // Keys are for what has the focus.
    await workbench.editors.open('manifest.json');
    old = await mkdtemp(join(tmpdir(), 'sideload-ui-old-'));
    await cp(shared.folder, old, { recursive: true });
    const manifest = JSON.parse(await readFile(join(old, 'manifest.json'), 'utf8')) as object;
    await writeFile(join(old, 'manifest.json'), JSON.stringify({ ...manifest, version: '0.9' }));
    script = await readFile(join(old, 'background.js'), 'utf8');
    await appendFile(join(old, 'background.js'), storing('dark'));
    await writeFile(join(shared.folder, 'background.js'), `${script}${storing('light')}`);
  });
  after(async () => {
    await writeFile(join(shared.folder, 'background.js'), script);
    await workbench.editors.discard();
    await rm(old, { recursive: true, force: true });
  });

  const picture = (name: string): Promise<void> => workbench.picture(join(CACHE, 'ui', name));
  const reportTab = (): Locator => workbench.page.getByRole('tab', { name: /update\.md/ });

  /** Runs the command for a folder with an old version, which stores what it stores. */
  async function testFrom(kind: string, path: string): Promise<void> {
    await workbench.runThatAsks(COMMANDS.testUpdate);
    await workbench.quickInput.pick(kind);
    await workbench.quickInput.chooseFile(path);
    await workbench.quickInput.pick(UPDATES.ownStorage);
  }

  async function closeReport(): Promise<void> {
    await reportTab().click({ button: 'middle' });
    await reportTab().waitFor({ state: 'detached' });
  }

  it('asks for the old version, and opens the report about the update', async () => {
    await testFrom('Folder…', `${old}/`);
    await reportTab().waitFor({ timeout: TEST_LIMIT_MS });
    const page = workbench.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    await page.getByRole('heading', { name: /^Update of .* from 0\.9 to / }).waitFor();
    await page.getByText('It runs after the update').waitFor();
    await picture('update-report.png');
    await closeReport();
  });

  it('compares the data before and after the update', async () => {
    await workbench.notification(UPDATES.differs(EXTENSION));
    await workbench.press(UPDATES.compare);
    const tab = workbench.page.getByRole('tab', { name: UPDATES.comparison });
    await tab.waitFor();
    const editor = workbench.page.locator('.monaco-diff-editor');
    await editor.locator('.editor.original').getByText('dark').first().waitFor();
    await editor.locator('.editor.modified').getByText('light').first().waitFor();
    await picture('update-data.png');
    await tab.click({ button: 'middle' });
    await tab.waitFor({ state: 'detached' });
    await workbench.clearNotifications();
  });

  /** Runs the test of the update in the Test view, until its row has the name. */
  async function runFromTestView(ended: (label: string) => RegExp): Promise<void> {
    await workbench.command('Testing: Focus on Test Explorer View');
    const row = (name: RegExp): Locator => workbench.page.locator('.test-explorer').getByRole('treeitem', { name });
    const label = UPDATES.row('sample', basename(old));
    const update = row(new RegExp(`^${label}`));
    await update.waitFor();
    await update.hover();
    await update.getByRole('button', { name: /^Run Test/ }).click();
    await row(ended(label)).waitFor({ timeout: TEST_LIMIT_MS });
  }

  /** Waits until the view Test Results shows a text. */
  async function resultsShow(text: RegExp): Promise<void> {
    const shown = workbench.page.locator('.part.panel .test-output-peek-message-container');
    let last = '';
    const isShown = async (): Promise<boolean> => {
      last = (await shown.innerText({ timeout: 1000 }).catch(() => '')).replaceAll(/\s+/g, ' ');
      return text.test(last);
    };
    await eventually(() => `Test Results shows ${text}, and not: ${last}`, isShown, TEST_LIMIT_MS);
  }

  it('is in the Test view then, where it runs again by itself', async () => {
    await runFromTestView(TEST_ROWS.passed);
    await picture('update-tests.png');
    assert.equal(await reportTab().count(), 0, 'the report of a test in the Test view is in its rows');
  });

  it('says in Test Results what each check has found, and why one has failed', async () => {
    await workbench.command('Test: Show Output');
    await resultsShow(
      /Its version number rises: From 0\.9 to 1\.0\.0 .*Its users are not asked again: Nothing is new /,
    );
    await resultsShow(/It runs after the update: Its service worker has run to its end\./);
    await picture('update-results.png');
    const next = join(shared.folder, 'background.js');
    const good = await readFile(next, 'utf8');
    await writeFile(next, `${good}throw new Error('planted');\n`);
    try {
      await runFromTestView(TEST_ROWS.failed);
      await resultsShow(/It runs after the update: Its service worker failed\. Error: planted /);
      await resultsShow(/It has no error after the update: background\.js:\d+:\d+ worker: Error: planted/);
      await picture('update-failed.png');
    } finally {
      await writeFile(next, good);
    }
  });

  it('leaves nothing when it is cancelled', async () => {
    const browsers = await openBrowsers(workbench);
    const left = async (): Promise<unknown> => [
      await browsers.rows(),
      (await readdir(tmpdir())).filter((name) => name.startsWith('sideload-update-')),
    ];
    const before = JSON.stringify(await left());
    const texts = { 'manifest.json': JSON.stringify({ manifest_version: 3, name: EXTENSION, version: '0.9' }) };
    const zip = join(old, '..', `sideload-ui-old-${process.pid}.zip`);
    await writeFile(zip, await (await packTexts(texts)).zip());
    try {
      await testFrom('Zip or Crx File…', zip);
      await workbench.notification(UPDATES.runs, TEST_LIMIT_MS);
      await workbench.press(BUTTONS.cancel);
      await eventually(
        async () => `${JSON.stringify(await left())} becomes ${before}`,
        async () => JSON.stringify(await left()) === before,
        LEFT_LIMIT_MS,
      );
      assert.equal(await reportTab().count(), 0);
      assert.deepEqual(await workbench.notifications(), []);
    } finally {
      await rm(zip, { force: true });
    }
  });

  it('says at which step it could not go on', async () => {
    await workbench.runThatAsks(COMMANDS.testUpdate);
    await workbench.quickInput.pick('Tag or Commit…');
    await workbench.quickInput.answer('no-such-tag');
    await workbench.quickInput.pick(UPDATES.ownStorage);
    await workbench.notification(
      /The update was not tested\. Getting the old version: .*(no git repository|no tag or commit)/,
    );
    await workbench.clearNotifications();
  });

  it('takes a build of the view Pushes as the old version, by its row and in its question', async () => {
    const browser = 'ui-updates';
    await (await createExpanded(shared, browser, EXTENSION)).witness.close();
    try {
      const pushes = workbench.view(viewTitle(VIEWS.pushes));
      await pushes.open();
      // What the mouse rests on has a description, which covers rows.
      await workbench.page.mouse.move(0, 0);
      await workbench.untilAsked(
        () => pushes.clickRowMenu(browser, commandTitle(COMMANDS.testUpdate)),
        COMMANDS.testUpdate,
      );
      await workbench.quickInput.pick(UPDATES.ownStorage);
      await reportTab().waitFor({ timeout: TEST_LIMIT_MS });
      const page = workbench.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
      await page.getByText(UPDATES.pushedBuild('1.0.0')).waitFor();
      await closeReport();
      await workbench.clearNotifications();
      await workbench.runThatAsks(COMMANDS.testUpdate);
      const [first = ''] = await workbench.quickInput.entries();
      assert.match(first, UPDATES.buildChoice('1.0.0', browser));
      await picture('update-choices.png');
      await workbench.page.keyboard.press('Escape');
    } finally {
      await deleteBrowser(workbench, browser);
      await workbench.clearNotifications();
    }
  });
}).timeout(180_000);

describe('Export Package…', () => {
  let shared: SharedWindow;
  let workbench: Workbench;
  let file: string;

  before(async function () {
    shared = await sharedWindow(this);
    ({ workbench } = shared);
    await workbench.editors.open('manifest.json');
    file = join(dirname(shared.folder), 'exported', 'sample.zip');
    await mkdir(dirname(file), { recursive: true });
  });
  after(async () => {
    await workbench.editors.discard();
    await rm(dirname(file), { recursive: true, force: true });
  });

  it('writes the zip for a store to a file that the user chooses, and names its size', async () => {
    await workbench.runThatAsks(COMMANDS.exportPackage);
    await workbench.quickInput.chooseFile(file);
    const { message } = await workbench.notification(/The package was saved to .*: \d+ files, /);
    await workbench.picture(join(CACHE, 'ui', 'export-package.png'));
    assert.ok(message.includes(file), message);
    assert.equal((await readFile(file)).toString('latin1', 0, 2), 'PK');
    await workbench.clearNotifications();
  });

  it('writes none of a manifest that Chromium refuses, and leads to Problems', async () => {
    const good = await readFile(join(shared.folder, 'manifest.json'), 'utf8');
    await rm(file, { force: true });
    await writeFile(join(shared.folder, 'manifest.json'), good.replace('"1.0.0"', '"1.x"'));
    try {
      await workbench.run(COMMANDS.exportPackage);
      const { buttons } = await workbench.notification(
        /There is no package, because Chromium would refuse it: manifest\.json:4:14: /,
      );
      assert.ok(buttons.includes('Show Problems'), buttons.join());
      await workbench.picture(join(CACHE, 'ui', 'export-refused.png'));
      assert.deepEqual(await readdir(dirname(file)), []);
    } finally {
      await writeFile(join(shared.folder, 'manifest.json'), good);
      await workbench.clearNotifications();
    }
  });
}).timeout(120_000);
