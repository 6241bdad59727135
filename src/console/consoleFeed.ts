import * as l10n from '@vscode/l10n';
import { realClock, type Clock } from '../base/clock';
import { shortened } from '../base/units';
import type { BuiltPlace, ConsoleLine, ConsoleMessage, ConsoleText } from './consoleLine';
import type { SourcePlaces } from './sourcePlaces';
import { LINES_A_SECOND, StormLimit } from './stormLimit';

/** Longest text of a line, in characters. */
const TEXT_LENGTH = 4000;

/** How long a line may wait for its objects and for source maps, in milliseconds, unless told otherwise. */
const WAIT_MS = 400;

/** Places of one text that are mapped: those of a stack. */
const MAX_PLACES = 20;

/** A place in an extension within a text, as stacks have it: URL, line, column. */
const PLACE = /(chrome-extension:\/\/[a-p]{32}\/[^\s()'"]*?):(\d+)(?::(\d+))?(?![\w:])/g;

/** Makes lines of the messages of one browser: bounded, with places in the sources, and in the order of the messages. */
export class ConsoleFeed {
  readonly #storm: StormLimit<ConsoleMessage>;
  /** Lines that wait, and the last of them. */
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();
  #isDisposed = false;

  #places: SourcePlaces | undefined;

  constructor(
    private readonly write: (line: ConsoleLine) => void,
    private readonly waitMs = WAIT_MS,
    private readonly clock: Clock = realClock,
  ) {
    this.#storm = new StormLimit(
      {
        ...LINES_A_SECOND,
        pass: (message) => {
          this.#pass(message);
        },
        onDropped: (count) => {
          const text = l10n.t('{0} lines dropped', count.toLocaleString('en'));
          this.#pass({ level: 'warn', context: '', at: Date.now(), read: () => ({ text }) });
        },
      },
      clock,
    );
  }

  /** Says where the places of later messages are: those of a build that was pushed. */
  usePlaces(places: SourcePlaces): void {
    this.#places = places;
  }

  push(message: ConsoleMessage): void {
    this.#storm.push(message);
  }

  /** Counts messages that were dropped before they were read. */
  addDropped(count: number): void {
    this.#storm.addDropped(count);
  }

  /** Lets pass what the limit keeps back until the end of its second. */
  flush(): void {
    this.#storm.flush();
  }

  /** Writes nothing more. */
  dispose(): void {
    this.#isDisposed = true;
    this.#storm.dispose();
  }

  #pass({ read, complete, ...line }: ConsoleMessage): void {
    const write = (text: string): void => {
      if (!this.#isDisposed) this.write({ ...line, text });
    };
    const text = complete ? complete().then((whole) => this.#mapped(whole)) : this.#mapped(read());
    if (typeof text === 'string' && this.#waiting === 0) {
      write(text);
      return;
    }
    // The time begins now, not when the lines before are written: so all lines of a storm together wait no longer than one.
    const limit = this.clock.delay(this.waitMs, { ref: false });
    this.#waiting += 1;
    this.#last = this.#last.then(async () => {
      const shown = await Promise.race([text, limit]);
      this.#waiting -= 1;
      write(shown ?? this.#unmapped(read()));
    });
  }

  /** With the places in the sources; at once when these are known. */
  #mapped({ text, place }: ConsoleText): string | Promise<string> {
    const cut = shortened(text, TEXT_LENGTH);
    const found = placesOf(cut, place).map((one) => this.#places?.source(one));
    if (isKnown(found)) return withPlaces(cut, place, found);
    const asked = Promise.all(found.map(async (one) => await one));
    return asked.then((all) => withPlaces(cut, place, all));
  }

  #unmapped({ text, place }: ConsoleText): string {
    const cut = shortened(text, TEXT_LENGTH);
    return withPlaces(
      cut,
      place,
      placesOf(cut, place).map((one) => this.#places?.built(one)),
    );
  }
}

function isKnown<T>(values: readonly (T | Promise<T>)[]): values is readonly T[] {
  return !values.some((value) => value instanceof Promise);
}

/** The place of a message, if it has one, and those in its text. */
function placesOf(text: string, place: BuiltPlace | undefined): BuiltPlace[] {
  const inText = [...text.matchAll(PLACE)].slice(0, MAX_PLACES).map(([, url = '', line, column]) => ({
    url,
    line: Number(line),
    ...(column !== undefined && { column: Number(column) }),
  }));
  return [...(place ? [place] : []), ...inText];
}

/** The text with `shown` in place of its places; that of the message comes after the first line. */
function withPlaces(text: string, place: BuiltPlace | undefined, shown: readonly (string | undefined)[]): string {
  const [own, inText] = place ? [shown[0], shown.slice(1)] : [undefined, [...shown]];
  const mapped = text.replaceAll(PLACE, (whole) => inText.shift() ?? whole);
  if (own === undefined) return mapped;
  const end = mapped.indexOf('\n');
  return end < 0 ? `${mapped} (${own})` : `${mapped.slice(0, end)} (${own})${mapped.slice(end)}`;
}
