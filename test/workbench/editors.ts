import type { FrameLocator, Page } from 'playwright-core';
import type { QuickInput } from './quickInput';

/** How long a file may take to be shown, in milliseconds, and how often it is opened. */
const OPEN_LIMIT_MS = 10_000;
const ATTEMPTS = 3;

/** The editor part of the window: files and webview panels. */
export class Editors {
  readonly #page: Page;
  readonly #quickInput: QuickInput;

  constructor(page: Page, quickInput: QuickInput) {
    this.#page = page;
    this.#quickInput = quickInput;
  }

  /** Opens a file of the workspace, by its path from the workspace folder, and puts the cursor into it. */
  async open(path: string): Promise<void> {
    const name = path.slice(path.lastIndexOf('/') + 1);
    // The tab may be there already, behind another file that is still shown.
    const tab = this.#page.locator('.editor-group-container.active .tab.active').filter({ hasText: name });
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#page.keyboard.press('ControlOrMeta+p');
        await this.#quickInput.type(path);
        await this.#quickInput.pick(name);
        await tab.waitFor({ timeout: OPEN_LIMIT_MS });
        break;
      } catch (error) {
        // On a busy machine what gets the focus late, such as a webview, closes the list just before the click.
        if (attempt === ATTEMPTS) throw error;
        await this.#page.keyboard.press('Escape');
      }
    }
    await this.focus();
  }

  /** Puts the cursor into the file that is shown. */
  async focus(): Promise<void> {
    await this.#page.locator('.editor-group-container.active .monaco-editor .view-lines').first().click();
  }

  /** Types a line at the end of the file that has the cursor. */
  async appendLine(text: string): Promise<void> {
    await this.#page.keyboard.press('ControlOrMeta+End');
    await this.#page.keyboard.press('Enter');
    // As one piece: brackets and quotes are not doubled, no suggestion is taken.
    await this.#page.keyboard.insertText(text);
  }

  /** Replaces everything in the file that has the cursor. Pasted, so that nothing is indented or closed on the way. */
  async replaceAll(text: string): Promise<void> {
    await this.#page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await this.#page.keyboard.press('ControlOrMeta+a');
    await this.#page.keyboard.press('ControlOrMeta+v');
  }

  /** Puts a text into a file of the workspace and saves it. */
  async replaceAllIn(path: string, text: string): Promise<void> {
    await this.open(path);
    await this.replaceAll(text);
    await this.save();
  }

  /** Saves the file that has the cursor and waits until its tab no longer shows changes. */
  async save(): Promise<void> {
    await this.#page.keyboard.press('ControlOrMeta+s');
    await this.#page.locator('.tabs-container .tab.active.dirty').waitFor({ state: 'detached' });
  }

  /** Waits until the active editor shows this text and gives the lines in sight. */
  async textWith(text: string): Promise<string> {
    const lines = this.#page.locator('.editor-group-container.active .monaco-editor .view-lines');
    await lines.filter({ hasText: text }).waitFor();
    // Monaco draws blanks as no-break spaces.
    return (await lines.innerText()).replaceAll('\u00a0', ' ');
  }

  /** The page inside the webview panel that is shown. */
  webview(): FrameLocator {
    return this.#page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  /** Closes the active editor and drops what was not saved in it. */
  async discard(): Promise<void> {
    await this.#quickInput.runCommand('View: Revert and Close Editor');
  }

  /** Closes all editors. Save or discard first: VS Code asks about changes. */
  async closeAll(): Promise<void> {
    await this.#quickInput.runCommand('View: Close All Editors');
    await this.#page.locator('.tabs-container .tab').first().waitFor({ state: 'detached' });
  }
}
