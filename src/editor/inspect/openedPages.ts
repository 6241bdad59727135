import type { Memento } from 'vscode';

const KEY = 'openedPages';

/** More pages are not remembered. */
const MAX_PAGES = 10;

/** The pages that "Open Page…" has opened in this workspace, as the user named them, the latest first. */
export class OpenedPages {
  constructor(private readonly memory: Memento) {}

  get latest(): readonly string[] {
    return this.memory.get<string[]>(KEY, []);
  }

  async remember(page: string): Promise<void> {
    await this.memory.update(KEY, [page, ...this.latest.filter((other) => other !== page)].slice(0, MAX_PAGES));
  }
}
