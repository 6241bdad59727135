/** Passes a signal on until a delivery can no longer be stopped without leaving the browser in between. */
export class Cancellation {
  readonly #abort = new AbortController();
  readonly #end = new AbortController();

  constructor(signal?: AbortSignal) {
    if (signal?.aborted) this.#abort.abort(signal.reason);
    signal?.addEventListener('abort', () => this.#abort.abort(signal.reason), { signal: this.#end.signal });
  }

  /** Aborts with the outer signal until `commit`. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** From now on the outer signal has no effect. */
  commit(): void {
    this.#end.abort();
  }
}
