import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import type { CommandId } from '../../src/ids';
import { atEnd } from '../support/cleanup';
import { eventually } from '../support/eventually';
import { Editors } from './editors';
import { keysOf, type KeyedRun } from './keys';
import { OutputPanel } from './outputPanel';
import { ProblemsPanel } from './problemsPanel';
import { QuickInput } from './quickInput';
import { View } from './view';

/** The toasts, and the entries of the list of notifications while that is open. */
const NOTIFICATIONS = '.notifications-toasts .notification-toast, .notifications-center .notification-list-item';

/** Longest time until a new window can be used, in milliseconds: the first one of a server compiles its code. */
const OPEN_LIMIT_MS = 90_000;

/** How long the sidebar may take to open before its icon is clicked once more, in milliseconds, and how often that is done. */
const SIDEBAR_LIMIT_MS = 8000;
const SIDEBAR_CLICKS = 3;

/** Longest time for one action of the window, in milliseconds. */
const ACTION_LIMIT_MS = 40_000;

/** How long notifications that were closed may take to go, in milliseconds. */
const FADE_MS = 300;

/** Most dialogs that can be open at once. */
const BACK_OUT_TRIES = 5;

/** How long a question must stay to be taken for one, and the panel hidden, in milliseconds. */
const STAYS_MS = 600;

/** How long a question may take to come, in milliseconds. */
const ASK_LIMIT_MS = 5000;

/** How often a question is asked for. */
const ATTEMPTS_TO_ASK = 3;

/** Size of the window in CSS pixels: room for the sidebar, an editor and the panel. */
export const WINDOW_SIZE = { width: 1440, height: 900 } as const;

/** Disables animations: without a GPU, spinners and progress bars keep a core busy. */
const STILL_PICTURES = `addEventListener('DOMContentLoaded', () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, *::before, *::after { animation: none !important; transition: none !important; }');
  document.adoptedStyleSheets.push(sheet);
});`;

/**
 * Features of Chromium that cost time in each new window: its address bar is a web page. Chromium takes the last list alone, so that
 * those which Playwright switches off and which concern a window of VS Code are repeated.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
];

/** What a notification shows. */
export interface Notification {
  readonly message: string;
  readonly buttons: readonly string[];
}

export interface WorkbenchOptions {
  /** Program of the browser that shows the window. */
  readonly browserPath: string;
  /** Whether the browser opens a window on this machine's display. */
  readonly headed?: boolean;
  /** Size of the window in CSS pixels. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Reads the lines of Sideload's log; without it they are taken from the Output panel, which takes longer. */
  readonly readLog?: () => Promise<string[]>;
  /** The language that extensions are asked to speak. VS Code itself stays English, since it has no language pack here. */
  readonly language?: string;
  /** `page`: do not wait for the sidebar; for a window that runs tests and may close itself. */
  readonly wait?: 'sidebar' | 'page';
}

/** A VS Code window, used through its user interface: visible text, clicks and keys. */
export class Workbench {
  static readonly #opened = new Set<Workbench>();

  readonly quickInput: QuickInput;
  readonly editors: Editors;
  readonly output: OutputPanel;
  readonly problems: ProblemsPanel;
  readonly #browser: Browser;
  readonly #close: () => Promise<void>;

  private constructor(
    browser: Browser,
    readonly page: Page,
    readonly readLog: WorkbenchOptions['readLog'],
  ) {
    this.#browser = browser;
    Workbench.#opened.add(this);
    this.#close = atEnd('VS Code window', () => this.#leave());
    this.quickInput = new QuickInput(page);
    this.editors = new Editors(page, this.quickInput);
    this.output = new OutputPanel(page);
    this.problems = new ProblemsPanel(page);
  }

  /** The windows of this process that are open, the first one first. */
  static get opened(): Workbench[] {
    return [...Workbench.#opened];
  }

  /** Opens a window at an address of `windowAddress` and waits until its sidebar can be used. */
  static async open(address: string, options: WorkbenchOptions): Promise<Workbench> {
    const browser = await chromium.launch({
      executablePath: options.browserPath,
      headless: options.headed !== true,
      // Signals are handled in cleanup.ts: Playwright would exit before the rest is closed.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      args: CHROMIUM_FLAGS,
    });
    const context = await browser.newContext({
      viewport: options.size ?? WINDOW_SIZE,
      permissions: ['clipboard-read', 'clipboard-write'],
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(ACTION_LIMIT_MS);
    await context.addInitScript({ content: STILL_PICTURES });
    if (options.language !== undefined) {
      await context.addInitScript({
        content: `globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(options.language)};`,
      });
    }
    const window = new Workbench(browser, await context.newPage(), options.readLog);
    try {
      await window.page.goto(address, { timeout: OPEN_LIMIT_MS });
      if (options.wait === 'page') return window;
      await window.page.locator('.monaco-workbench .part.sidebar').waitFor({ timeout: OPEN_LIMIT_MS });
      // Shown when the extension host has said which extensions it has.
      await window.page.getByRole('tab', { name: /^Explorer/ }).waitFor({ timeout: OPEN_LIMIT_MS });
    } catch (error) {
      await window.close();
      throw error;
    }
    return window;
  }

  /** Opens the sidebar of an activity-bar icon, unless it is open already. */
  async openSidebar(title: string): Promise<void> {
    const tab = this.page.locator('.activitybar').getByRole('tab', { name: title });
    await tab.waitFor({ timeout: OPEN_LIMIT_MS });
    const shown = this.page.locator('.part.sidebar .composite.title').getByText(title, { exact: false }).first();
    const isShown = (): Promise<boolean> =>
      shown.waitFor({ timeout: SIDEBAR_LIMIT_MS }).then(
        () => true,
        () => false,
      );
    for (let click = 0; click < SIDEBAR_CLICKS; click++) {
      if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
      if (await isShown()) return;
      // A window that was just loaded opens the sidebar as it was, and a click at that time hides it.
    }
    await shown.waitFor();
  }

  /** A view of the sidebar that is open, by its title. */
  view(title: string): View {
    return new View(this.page, title);
  }

  /** Runs a command of Sideload by the keys that windows of tests have for it; with the argument `NAMED` if that is wanted. */
  async run(id: CommandId, how: KeyedRun = 'plain'): Promise<void> {
    for (const key of keysOf(id, how).presses) await this.page.keyboard.press(key);
  }

  /** As `commandThatAsks`, by the keys of the command. */
  async runThatAsks(id: CommandId): Promise<void> {
    await this.untilAsked(() => this.run(id), id);
  }

  /** Hides the panel, until it stays hidden: on a busy machine, what was run before may show it late. */
  async hidePanel(): Promise<void> {
    const panel = this.page.locator('.part.panel');
    do {
      if (await panel.isVisible()) await this.command('View: Hide Panel');
      await panel.waitFor({ state: 'hidden' });
      await this.page.waitForTimeout(STAYS_MS);
    } while (await panel.isVisible());
  }

  /** Runs a command by its full title, "Category: Title", through the command palette. */
  async command(title: string): Promise<void> {
    await this.quickInput.runCommand(title);
  }

  /** Opens the palette with this text and returns the titles of all that it lists; it stays open. */
  async paletteEntries(text: string): Promise<string[]> {
    await this.page.keyboard.press('F1');
    return await this.quickInput.allTitles(`>${text}`);
  }

  /**
   * Runs a command that asks something, until its question stays. On a busy machine what had the focus before the palette may take it
   * back, which closes the question.
   */
  async commandThatAsks(title: string): Promise<void> {
    await this.untilAsked(() => this.command(title), title);
  }

  /** Does what asks something, until its question stays: see {@link commandThatAsks}. `name` says what that is. */
  async untilAsked(run: () => Promise<void>, name: string): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS_TO_ASK; attempt++) {
      await run();
      await this.page.waitForTimeout(STAYS_MS);
      if (await this.quickInput.isOpen()) return;
      // It comes late, or has gone.
      if (!(await this.quickInput.opensWithin(ASK_LIMIT_MS))) continue;
      await this.page.waitForTimeout(STAYS_MS);
      if (await this.quickInput.isOpen()) return;
    }
    throw new Error(`${name} asks nothing.`);
  }

  /** The status-bar item with this text in its label, or whose id ends so. */
  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator('.part.statusbar .statusbar-item').filter({ hasText: text });
  }

  /** The notifications that are open, newest first. One may close at any moment: it is left out then. */
  async notifications(): Promise<Notification[]> {
    const shown: Notification[] = [];
    for (const item of await this.#toasts().all()) {
      const [message] = await item.locator('.notification-list-item-message').allInnerTexts();
      if (message !== undefined) shown.push({ message, buttons: await buttonsOf(item) });
    }
    return shown;
  }

  /** The notifications in the list of VS Code, which has also those that no toast was made for; see `notification`. */
  async listedNotifications(): Promise<Notification[]> {
    await this.command('Notifications: Show Notifications');
    const listed = await this.notifications();
    await this.command('Notifications: Hide Notifications');
    return listed;
  }

  /**
   * Waits for a notification with this text and returns it. After three toasts within 0.8 s, VS Code shows further ones in its list of
   * notifications alone, as its bell tells: so after a while that list is opened.
   */
  async notification(text: string | RegExp, limitMs = ACTION_LIMIT_MS): Promise<Notification> {
    // In its list, VS Code shows it beside the toast that it has hidden.
    const toast = this.#toasts().filter({ hasText: text, visible: true }).first();
    const isShown = toast.waitFor({ timeout: limitMs / 2 }).then(
      () => true,
      () => false,
    );
    if (!(await isShown)) {
      await this.command('Notifications: Show Notifications');
      await toast.waitFor({ timeout: limitMs / 2 });
    }
    const message = await toast.locator('.notification-list-item-message').innerText();
    return { message, buttons: await buttonsOf(toast) };
  }

  /** Clicks a button of the notification, or of the modal dialog, that is open. */
  async press(button: string): Promise<void> {
    const dialog = this.page.locator(`.monaco-dialog-box, ${NOTIFICATIONS}`);
    const named = { name: button, exact: true };
    await dialog
      .getByRole('button', named)
      .or(dialog.locator('a').getByText(button, { exact: true }))
      .first()
      .click();
  }

  /** Waits until no toast with this text is open. */
  async noToast(text: RegExp): Promise<void> {
    await this.#toasts().filter({ hasText: text }).first().waitFor({ state: 'detached' });
  }

  /** The message of the open modal dialog; undefined when there is none. */
  async question(): Promise<string | undefined> {
    const words = this.#question();
    return (await words.isVisible()) ? words.innerText() : undefined;
  }

  /** Waits for a modal dialog and returns its message. */
  async asked(): Promise<string> {
    await this.#question().waitFor();
    return this.#question().innerText();
  }

  /** Closes dialogs and the quick input after a failure. */
  async backOut(): Promise<void> {
    for (let tries = 0; tries < BACK_OUT_TRIES; tries++) {
      if (!(await this.#question().isVisible()) && !(await this.quickInput.isOpen())) return;
      await this.page.keyboard.press('Escape');
    }
  }

  /** Closes every notification. */
  async clearNotifications(): Promise<void> {
    const close = this.#toasts().getByRole('button', { name: 'Cancel', exact: true }).first();
    const areGone = async (): Promise<boolean> => (await this.#toasts().count()) === 0;
    // One may come while the others go.
    await eventually('all notifications are closed', areGone, ACTION_LIMIT_MS, async () => {
      await this.command('Notifications: Clear All Notifications');
      // VS Code leaves those that wait for their cause to end, whose only button closes them.
      while (await close.isVisible()) await close.click({ timeout: 2000 }).catch(() => undefined);
      await this.page.waitForTimeout(FADE_MS);
    });
  }

  /** Saves a picture of the window as PNG; makes the folder. */
  async picture(file: string): Promise<void> {
    await mkdir(dirname(file), { recursive: true });
    await this.page.screenshot({ path: file });
  }

  /** Closes the window and its browser. May be called many times. */
  close(): Promise<void> {
    return this.#close();
  }

  async #leave(): Promise<void> {
    Workbench.#opened.delete(this);
    if (!this.#browser.isConnected()) return;
    // Closing the page tells the server that the window will not reconnect; a killed page would look like a lost connection.
    await this.page.close({ runBeforeUnload: false }).catch(() => undefined);
    await this.#browser.close();
  }

  #question(): Locator {
    return this.page.locator('.monaco-dialog-box .dialog-message-text');
  }

  #toasts(): Locator {
    return this.page.locator(NOTIFICATIONS);
  }
}

/** The buttons of a notification. One that goes away with its cause has links for them, and a button that closes it. */
async function buttonsOf(toast: Locator): Promise<string[]> {
  const links = await toast.locator('.notification-list-item-message a').allInnerTexts();
  if (links.length > 0) return links;
  const buttons = await toast.locator('.notification-list-item-buttons-container .monaco-button').allInnerTexts();
  return buttons.filter((label) => label !== '');
}
