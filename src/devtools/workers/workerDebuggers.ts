/** A debugger that is attached to the workers of one extension in one browser, and lets each run when its breakpoints are set. */
export interface WorkerDebugger {
  readonly extensionId: string;
  /**
   * Where the worker of a target is paused, as `path:line:column` for the user; undefined while it runs. Without a target, any worker of the
   * extension.
   */
  pausedAt(targetId?: string): string | undefined;
  /** Whether a page, or a frame in it, is paused. */
  isPagePaused(targetId: string): boolean;
  /** Lets the workers go that are paused at their start, before a reload of the extension, which would not end them (C-WORKER-PAUSED). */
  release(): Promise<void>;
  /** Has the workers pause again that were released and still live. */
  restore(): Promise<void>;
  /** Resolves once its breakpoints are set in a page that was opened just now, or after a time limit. */
  untilReady(targetId: string): Promise<void>;
}

/** What the watch of a worker asks the debuggers of a browser. */
export type WorkerPauses = Pick<WorkerDebuggers, 'isEmpty' | 'pausedAt' | 'onChange'>;

/**
 * The debuggers of a browser. As long as there is one, pushes must not let a worker run that waits for a debugger, because its breakpoints
 * may not be set yet.
 */
export class WorkerDebuggers {
  readonly #all = new Set<WorkerDebugger>();
  readonly #listeners = new Set<() => void>();

  /** The returned function takes it back. */
  add(one: WorkerDebugger): () => void {
    this.#all.add(one);
    return () => {
      this.#all.delete(one);
      this.changed();
    };
  }

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  /** Whether the extension is debugged. */
  has(extensionId: string): boolean {
    return this.#of(extensionId).length > 0;
  }

  /** See {@link WorkerDebugger.pausedAt}. */
  pausedAt(targetId: string): string | undefined {
    for (const one of this.#all) {
      const place = one.pausedAt(targetId);
      if (place) return place;
    }
    return undefined;
  }

  isPaused(extensionId: string): boolean {
    return this.#of(extensionId).some((one) => one.pausedAt() !== undefined);
  }

  /** See {@link WorkerDebugger.isPagePaused}. */
  isPagePaused(targetId: string): boolean {
    return [...this.#all].some((one) => one.isPagePaused(targetId));
  }

  /** See {@link WorkerDebugger.release}. */
  async release(extensionId: string): Promise<void> {
    await Promise.all(this.#of(extensionId).map((one) => one.release()));
  }

  /** See {@link WorkerDebugger.restore}. */
  async restore(extensionId: string): Promise<void> {
    await Promise.all(this.#of(extensionId).map((one) => one.restore()));
  }

  /** See {@link WorkerDebugger.untilReady}. */
  async untilReady(targetId: string): Promise<void> {
    await Promise.all([...this.#all].map((one) => one.untilReady(targetId)));
  }

  /** To be called when a worker was paused, or goes on. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` when a worker was paused, or goes on; the returned function takes that back. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #of(extensionId: string): WorkerDebugger[] {
    return [...this.#all].filter((one) => one.extensionId === extensionId);
  }
}
