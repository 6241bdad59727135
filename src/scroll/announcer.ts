import { format, type ScrollTexts } from './texts';
import type { Ticks } from './wheel';

/** Time between two announcements, in milliseconds: more frequent ones would interrupt each other. */
const ANNOUNCE_EVERY_MS = 1000;

/** Runs a function later; the returned function cancels it. */
export type Later = (run: () => void, ms: number) => () => void;

/**
 * Announces what was scrolled: the first scroll at once, the sum of those within the next second at its end.
 */
export class Announcer {
  #sum: Ticks = { right: 0, down: 0 };
  #cancel: (() => void) | undefined;

  constructor(
    private readonly texts: ScrollTexts,
    private readonly say: (sentence: string) => void,
    private readonly later: Later,
  ) {}

  scrolled({ right, down }: Ticks): void {
    this.#sum = { right: this.#sum.right + right, down: this.#sum.down + down };
    if (!this.#cancel) this.#speak();
  }

  dispose(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #speak(): void {
    this.#cancel = undefined;
    const sentence = describe(this.#sum, this.texts);
    this.#sum = { right: 0, down: 0 };
    if (sentence === '') return;
    this.say(sentence);
    this.#cancel = this.later(() => {
      this.#speak();
    }, ANNOUNCE_EVERY_MS);
  }
}

/** "Scrolled down 12" or both directions with a comma; empty when the sum is zero. */
export function describe({ right, down }: Ticks, texts: ScrollTexts): string {
  const parts: string[] = [];
  if (down !== 0) parts.push(format(down > 0 ? texts.scrolledDown : texts.scrolledUp, Math.abs(down)));
  if (right !== 0) parts.push(format(right > 0 ? texts.scrolledRight : texts.scrolledLeft, Math.abs(right)));
  return parts.join(', ');
}

/** Says the newest of several sentences: one at once, later ones at most once a second, and none twice in a row. */
export class Speaker {
  #last = '';
  #next: string | undefined;
  #cancel: (() => void) | undefined;

  constructor(
    private readonly say: (sentence: string) => void,
    private readonly later: Later,
  ) {}

  offer(sentence: string): void {
    this.#next = sentence;
    if (!this.#cancel) this.#speak();
  }

  dispose(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #speak(): void {
    this.#cancel = undefined;
    const sentence = this.#next;
    this.#next = undefined;
    if (sentence === undefined || sentence === this.#last) return;
    this.#last = sentence;
    this.say(sentence);
    this.#cancel = this.later(() => {
      this.#speak();
    }, ANNOUNCE_EVERY_MS);
  }
}
