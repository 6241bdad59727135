import type { Locator, Page } from 'playwright-core';

/** Longest time until the palette lists a command, or a dialog of files has taken one, in milliseconds. */
const PALETTE_LIMIT_MS = 8000;

/** A list has ended when so many pages of it show nothing new; how long one takes to be drawn, in milliseconds. */
const SAME_PAGES = 4;
const PAGE_MS = 150;

/** How often it is cancelled, and how long it may take to close each time, in milliseconds. */
const CANCEL_ATTEMPTS = 5;
const CANCEL_LIMIT_MS = 3000;

/** How long a dialog of files may take to begin to look up a path that was typed, in milliseconds: more at each attempt. */
const FILE_MS = 500;

/** How often a file is entered, and the palette opened for a command. */
const FILE_ATTEMPTS = 3;
const PALETTE_ATTEMPTS = 3;

/** The box at the top of the window: command palette, lists to pick from, lines to type. */
export class QuickInput {
  readonly #widget: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.#widget = page.locator('.quick-input-widget');
  }

  /** Waits until it is open and returns its title and placeholder, which identify it. */
  async opened(): Promise<string> {
    await this.#widget.waitFor();
    const title = await this.#widget.locator('.quick-input-title').innerText();
    const placeholder = await this.#input().getAttribute('placeholder');
    return [title, placeholder ?? ''].filter((text) => text !== '').join(' | ');
  }

  /** Whether it is open now. */
  isOpen(): Promise<boolean> {
    return this.#widget.isVisible();
  }

  /** Whether it opens within this time, in milliseconds. */
  opensWithin(limitMs: number): Promise<boolean> {
    return this.#isWithin('visible', limitMs);
  }

  /** Whether it is closed within this time, in milliseconds. */
  closesWithin(limitMs: number): Promise<boolean> {
    return this.#isWithin('hidden', limitMs);
  }

  async #isWithin(state: 'visible' | 'hidden', timeout: number): Promise<boolean> {
    return await this.#widget.waitFor({ state, timeout }).then(
      () => true,
      () => false,
    );
  }

  /** Waits for this text below the box: the prompt, or a validation error. */
  async saying(text: string | RegExp): Promise<void> {
    await this.#widget.locator('.quick-input-message').filter({ hasText: text }).waitFor();
  }

  /** Waits until it is closed. */
  async closed(): Promise<void> {
    await this.#widget.waitFor({ state: 'hidden' });
  }

  /** The entries that are shown, first to last. */
  async entries(): Promise<string[]> {
    await this.#rows().first().waitFor();
    const texts = await this.#rows().locator('.quick-input-list-entry').allInnerTexts();
    return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
  }

  /** The labels of the entries that are shown, in groups between which there is a line. */
  async groups(): Promise<string[][]> {
    await this.#rows().first().waitFor();
    const groups: string[][] = [];
    for (const row of await this.#rows().all()) {
      const label = (await row.locator('.label-name').first().innerText()).replaceAll('\u00a0', ' ').trim();
      const begins = (await row.locator('.quick-input-list-separator-border').count()) > 0;
      const group = groups.at(-1);
      if (!group || begins) groups.push([label]);
      else group.push(label);
    }
    return groups;
  }

  /** Replaces the text in the box; does not confirm. */
  async type(text: string): Promise<void> {
    await this.#widget.waitFor();
    await this.#input().fill(text);
  }

  /** Confirms the text in the box. */
  async accept(): Promise<void> {
    await this.#input().press('Enter');
  }

  /** Types and confirms. */
  async answer(text: string): Promise<void> {
    await this.type(text);
    await this.accept();
  }

  /** Picks the entry with this text. */
  async pick(text: string | RegExp): Promise<void> {
    const row = this.#rows().filter({ hasText: text }).first();
    // What was asked before may be shown still, and close now.
    await row.waitFor();
    // Where the mouse rests on an entry, or on the box, its description covers others.
    await this.#page.mouse.move(0, 0);
    await row.click();
  }

  /** In a list with checkboxes: checks exactly these entries, and confirms. */
  async tick(texts: readonly string[]): Promise<void> {
    // The rows of a list without boxes may still be shown.
    await this.#rows().getByRole('checkbox').first().waitFor();
    for (const row of await this.#rows().all()) {
      const box = row.getByRole('checkbox');
      const isWanted = texts.includes((await row.locator('.label-name').first().innerText()).trim());
      if ((await box.isChecked()) === isWanted) continue;
      // Where the mouse rests on an entry, or on the box, its description covers others.
      await this.#page.mouse.move(0, 0);
      await row.click();
    }
    await this.accept();
  }

  /**
   * In a dialog of files: chooses the file at a path, or the one that is proposed. It ignores what is entered while it
   * reads a folder. It has closed as soon as another title is shown, since the next question may follow at once.
   */
  async chooseFile(path?: string): Promise<void> {
    await this.#rows().filter({ hasText: '..' }).first().waitFor();
    const title = this.#widget.locator('.quick-input-title');
    const dialog = title.getByText(await title.innerText(), { exact: true });
    const chosen = path ?? (await this.#input().inputValue());
    for (let attempt = 1; ; attempt++) {
      // It reads the folder again when a path is typed, also the same, and may never again accept one when an Enter comes meanwhile.
      if ((await this.#input().inputValue()) !== chosen) await this.type(chosen);
      await this.#page.waitForTimeout(FILE_MS * attempt);
      await this.#widget.locator('.quick-input-progress.active').waitFor({ state: 'hidden' });
      await this.accept();
      try {
        await dialog.waitFor({ state: 'hidden', timeout: PALETTE_LIMIT_MS });
        return;
      } catch (error) {
        if (attempt === FILE_ATTEMPTS) throw error;
        // An Enter whose handling has failed stands for handled until another entry is active.
        await this.#input().press('ArrowDown');
      }
    }
  }

  /** Runs the command with exactly this title, "Category: Title", through the command palette. */
  async runCommand(title: string): Promise<void> {
    const label = this.#page.locator('.label-name').getByText(title, { exact: true });
    for (let attempt = 1; ; attempt++) {
      await this.#page.keyboard.press('F1');
      try {
        await this.#input().fill(`>${title}`, { timeout: PALETTE_LIMIT_MS });
        await this.#rows().filter({ has: label }).first().click({ timeout: PALETTE_LIMIT_MS });
        return;
      } catch (error) {
        // On a busy machine what gets the focus late closes the palette.
        if (attempt === PALETTE_ATTEMPTS) throw error;
        await this.#page.keyboard.press('Escape');
      }
    }
  }

  /** The titles of all entries that begin with a text after a mark such as `>`, also of those that only scrolling shows. */
  async allTitles(typed: string): Promise<string[]> {
    await this.type(typed);
    const wanted = typed.slice(1);
    const titles = new Set<string>();
    await this.#rows().filter({ hasText: wanted }).first().waitFor();
    for (let same = 0; same < SAME_PAGES;) {
      const before = titles.size;
      for (const label of await this.#rows().locator('.label-name').allInnerTexts()) {
        const title = label.replaceAll('\u00a0', ' ').trim();
        if (title.startsWith(wanted)) titles.add(title);
      }
      same = titles.size === before ? same + 1 : 0;
      await this.#page.keyboard.press('PageDown');
      await this.#page.waitForTimeout(PAGE_MS);
    }
    return [...titles];
  }

  /** Cancels it: by several keys where the window of a busy machine loses one, or asks once more meanwhile. */
  async cancel(): Promise<void> {
    for (let key = 0; key < CANCEL_ATTEMPTS; key++) {
      await this.#page.keyboard.press('Escape');
      if (await this.closesWithin(CANCEL_LIMIT_MS)) return;
    }
    await this.closed();
  }

  #input(): Locator {
    return this.#widget.locator('.quick-input-box input');
  }

  #rows(): Locator {
    return this.#widget.locator('.quick-input-list .monaco-list-row');
  }
}
