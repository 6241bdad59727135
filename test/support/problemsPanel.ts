import type { Locator, Page } from 'playwright-core';

/** One row of the Problems panel. Line and column begin with 1, as the panel shows them. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The Problems panel. */
export class ProblemsPanel {
  readonly #page: Page;
  readonly #rows: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#rows = page.locator('.part.panel .markers-panel .monaco-list-row');
  }

  /** Opens the panel, unless it is open already. */
  async open(): Promise<void> {
    const tab = this.#page.locator('.part.panel').getByRole('tab', { name: /^Problems/ });
    if (!(await tab.isVisible())) await this.#page.keyboard.press('ControlOrMeta+Shift+m');
    else if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
    await this.#page.locator('.part.panel .markers-panel').waitFor();
  }

  /** Waits until the open panel has a row with this text. */
  async waitFor(text: string | RegExp, limitMs: number): Promise<void> {
    await this.#rows.filter({ hasText: text }).first().waitFor({ timeout: limitMs });
  }

  /** Waits until the open panel has no row with this text. */
  async waitForNone(text: string | RegExp, limitMs: number): Promise<void> {
    await this.#rows.filter({ hasText: text }).first().waitFor({ state: 'detached', timeout: limitMs });
  }

  /** The problems in sight of the open panel, top to bottom. */
  async read(): Promise<Problem[]> {
    const problems: Problem[] = [];
    let file = '';
    for (const row of await this.#rows.all()) {
      const name = row.locator('.resource-label-container .label-name, .resource-label .label-name');
      if ((await name.count()) > 0) {
        file = await name.first().innerText();
        continue;
      }
      const place = /\[Ln\s+(\d+),\s*Col\s+(\d+)\]/.exec(await row.innerText());
      if (!place) continue;
      // The row begins with the message, which may have several lines, and ends with its source and its rule.
      const lines = (await row.innerText()).split('\n').map((line) => line.trim());
      const source = await row.locator('.marker-source').first().innerText();
      const message = lines.slice(0, lines.indexOf(source.trim())).join(' ').trim();
      problems.push({ file, line: Number(place[1]), column: Number(place[2]), message });
    }
    return problems;
  }
}
