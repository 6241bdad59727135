import type { Locator, Page } from 'playwright-core';

/** The box at the top of the window: command palette, lists to pick from, lines to type. */
export class QuickInput {
  readonly #widget: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.#widget = page.locator('.quick-input-widget');
  }

  /** Waits until it is open and gives its title and placeholder, to tell one from the other. */
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

  /** Waits until it says this below the box: what is asked, or why the text is not accepted. */
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

  /** Types over what is in the box; does not confirm. */
  async type(text: string): Promise<void> {
    await this.#widget.waitFor();
    await this.#input().fill(text);
  }

  /** Confirms what is in the box. */
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
    await this.#widget.waitFor();
    await this.#rows().filter({ hasText: text }).first().click();
  }

  /** In a list of which several may be ticked: ticks these entries and no others, and confirms. */
  async tick(texts: readonly string[]): Promise<void> {
    await this.#rows().first().waitFor();
    for (const row of await this.#rows().all()) {
      const box = row.getByRole('checkbox');
      const isWanted = texts.includes((await row.locator('.label-name').first().innerText()).trim());
      if ((await box.isChecked()) !== isWanted) await row.click();
    }
    await this.accept();
  }

  /** In an open command palette: picks the command with exactly this title. */
  async pickCommand(title: string): Promise<void> {
    await this.type(`>${title}`);
    const label = this.#page.locator('.label-name').getByText(title, { exact: true });
    await this.#rows().filter({ has: label }).first().click();
  }

  /** Closes it without an answer. */
  async cancel(): Promise<void> {
    await this.#page.keyboard.press('Escape');
    await this.closed();
  }

  #input(): Locator {
    return this.#widget.locator('.quick-input-box input');
  }

  #rows(): Locator {
    return this.#widget.locator('.quick-input-list .monaco-list-row');
  }
}
