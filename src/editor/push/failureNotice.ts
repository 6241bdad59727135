/** Shows a text until the function that it returns is called. Where the user closes it, that function does nothing. */
export type OpenNotice = (text: string) => () => void;

/**
 * What a notification says of the pushes of the window that have failed: at most one text, and only while it holds. Nothing is said twice, as the
 * user may have closed it.
 */
export class FailureNotice {
  readonly #open: OpenNotice;
  #shown: { text: string; close: () => void } | undefined;

  constructor(open: OpenNotice) {
    this.#open = open;
  }

  /** The text that holds; undefined when nothing has failed. */
  get text(): string | undefined {
    return this.#shown?.text;
  }

  /** A push has failed: its text replaces that of an earlier one. `mustShow`: also when it was said before. */
  show(text: string, mustShow = false): void {
    if (text === this.#shown?.text && !mustShow) return;
    this.withdraw();
    this.#shown = { text, close: this.#open(text) };
  }

  /** What was said holds no longer: a push has ended otherwise, or pushes go elsewhere. */
  withdraw(): void {
    this.#shown?.close();
    this.#shown = undefined;
  }
}
