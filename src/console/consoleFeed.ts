import * as l10n from '@vscode/l10n';
import { realClock, type Clock } from '../base/clock';
import { LOOPBACK_ORIGIN } from '../base/loopback';
import { shortened } from '../base/units';
import type { BuiltLocation, ConsoleLine, ConsoleMessage, ConsoleText } from './consoleLine';
import type { SourceLocations } from './sourceLocations';
import { LINES_A_SECOND, StormLimit } from './stormLimit';

/** Longest text of a line, in characters. */
const TEXT_LENGTH = 4000;

/** How long a line may wait for its objects and for source maps, in milliseconds, by default. */
const WAIT_MS = 400;

/** Locations of one text that are mapped: those of a stack. */
const MAX_PLACES = 20;

/** A location in an extension within a text, as stacks have it: URL, line, column. */
const PLACE = new RegExp(
  String.raw`((?:chrome-extension:\/\/[a-p]{32}|${LOOPBACK_ORIGIN})\/(?:[^\s()'"]|\([^\s()'"]*\))*?):(\d+)(?::(\d+))?(?![\w:])`,
  'g',
);

/** Makes lines of the messages of one browser: bounded, with locations in the sources, and in the order of the messages. */
export class ConsoleFeed {
  readonly #storm: StormLimit<ConsoleMessage>;
  /** Lines that wait, and the last of them. */
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();
  #isDisposed = false;

  #locations: SourceLocations | undefined;

  constructor(
    private readonly write: (line: ConsoleLine) => void,
    private readonly waitMs = WAIT_MS,
    private readonly clock: Clock = realClock,
  ) {
    this.#storm = new StormLimit(
      {
        ...LINES_A_SECOND,
        pass: (message) => this.#pass(message),
        onDropped: (count) => {
          const text = l10n.t('{0} lines dropped', count.toLocaleString('en'));
          this.#pass({ level: 'warn', context: '', at: Date.now(), read: () => ({ text }) });
        },
      },
      clock,
    );
  }

  /** Says where the locations of later messages are: those of a build that was pushed. */
  useLocations(locations: SourceLocations): void {
    this.#locations = locations;
  }

  readonly push = (message: ConsoleMessage): void => this.#storm.push(message);

  /** Counts messages that were dropped before they were read. */
  readonly addDropped = (count: number): void => this.#storm.addDropped(count);

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

  /** With the locations in the sources; at once when these are known. */
  #mapped({ text, location }: ConsoleText): string | Promise<string> {
    const cut = shortened(text, TEXT_LENGTH);
    const found = locationsOf(cut, location).map((one) => this.#locations?.source(one));
    if (isKnown(found)) return withLocations(cut, location, found);
    const asked = Promise.all(found.map(async (one) => await one));
    return asked.then((all) => withLocations(cut, location, all));
  }

  #unmapped({ text, location }: ConsoleText): string {
    const cut = shortened(text, TEXT_LENGTH);
    return withLocations(
      cut,
      location,
      locationsOf(cut, location).map((one) => this.#locations?.built(one)),
    );
  }
}

function isKnown<T>(values: readonly (T | Promise<T>)[]): values is readonly T[] {
  return !values.some((value) => value instanceof Promise);
}

/** The location of a message, if it has one, and those in its text. */
function locationsOf(text: string, location: BuiltLocation | undefined): BuiltLocation[] {
  const inText = [...text.matchAll(PLACE)].slice(0, MAX_PLACES).map(([, url = '', line, column]) => ({
    url,
    line: Number(line),
    ...(column !== undefined && { column: Number(column) }),
  }));
  return [...(location ? [location] : []), ...inText];
}

/** The text with `shown` in place of its locations; that of the message comes after the first line. */
function withLocations(
  text: string,
  location: BuiltLocation | undefined,
  shown: readonly (string | undefined)[],
): string {
  const [own, inText] = location ? [shown[0], shown.slice(1)] : [undefined, [...shown]];
  const mapped = text.replaceAll(PLACE, (whole) => inText.shift() ?? whole);
  if (own === undefined) return mapped;
  const end = mapped.indexOf('\n');
  return end < 0 ? `${mapped} (${own})` : `${mapped.slice(0, end)} (${own})${mapped.slice(end)}`;
}
