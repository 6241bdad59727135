// Covers: src/editor/screen
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { commands, window, type Tab } from 'vscode';
import { COMMANDS } from '../../src/ids';
import { DevTools, type Target } from '../contract/devtools';
import { EditorBrowser, leaveService, serviceUrl, useService } from '../extensionHost/editorBrowser';
import { eventually } from '../support/eventually';
import { ServiceProxy } from '../standins/serviceProxy';
import { MESSAGES } from '../workbench/phrases';
import { SideloadLog } from '../extensionHost/sideloadLog';

const BROWSER = 'commanded';

/** How long a command may take to reach the page, in milliseconds. */
const REACH_LIMIT_MS = 30_000;

/** How often a list that is perhaps not yet open is answered, in milliseconds. */
const ANSWER_MS = 500;

/** A page with a button in its corner. */
const PAGE = `data:text/html,<title>commanded</title><body style="margin:0"><button style="position:absolute;left:0;top:0;width:200px;height:100px" onclick="document.title='clicked'">Press</button><input autofocus id="field">`;

/** VS Code's own browser, which the one of the tests does not have. */
const OWN_BROWSER = 'workbench.action.browser.open';

/** In the address of a live view. */
const SECRET = 'S3CRETMARK';

/** VS Code's commands that answer a list. They do nothing while none is open, which no extension can find out. */
const LAST_CHOICE = ['quickInput.last', 'quickInput.accept'];
const CANCEL = ['workbench.action.closeQuickOpen'];

/** Answers the list that a command opens, until the command has ended. */
async function answered(command: Thenable<unknown>, answer: readonly string[]): Promise<void> {
  let hasEnded = false;
  void command.then(() => (hasEnded = true));
  await eventually(
    'the question is answered',
    () => hasEnded,
    REACH_LIMIT_MS,
    async () => {
      await delay(ANSWER_MS);
      for (const id of answer) await commands.executeCommand(id);
    },
  );
  await command;
}

describe('screen commands', () => {
  let browser: EditorBrowser;
  let devtools: DevTools;
  let page: Target;
  let folder: string;

  before(async function () {
    this.timeout(120_000);
    folder = await mkdtemp(join(tmpdir(), 'sideload-screen-'));
    await useService();
    browser = await EditorBrowser.start(BROWSER);
    devtools = await DevTools.connect(browser.described.devToolsUrl);
    page = await devtools.attachToPage();
  });

  after(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    devtools.close();
    await browser.end();
    await leaveService();
    await rm(folder, { recursive: true, force: true });
  });

  async function reaches(expression: string): Promise<void> {
    await eventually(expression, async () => (await page.evaluate(expression)) === true, REACH_LIMIT_MS);
  }

  it('do without a screen what it could do, by their arguments', async () => {
    const named = { browser: BROWSER };
    await commands.executeCommand(COMMANDS.screenGo, { ...named, address: PAGE });
    await reaches('document.title === "commanded"');
    await commands.executeCommand(COMMANDS.screenZoom, { ...named, percent: 150 });
    await reaches('devicePixelRatio === 1.5');
    await commands.executeCommand(COMMANDS.screenZoom, { ...named, percent: 100 });
    await reaches('devicePixelRatio === 1');
    await commands.executeCommand(COMMANDS.screenClick, { ...named, x: 100, y: 50 });
    await reaches('document.title === "clicked"');
    await commands.executeCommand(COMMANDS.screenNewTab, named);
    await reaches('document.visibilityState === "hidden"');
    await commands.executeCommand(COMMANDS.screenTab, { ...named, tab: 'clicked' });
    await reaches('document.visibilityState === "visible"');
    const file = join(folder, 'screen.png');
    await commands.executeCommand(COMMANDS.savePicture, { ...named, file });
    assert.equal((await readFile(file)).subarray(1, 4).toString(), 'PNG');
  });

  it('refuse a zoom that no browser has, and the whole screen of a browser that has no window', async () => {
    const named = { browser: BROWSER };
    const log = await SideloadLog.fromNow();
    for (const percent of [24, 501, '100']) {
      await commands.executeCommand(COMMANDS.screenZoom, { ...named, percent });
    }
    await log.find(MESSAGES.zoomRange(25, 500), 3);
    assert.equal(await page.evaluate('devicePixelRatio'), 1);
    await commands.executeCommand(COMMANDS.screenWhole, { ...named, whole: true });
    await log.find(MESSAGES.noWindow(BROWSER));
  });

  it('open a screen at the place that they name, and one for each browser of each service', async () => {
    const screens = (): { tab: Tab; column: number }[] =>
      window.tabGroups.all.flatMap(({ tabs, viewColumn }) =>
        tabs.filter(({ label }) => label.includes(BROWSER)).map((tab) => ({ tab, column: viewColumn })),
      );
    // VS Code reports tabs a little later.
    const areIn = async (...columns: number[]): Promise<void> => {
      const seen = (): string =>
        screens()
          .map(({ column }) => column)
          .join();
      await eventually(
        () => `columns ${seen()}, not ${columns.join()}`,
        () => seen() === columns.join(),
        REACH_LIMIT_MS,
      );
    };
    await commands.executeCommand('workbench.action.closeAllEditors');
    await commands.executeCommand('workbench.action.files.newUntitledFile');
    await commands.executeCommand(COMMANDS.openScroll, { browser: BROWSER, place: 'tab' });
    await areIn(1);
    await commands.executeCommand(COMMANDS.openScroll, { browser: BROWSER });
    await areIn(1);
    for (const { tab } of screens()) await window.tabGroups.close(tab);
    await areIn();
    await commands.executeCommand(COMMANDS.openScroll, { browser: BROWSER });
    await areIn(2);
    // The same ids, of a service at another address.
    const other = await ServiceProxy.start(serviceUrl());
    try {
      await useService(other.baseUrl);
      await commands.executeCommand(COMMANDS.openScroll, { browser: BROWSER, place: 'tab' });
      await areIn(2, 2);
    } finally {
      await useService();
      other.stop();
    }
  });

  it('open a live view in the editor only where that is chosen, and give its address to nothing else', async () => {
    // Of this machine, since VS Code asks before it opens others. That it is opened outside is seen through the user interface.
    const address = `http://127.0.0.1:9/live?jwt=${SECRET}%2F1`;
    const proxy = await ServiceProxy.start(serviceUrl());
    proxy.changeJson = (json) =>
      json.replaceAll('"session_id":', `"browser_live_view_url":${JSON.stringify(address)},"session_id":`);
    const log = await SideloadLog.fromNow();
    const opened: unknown[][] = [];
    const own = commands.registerCommand(OWN_BROWSER, (...args: unknown[]) => {
      opened.push(args);
    });
    try {
      await useService(proxy.baseUrl);
      await commands.executeCommand(COMMANDS.openLiveView, { browser: BROWSER, place: 'outside' });
      assert.deepEqual(opened, []);
      await commands.executeCommand(COMMANDS.openLiveView, { browser: BROWSER, place: 'editor' });
      assert.deepEqual(opened, [[address]]);
      const choose = (): Promise<void> =>
        answered(commands.executeCommand(COMMANDS.openLiveView, { browser: BROWSER }), LAST_CHOICE);
      // A list that opens between the two commands has its first entry taken, which is the other place.
      await eventually('the last entry is taken', () => opened.length > 1, REACH_LIMIT_MS, choose);
      assert.deepEqual(opened, [[address], [address]]);
      await answered(commands.executeCommand(COMMANDS.openLiveView, { browser: BROWSER }), CANCEL);
      assert.equal(opened.length, 2);
      assert.deepEqual(
        log.lines.filter((line) => line.includes(SECRET)),
        [],
      );
    } finally {
      own.dispose();
      await useService();
      proxy.stop();
    }
  });
});
