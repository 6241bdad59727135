import { type Clock, realClock, type Timer } from '../base/clock';

/** What a notice offers: a text to click on, which also closes it. */
export interface NoticeButton {
  label: string;
  act: () => void;
}

/** Shows a text until the function that it returns is called. Where the user closes it, that function does nothing. */
export type OpenNotice = (text: string, buttons: readonly NoticeButton[]) => () => void;

/** How a notice is shown. */
export interface NoticeOptions {
  buttons?: readonly NoticeButton[];
  /** Whether it is shown also when the same was said before, and the user may have closed it. */
  mustShow?: boolean;
  /** How long it is shown at most, in milliseconds; without it, until it holds no longer. */
  forMs?: number;
}

/** What a notification says of one matter: at most one text, and only while it holds. Nothing is said twice, as the user may have closed it. */
export class Notice {
  #limit: Timer | undefined;
  #shown: { text: string; close: () => void } | undefined;

  constructor(
    private readonly open: OpenNotice,
    private readonly clock: Clock = realClock,
  ) {}

  /** The text that holds; undefined when there is none. */
  get text(): string | undefined {
    return this.#shown?.text;
  }

  /** Something holds from now on: its text replaces the earlier one. */
  show(text: string, { buttons = [], mustShow = false, forMs }: NoticeOptions = {}): void {
    if (text === this.#shown?.text && !mustShow) return;
    this.withdraw();
    this.#shown = { text, close: this.open(text, buttons) };
    if (forMs === undefined) return;
    this.#limit = this.clock.after(forMs, () => this.withdraw());
  }

  /** What was said holds no longer. */
  withdraw(): void {
    this.#limit?.clear();
    this.#limit = undefined;
    this.#shown?.close();
    this.#shown = undefined;
  }
}
