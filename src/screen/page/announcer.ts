import { format, type ScrollTexts } from '../screenTexts';
import type { Ticks } from '../wheel/wheel';

/** Time between two announcements, in milliseconds: more frequent ones would interrupt each other. */
const ANNOUNCE_EVERY_MS = 1000;

/** Runs a function later; the returned function cancels it. */
export type Later = (run: () => void, ms: number) => () => void;

const afterTimeout: Later = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** Says sentences: the first at once, and at most one a second after that. */
abstract class Paced {
  #cancel: (() => void) | undefined;

  constructor(
    private readonly say: (sentence: string) => void,
    private readonly later: Later = afterTimeout,
  ) {}

  /** The sentence that is due now; undefined when there is none. */
  protected abstract next(): string | undefined;

  /** There is something to say. */
  protected request(): void {
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
export class Announcer extends Paced {
  #sum: Ticks = { right: 0, down: 0 };

  constructor(
    private readonly texts: ScrollTexts,
    say: (sentence: string) => void,
    later?: Later,
  ) {
    super(say, later);
  }

  scrolled({ right, down }: Ticks): void {
    this.#sum = { right: this.#sum.right + right, down: this.#sum.down + down };
    this.request();
  }

  protected override next(): string | undefined {
    const sentence = describe(this.#sum, this.texts);
    this.#sum = { right: 0, down: 0 };
    return sentence === '' ? undefined : sentence;
  }
}

/** "Scrolled down 12" or both directions with a comma; empty when the sum is zero. */
function describe({ right, down }: Ticks, texts: ScrollTexts): string {
  const parts: string[] = [];
  if (down !== 0) parts.push(format(down > 0 ? texts.scrolledDown : texts.scrolledUp, Math.abs(down)));
  if (right !== 0) parts.push(format(right > 0 ? texts.scrolledRight : texts.scrolledLeft, Math.abs(right)));
  return parts.join(', ');
}

/** Says the newest of several sentences: one at once, later ones at most once a second, and none twice in a row. */
export class Speaker extends Paced {
  #last = '';
  #next = '';

  offer(sentence: string): void {
    this.#next = sentence;
    this.request();
  }

  protected override next(): string | undefined {
    if (this.#next === this.#last) return undefined;
    this.#last = this.#next;
    return this.#last;
  }
}
