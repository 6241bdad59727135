import { format, type ScrollTexts } from '../screenTexts';
import type { Ticks } from '../wheel/wheel';

/** Time between two announcements, in milliseconds: more frequent ones would interrupt each other. */
const ANNOUNCE_EVERY_MS = 1000;

/** Runs a function later; the returned function cancels it. */
export type Later = (run: () => void, ms: number) => () => void;

/** Says sentences: the first at once, and at most one a second after that. */
class Paced {
  #cancel: (() => void) | undefined;

  constructor(
    /** The sentence that is due now; undefined when there is none. */
    private readonly next: () => string | undefined,
    private readonly say: (sentence: string) => void,
    private readonly later: Later,
  ) {}

  /** There is something to say. */
  request(): void {
    if (!this.#cancel) this.#speak();
  }

  dispose(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #speak(): void {
    this.#cancel = undefined;
    const sentence = this.next();
    if (sentence === undefined) return;
    this.say(sentence);
    this.#cancel = this.later(() => this.#speak(), ANNOUNCE_EVERY_MS);
  }
}

/** Announces what was scrolled: the first scroll at once, the sum of those within the next second at its end. */
export class Announcer {
  #sum: Ticks = { right: 0, down: 0 };
  readonly #paced: Paced;

  constructor(texts: ScrollTexts, say: (sentence: string) => void, later: Later) {
    const next = (): string | undefined => {
      const sentence = describe(this.#sum, texts);
      this.#sum = { right: 0, down: 0 };
      return sentence === '' ? undefined : sentence;
    };
    this.#paced = new Paced(next, say, later);
  }

  scrolled({ right, down }: Ticks): void {
    this.#sum = { right: this.#sum.right + right, down: this.#sum.down + down };
    this.#paced.request();
  }

  dispose(): void {
    this.#paced.dispose();
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
  #next = '';
  readonly #paced: Paced;

  constructor(say: (sentence: string) => void, later: Later) {
    const next = (): string | undefined => {
      if (this.#next === this.#last) return undefined;
      this.#last = this.#next;
      return this.#last;
    };
    this.#paced = new Paced(next, say, later);
  }

  offer(sentence: string): void {
    this.#next = sentence;
    this.#paced.request();
  }

  dispose(): void {
    this.#paced.dispose();
  }
}
