import { watch, type FSWatcher } from 'node:fs';
import { BuildQuiet } from '../../src/push/turns/quiet';

/** How long an incomplete build is waited for, in milliseconds. */
const PATIENCE_MS = 3000;

/**
 * Notices the end of a build as push on save does (`src/editor/push/pushOnSave.ts`): no more writes follow, and all files that the
 * manifest names are there. The delay of VS Code's own watcher is not part of it.
 */
export class BuildWatch {
  readonly #watcher: FSWatcher;
  #timer: NodeJS.Timeout | undefined;
  readonly #quiet = new BuildQuiet();
  #lastMs = 0;

  constructor(
    folder: string,
    private readonly isComplete: () => Promise<boolean>,
    private readonly onBuilt: () => void,
  ) {
    this.#watcher = watch(folder, { recursive: true }, () => {
      this.#lastMs = performance.now();
      this.#quiet.note([this.#lastMs]);
      this.#timer ??= setTimeout(() => void this.#look(), this.#quiet.ms);
    });
  }

  close(): void {
    this.#watcher.close();
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const lastMs = this.#lastMs;
    const restMs = performance.now() - lastMs;
    const quietMs = this.#quiet.ms;
    if (restMs < quietMs) return this.#again(quietMs - restMs);
    if (restMs < PATIENCE_MS && !(await this.isComplete())) return this.#again(quietMs);
    // The build has gone on meanwhile.
    if (this.#lastMs > lastMs) return this.#again(quietMs);
    this.#timer = undefined;
    this.onBuilt();
  }

  #again(ms: number): void {
    this.#timer = setTimeout(() => void this.#look(), ms);
  }
}
