// Covers: src/editor, src/service
import assert from 'node:assert/strict';
import manifest from '../../package.json';
import { COMMANDS, VIEWS, type CommandId } from '../../src/ids';
import { DocumentService } from '../standins/documentService';
import { eventually } from '../support/eventually';
import { NAMED, TIDY_KEYS } from '../workbench/keys';
import { BUTTONS, MESSAGES, QUICK_INPUT, WELCOME } from '../workbench/phrases';
import { openBrowsers } from '../workbench/pushing';
import { chooseOtherService, leaveOtherService } from '../workbench/services';
import { sharedWindow } from '../workbench/sharedWindow';
import { viewTitle } from '../workbench/titles';
import type { Workbench } from '../workbench/workbench';

/** How long a command may take until something is seen of it, in milliseconds. */
const SEEN_LIMIT_MS = 15_000;

/** How long it may take until all is closed that a command has opened, in milliseconds. */
const TIDY_LIMIT_MS = 60_000;

/** Interval at which the window is read, in milliseconds. */
const LOOK_MS = 50;

/** How long a command that shows nothing must go on showing nothing, in milliseconds. */
const QUIET_MS = 700;

/** How long a box may stay after its answer, in milliseconds. */
const NEXT_MS = 300;

/** The buttons that let a command do its work. */
const YES = new RegExp(`^(${BUTTONS.delete}|${BUTTONS.restartAndPush})$`);

/** Most questions of a command. */
const MOST_QUESTIONS = 4;

/** The documented operations, for what the argument names; of the upload, a message tells. */
const DOCUMENTED = /^(POST \/browsers\/brw-1\/computer\/scroll|GET \/profiles\/team|DELETE \/extensions\/old-build)$/;

/** What is typed where a command asks for a text, unless it is a point. */
const ANSWERS: Partial<Record<CommandId, string>> = {
  [COMMANDS.renameBrowser]: 'renamed',
  [COMMANDS.renameProfile]: 'renamed',
  [COMMANDS.scrollBy]: '3',
};
const POINT = '1, 2';

/** What a sentence says that names what is missing. */
const MISSING =
  /This service (does not|gives no|starts no)|gives no DevTools address|has not pushed the extension|The console is not started|no dialog that can be answered|DevTools/;

/**
 * How a command ends that names its browser, profile or stored extension: with a documented operation, with a sentence about what is
 * missing, with a screen, or with a change in the window alone.
 */
type End = 'documented' | 'missing' | 'screen' | 'quiet';

/** Every command: the end of one that is for a browser, a profile or a stored extension; null for one that is for none. */
const ENDS: Record<CommandId, End | null> = {
  [COMMANDS.runExtension]: null,
  [COMMANDS.debugExtension]: 'missing',
  [COMMANDS.push]: 'documented',
  [COMMANDS.pushToRow]: 'documented',
  [COMMANDS.pushTo]: 'documented',
  [COMMANDS.chooseBrowsers]: 'quiet',
  [COMMANDS.setTarget]: 'quiet',
  [COMMANDS.pushToSeveral]: 'documented',
  [COMMANDS.pinBrowser]: 'quiet',
  [COMMANDS.unpinBrowser]: 'quiet',
  [COMMANDS.createBrowser]: null,
  [COMMANDS.createBrowserWithOptions]: null,
  [COMMANDS.enterBrowser]: null,
  [COMMANDS.enterProfile]: null,
  [COMMANDS.enterExtension]: null,
  [COMMANDS.removeEntered]: null,
  [COMMANDS.deleteBrowser]: 'missing',
  [COMMANDS.renameBrowser]: 'missing',
  [COMMANDS.openLiveView]: 'missing',
  [COMMANDS.reloadExtension]: 'missing',
  [COMMANDS.removeExtension]: 'missing',
  [COMMANDS.showTab]: 'missing',
  [COMMANDS.reloadTab]: 'missing',
  [COMMANDS.closeTab]: 'missing',
  [COMMANDS.stopWorker]: 'missing',
  [COMMANDS.localhost]: null,
  [COMMANDS.openLocalhost]: 'missing',
  [COMMANDS.stopLocalhost]: null,
  [COMMANDS.showLocalhostRequests]: null,
  [COMMANDS.wakeWorker]: 'missing',
  [COMMANDS.openPopup]: 'missing',
  [COMMANDS.pressAction]: 'missing',
  [COMMANDS.openOptions]: 'missing',
  [COMMANDS.openSidePanel]: 'missing',
  [COMMANDS.copyId]: 'quiet',
  [COMMANDS.deleteSelected]: null,
  [COMMANDS.renameSelected]: null,
  [COMMANDS.createProfile]: null,
  [COMMANDS.showProfile]: 'documented',
  [COMMANDS.renameProfile]: 'missing',
  [COMMANDS.deleteProfile]: 'missing',
  [COMMANDS.storeExtension]: null,
  [COMMANDS.downloadExtension]: 'missing',
  [COMMANDS.deleteExtension]: 'documented',
  [COMMANDS.showRecords]: null,
  [COMMANDS.refresh]: null,
  [COMMANDS.loadMore]: null,
  [COMMANDS.searchBrowsers]: null,
  [COMMANDS.searchProfiles]: null,
  [COMMANDS.clearBrowserSearch]: null,
  [COMMANDS.clearProfileSearch]: null,
  [COMMANDS.chooseService]: null,
  [COMMANDS.installBrowser]: null,
  [COMMANDS.setToken]: null,
  [COMMANDS.clearToken]: null,
  [COMMANDS.removeAllData]: null,
  [COMMANDS.openScroll]: 'screen',
  [COMMANDS.scrollUp]: 'documented',
  [COMMANDS.scrollDown]: 'documented',
  [COMMANDS.scrollLeft]: 'documented',
  [COMMANDS.scrollRight]: 'documented',
  [COMMANDS.scrollPageUp]: 'documented',
  [COMMANDS.scrollPageDown]: 'documented',
  [COMMANDS.scrollToTop]: 'missing',
  [COMMANDS.scrollToBottom]: 'missing',
  [COMMANDS.scrollBy]: 'documented',
  [COMMANDS.setScrollPoint]: 'quiet',
  [COMMANDS.holdScrollKeys]: 'quiet',
  [COMMANDS.refreshPicture]: 'screen',
  [COMMANDS.screenBack]: 'missing',
  [COMMANDS.screenForward]: 'missing',
  [COMMANDS.screenReload]: 'missing',
  [COMMANDS.screenNewTab]: 'missing',
  [COMMANDS.screenGo]: 'missing',
  [COMMANDS.screenSize]: 'missing',
  [COMMANDS.screenClick]: 'missing',
  [COMMANDS.screenType]: 'missing',
  [COMMANDS.screenTab]: 'missing',
  [COMMANDS.screenZoom]: 'missing',
  [COMMANDS.screenDescribe]: 'missing',
  [COMMANDS.screenAnswer]: 'missing',
  [COMMANDS.screenCloseSurface]: 'missing',
  [COMMANDS.screenRecord]: 'screen',
  [COMMANDS.screenWhole]: 'screen',
  [COMMANDS.openScreenInSidebar]: 'screen',
  [COMMANDS.savePicture]: 'missing',
  [COMMANDS.togglePushOnSave]: null,
  [COMMANDS.chooseFolder]: null,
  [COMMANDS.exportPackage]: null,
  [COMMANDS.runBuild]: null,
  [COMMANDS.setPushOnSave]: null,
  [COMMANDS.openPage]: 'missing',
  [COMMANDS.showMenu]: null,
  [COMMANDS.showContents]: null,
  [COMMANDS.hideContents]: null,
  [COMMANDS.addToFileList]: null,
  [COMMANDS.comparePushes]: null,
  [COMMANDS.testUpdate]: null,
  [COMMANDS.startConsole]: 'missing',
  [COMMANDS.stopConsole]: 'missing',
  [COMMANDS.showConsole]: null,
  [COMMANDS.showLog]: null,
  [COMMANDS.doctor]: 'missing',
  [COMMANDS.openStorage]: 'missing',
  [COMMANDS.clearStorage]: 'missing',
  [COMMANDS.exportStorage]: 'missing',
  [COMMANDS.importStorage]: 'missing',
  [COMMANDS.fireAlarm]: 'missing',
  [COMMANDS.freshInstall]: 'missing',
  [COMMANDS.hostAccess]: 'missing',
  [COMMANDS.allowInIncognito]: 'missing',
  [COMMANDS.allowFileAccess]: 'missing',
  [COMMANDS.pinToToolbar]: 'missing',
  [COMMANDS.optionalPermissions]: 'missing',
  [COMMANDS.showAgentConfiguration]: null,
};

/** VS Code shows no more than three toasts in 800 ms (`SPAM_PROTECTION` of its toasts); others go to the list of notifications alone. */
const TOAST_PAUSE_MS = 400;

/** What is shown before a command has come to its end. */
const UNDER_WAY = [MESSAGES.pushing, /^Starting a browser$/, /^Downloading /, /^Examining/];

/** What is seen of a command. */
type Seen =
  | { kind: 'list'; entries: readonly string[] }
  | { kind: 'box' | 'dialog' | 'screen' | 'nothing' | 'documented' }
  | { kind: 'message'; text: string };

describe('each command that is for a browser, a profile or a stored extension, with a service that has five operations', () => {
  let workbench: Workbench;
  let service: DocumentService;
  const chosen = Object.entries(ENDS).flatMap(([id, end]) => {
    const command = Object.values(COMMANDS).find((known) => known === id);
    return command && end ? [{ command, end }] : [];
  });

  before(async function () {
    ({ workbench } = await sharedWindow(this));
    service = await DocumentService.start({ browsers: [NAMED.browser] });
    const browsers = await openBrowsers(workbench);
    await chooseOtherService(workbench, service.baseUrl, service.token);
    await browsers.waitForWelcome(WELCOME.browsersUnlisted);
  });

  after(async function () {
    this.timeout(120_000);
    await leaveOtherService(workbench);
    await service.stop();
  });

  beforeEach(() => {
    service.profiles.set('prf-1', { id: 'prf-1', name: NAMED.profile });
    service.stored.add(NAMED.extension);
  });

  /** What is seen first of a command that was run, with the end that it must come to. */
  async function firstSeen(wanted: End): Promise<Seen> {
    const { page, quickInput } = workbench;
    const end = performance.now() + (wanted === 'quiet' ? QUIET_MS : SEEN_LIMIT_MS);
    while (performance.now() < end) {
      if ((await workbench.question()) !== undefined) return { kind: 'dialog' };
      if (await quickInput.isOpen()) {
        const rows = page.locator('.quick-input-widget .quick-input-list .monaco-list-row');
        const entries = await rows.allInnerTexts();
        if (entries.length > 0) return { kind: 'list', entries: entries.map((text) => text.trim()) };
        if (await page.locator('.quick-input-widget .quick-input-message').isVisible()) return { kind: 'box' };
      }
      const [message] = (await workbench.notifications()).filter(
        ({ message: text }) => !UNDER_WAY.some((step) => step.test(text)),
      );
      if (message) return { kind: 'message', text: message.message };
      const isAsked = service.requests.some((request) => DOCUMENTED.test(request));
      if (wanted === 'documented' && isAsked) return { kind: 'documented' };
      if ((await page.locator('iframe.webview.ready:visible').count()) > 0) return { kind: 'screen' };
      await page.waitForTimeout(LOOK_MS);
    }
    // On a busy machine, VS Code may have made no toast of it.
    const [listed] = wanted === 'quiet' ? [] : await workbench.listedNotifications();
    return listed ? { kind: 'message', text: listed.message } : { kind: 'nothing' };
  }

  async function tidy(): Promise<void> {
    const { page } = workbench;
    await workbench.backOut();
    const tabs = page.locator('.editor-group-container .tab');
    await eventually(
      async () => `still shown: ${JSON.stringify(await workbench.notifications())}, ${await tabs.count()} editors`,
      async () => {
        const [toasts, open] = [(await workbench.notifications()).length, await tabs.count()];
        if (toasts > 0) await page.keyboard.press(TIDY_KEYS.clearNotifications.press);
        if (open > 0) await page.keyboard.press(TIDY_KEYS.discardEditor.press);
        return toasts + open === 0;
      },
      TIDY_LIMIT_MS,
    );
    await workbench.view(viewTitle(VIEWS.screen)).close();
    service.clear();
    await page.waitForTimeout(TOAST_PAUSE_MS);
  }

  it('is in the table, as are all others', () => {
    assert.deepEqual(Object.keys(ENDS).sort(), manifest.contributes.commands.map(({ command }) => command).sort());
  });

  it('lets an id be entered, or says what is missing', async () => {
    const faults: string[] = [];
    for (const { command } of chosen) {
      await tidy();
      await workbench.run(command);
      const seen = await firstSeen('missing');
      const isOffered =
        (seen.kind === 'list' && seen.entries.at(-1)?.includes(QUICK_INPUT.enterId) === true) ||
        (seen.kind === 'box' && (await workbench.quickInput.opened()).includes('Enter ')) ||
        (seen.kind === 'message' && (MISSING.test(seen.text) || /^There is nothing with an id\.$/.test(seen.text)));
      if (!isOffered) faults.push(`${command}: ${JSON.stringify(seen)}`);
    }
    await tidy();
    assert.deepEqual(faults, []);
  });

  it('takes its name as an argument, and comes to the documented operation, or says what is missing', async () => {
    const faults: string[] = [];
    for (const { command, end } of chosen) {
      await tidy();
      service.stored.add(NAMED.extension);
      await workbench.run(command, 'withArgument');
      let seen = await firstSeen(end);
      for (let questions = 0; questions < MOST_QUESTIONS; questions++) {
        if (seen.kind === 'dialog')
          await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: YES }).click();
        else if (seen.kind === 'list') await workbench.quickInput.accept();
        else if (seen.kind === 'box') await workbench.quickInput.answer(ANSWERS[command] ?? POINT);
        else break;
        // Another question may follow in the same box.
        await workbench.page.waitForTimeout(NEXT_MS);
        seen = await firstSeen(end);
      }
      if (!isEnd(end, seen)) faults.push(`${command}: ${end}, seen ${JSON.stringify(seen)}`);
      if (service.count(/^GET \/(browsers|profiles|extensions)(\?|$)/) > 0) faults.push(`${command} asks for a list`);
    }
    await tidy();
    assert.deepEqual(faults, []);
    const browsers = workbench.view(viewTitle(VIEWS.browsers));
    await browsers.waitForRow(NAMED.browser);
    await workbench.view(viewTitle(VIEWS.browsers)).clickRowMenu(NAMED.browser, 'Remove from List');
    await browsers.waitForWelcome(WELCOME.browsersUnlisted);
  });
}).timeout(400_000);

/** Whether what is seen of a command is the end that it must come to. */
function isEnd(end: End, seen: Seen): boolean {
  switch (end) {
    case 'documented':
      return seen.kind === 'documented' || (seen.kind === 'message' && seen.text.startsWith('Uploaded to brw-1; '));
    case 'missing':
      return seen.kind === 'message' && MISSING.test(seen.text);
    case 'screen':
      return seen.kind === 'screen';
    case 'quiet':
      return seen.kind === 'nothing';
  }
}
