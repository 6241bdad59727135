import type { Locator, Page } from 'playwright-core';

/** Interval at which the panel is read while waiting for a line, in milliseconds. */
const LOOK_MS = 250;

/** The Output panel. It shows the channel that was opened last, for example by a "Show Log" command. */
export class OutputPanel {
  readonly #page: Page;
  readonly #text: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#text = page.locator('.part.panel .output-view .monaco-editor');
  }

  /**
   * All lines of the channel that is shown. The panel draws only the lines in sight, so they are taken the way a
   * person does: select all, copy.
   */
  async lines(): Promise<string[]> {
    await this.#text.waitFor();
    await this.#text.click({ position: { x: 60, y: 8 } });
    await this.#page.evaluate('navigator.clipboard.writeText("")');
    await this.#page.keyboard.press('ControlOrMeta+a');
    await this.#page.keyboard.press('ControlOrMeta+c');
    await this.#page.keyboard.press('ControlOrMeta+End');
    const copied: unknown = await this.#page.evaluate('navigator.clipboard.readText()');
    if (typeof copied !== 'string') throw new Error('The clipboard of the window holds no text.');
    return copied.split(/\r?\n/).filter((line) => line !== '');
  }

  /** Follows the link of a place in a line, by a click on a word in it. */
  async clickPlace(place: string, word: string): Promise<void> {
    // VS Code draws a place as several pieces, each a link.
    const line = this.#page.locator('.output-view .view-line', { hasText: place }).first();
    const box = await line.locator('.detected-link', { hasText: word }).first().boundingBox();
    if (!box) throw new Error(`The place ${place} is not drawn.`);
    const { keyboard, mouse } = this.#page;
    // With the key down, VS Code replaces the elements of the line as soon as the mouse is over it.
    await mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await keyboard.down('ControlOrMeta');
    await mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await keyboard.up('ControlOrMeta');
  }

  /**
   * Waits for a line after the first `from` ones that matches, and gives all lines read then.
   * Rejects with the last lines when it does not come in time.
   */
  async waitForLine(pattern: RegExp, limitMs: number, from = 0): Promise<string[]> {
    const end = performance.now() + limitMs;
    for (;;) {
      const lines = await this.lines();
      if (lines.slice(from).some((line) => pattern.test(line))) return lines;
      if (performance.now() > end) {
        const last = lines.slice(-5).join('\n  ');
        throw new Error(`The output shows no line like ${pattern} after ${limitMs / 1000} s. It ends with:\n  ${last}`);
      }
      await new Promise((settle) => setTimeout(settle, LOOK_MS));
    }
  }
}
