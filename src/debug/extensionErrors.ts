import type { ErrorPlace, ErrorReport, ExtensionError } from '../devtools/errorReports';
import { pathInExtension } from '../devtools/extensionUrl';
import type { WorkerError } from '../devtools/serviceWorkers';

/** The most different errors of an extension that are kept, as many as Chromium keeps. */
const MAX_ERRORS = 100;

/** The most places of worker errors that wait for the report of the error. */
const MAX_PLACES = 50;

/** The part of an extension in which an error occurred. */
export type ErrorPart =
  | { kind: 'worker' }
  /** A page of the extension, by its path. */
  | { kind: 'page'; path: string }
  /** A content script, by the host of the page that it runs in; empty for a page without one. */
  | { kind: 'content'; host: string }
  /** The manifest, by the key. */
  | { kind: 'manifest'; key: string };

/** An error of one part of an extension. */
export interface PartError {
  part: ErrorPart;
  /** Chromium's text without the stack. */
  text: string;
  isWarning: boolean;
  /** Where, in a file of the extension; undefined when nothing tells. */
  place: ErrorPlace | undefined;
  /** How often it has occurred since the last push. */
  count: number;
}

/** The errors of one extension in one browser since its last push, each once. */
export class ExtensionErrors {
  readonly #extensionId: string;
  readonly #errors = new Map<string, PartError>();

  constructor(extensionId: string) {
    this.#extensionId = extensionId;
  }

  get all(): readonly PartError[] {
    return [...this.#errors.values()];
  }

  /** Adds what was reported, and returns the errors that it was about. `places` are the latest errors of workers. */
  add({ isFirst, errors }: ErrorReport, places: WorkerPlaces): PartError[] {
    if (isFirst) this.#errors.clear();
    return errors.map((error) => this.#add(partErrorOf(this.#extensionId, error, places)));
  }

  /** Removes those of these errors that are in it. */
  remove(outdated: ReadonlySet<PartError>): void {
    for (const [key, error] of this.#errors) if (outdated.has(error)) this.#errors.delete(key);
  }

  #add(error: PartError): PartError {
    const key = keyOf(error);
    const known = this.#errors.get(key);
    if (known) {
      known.count += error.count;
      return known;
    }
    const [oldest] = this.#errors.keys();
    if (this.#errors.size >= MAX_ERRORS && oldest !== undefined) this.#errors.delete(oldest);
    this.#errors.set(key, error);
    return error;
  }
}

/**
 * The places of the latest errors in workers. Chromium reports an uncaught error of a worker twice (measured: 2 ms apart), and only the first
 * report, to the ServiceWorker domain, has the exact column.
 */
export class WorkerPlaces {
  #latest: WorkerError[] = [];

  note(error: WorkerError): void {
    // Such an error comes once more without its column.
    if (error.column < 0) return;
    this.#latest = [...this.#latest.slice(1 - MAX_PLACES), error];
  }

  /** The column of an error that was noted with this text on this line; undefined when there is none. */
  columnOf(text: string, { url, line }: ErrorPlace): number | undefined {
    return this.#latest.findLast((one) => one.text === text && one.url === url && one.line === line)?.column;
  }
}

/** What two reports of one error have in common: not the words before an uncaught error, nor which of two policies refuses the same. */
export function essenceOf(text: string): string {
  return text
    .replace(/^Uncaught (?:\(in promise\) )?/, '')
    .replace(/(Content Security Policy directive) '.*?'(?=\.)/s, '$1');
}

function keyOf({ part, text, place }: PartError): string {
  return JSON.stringify([part, essenceOf(text), place?.url, place?.line]);
}

function partErrorOf(extensionId: string, error: ExtensionError, places: WorkerPlaces): PartError {
  const { text, isWarning, isWorker, source, count } = error;
  const [words, stack] = splitStack(text);
  const isOwn = ({ url }: ErrorPlace): boolean => pathInExtension(url, extensionId) !== undefined;
  const place = [...error.frames, ...stack, { url: source, line: 0, column: undefined }].find(isOwn);
  const column = place && isWorker && place.column === undefined ? places.columnOf(text, place) : undefined;
  return {
    part: partOf(extensionId, error),
    text: words,
    isWarning,
    place: place && column !== undefined ? { ...place, column } : place,
    count,
  };
}

function partOf(extensionId: string, { isOfManifest, manifestKey, isWorker, contextUrl }: ExtensionError): ErrorPart {
  if (isOfManifest) return { kind: 'manifest', key: manifestKey };
  if (isWorker) return { kind: 'worker' };
  const path = pathInExtension(contextUrl, extensionId);
  if (path !== undefined) return { kind: 'page', path };
  return { kind: 'content', host: URL.canParse(contextUrl) ? new URL(contextUrl).host : '' };
}

/** A place in a line of a stack. A path may hold colons, so its end is looked for. */
const STACK_PLACE = /(chrome-extension:\/\/[^\s()]{1,2000}):(\d{1,9}):(\d{1,9})\)?$/;

/** A number of a line or column from 1, counted from 0: a text may say anything. */
function fromZero(written: string | undefined): number {
  return Math.max(0, Number(written) - 1);
}

/** The lines of a text before its stack, and the places in that stack, counted from 0. */
function splitStack(text: string): [string, ErrorPlace[]] {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => /^\s+at /.test(line));
  if (first < 0) return [text, []];
  const places = lines.slice(first).flatMap((line) => {
    const [, url, row, column] = STACK_PLACE.exec(line) ?? [];
    return url === undefined ? [] : [{ url, line: fromZero(row), column: fromZero(column) }];
  });
  return [lines.slice(0, first).join('\n'), places];
}
