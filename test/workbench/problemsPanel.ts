import type { Locator, Page } from 'playwright-core';

/** One row of the Problems panel. Line and column begin with 1, as the panel shows them. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** What a row shows: the name of a file, or a problem. */
interface Row {
  readonly file: string | null;
  readonly text: string;
  readonly source: string;
}

const ROWS = '.part.panel .markers-panel .monaco-list-row';

/** In the window: all rows at one moment, since they may change while they are read. */
const READ_ROWS = `Array.from(document.querySelectorAll('${ROWS}'), (row) => ({
  file: row.querySelector('.resource-label-container .label-name, .resource-label .label-name')?.innerText ?? null,
  text: row.innerText,
  source: row.querySelector('.marker-source')?.innerText.trim() ?? '',
}))`;

/** The Problems panel. */
export class ProblemsPanel {
  readonly #page: Page;
  readonly #rows: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#rows = page.locator(ROWS);
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
    let fileOfRow = '';
    for (const { file, text, source } of await this.#page.evaluate<Row[]>(READ_ROWS)) {
      fileOfRow = file ?? fileOfRow;
      const place = /\[Ln\s+(\d+),\s*Col\s+(\d+)\]/.exec(text);
      if (file !== null || !place) continue;
      // The row begins with the message, which may have several lines, and ends with its source and its rule.
      const lines = text.split('\n').map((line) => line.trim());
      const message = lines.slice(0, lines.indexOf(source)).join(' ').trim();
      problems.push({ file: fileOfRow, line: Number(place[1]), column: Number(place[2]), message });
    }
    return problems;
  }
}
