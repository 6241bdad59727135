/**
 * A time limit for one request, and the caller's wish to stop it, as one signal. `extend` starts the time anew, so that a
 * large upload over a slow line is not cut while its bytes move.
 */
export class Deadline {
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #outer: AbortSignal | undefined;
  #isOver = false;

  constructor(limitMs: number, outer?: AbortSignal) {
    this.#outer = outer;
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#abort.abort(new Error(`no answer within ${limitMs} ms`));
    }, limitMs);
    if (outer?.aborted) this.#onAbort();
    else outer?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether the time ran out, as opposed to the caller's wish. */
  get isOver(): boolean {
    return this.#isOver;
  }

  extend(): void {
    if (!this.#abort.signal.aborted) this.#timer.refresh();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (): void => {
    clearTimeout(this.#timer);
    this.#abort.abort(this.#outer?.reason);
  };
}
