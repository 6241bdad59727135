import { RecentMap } from '../base/recentMap';
import { urlOf } from '../base/url';
import type { ErrorReport, ExtensionError } from '../devtools/errors/errorReports';
import type { ErrorTrace } from '../devtools/errors/errorTrace';
import { ownerOfCode, pathInExtension } from '../devtools/protocol/extensionUrl';
import { splitStack, type ErrorLocation } from '../devtools/protocol/stackText';
import type { WorkerError } from '../devtools/workers/serviceWorkers';

/** The most different errors of an extension that are remembered, as many as by Chromium (C-ERRORS-MOST). */
const MAX_ERRORS = 100;

/**
 * What Chromium's list has about the manifest of a worker that has failed at its start. All else in it about a manifest is a warning, which the list
 * does not say (C-ERRORS-MANIFEST).
 */
export const REGISTRATION_FAILED = /^Service worker registration failed\b/;

/** The most locations of worker errors that wait for the report of the error. */
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
  /** Where, in a file of the extension; undefined when that is unknown. */
  location: ErrorLocation | undefined;
  /** How often it has occurred since the last push. */
  count: number;
}

/** The errors of what one extension runs in one browser, each once: since the push that has loaded it, those of its pages since the last one. */
export class ExtensionErrors {
  readonly #errors = new RecentMap<string, PartError>(MAX_ERRORS);
  /** What inspectors have seen of errors that Chromium's list has or will have. */
  #traces: readonly ErrorTrace[] = [];
  /** Errors that only inspectors of pages have seen: to another connection, these repeat what they have kept. */
  readonly #repeated = new WeakSet<PartError>();

  constructor(private readonly extensionId: string) {}

  get all(): readonly PartError[] {
    return [...this.#errors.values()];
  }

  /** Adds what was reported, and returns the errors that it was about. `locations` are the latest errors of workers. */
  add(report: ErrorReport, locations: WorkerLocations): PartError[] {
    const { isFirst, isOfPages = false, isAgain = false, errors, traces } = report;
    const earlier = isAgain ? this.all.filter((error) => !this.#repeated.has(error)) : [];
    if (isFirst && isOfPages) {
      this.remove(new Set(this.all.filter(({ part }) => part.kind === 'page')));
    } else if (isFirst) {
      this.#errors.clear();
      this.#traces = [];
    }
    const listed = traces.filter(({ isListed }) => isListed);
    this.#traces = [...this.#traces, ...listed].slice(-MAX_ERRORS);
    for (const trace of listed) this.#refine(trace);
    const known = new Set(this.all.filter(({ part }) => part.kind === 'worker').map(({ text }) => essenceOf(text)));
    const isUnlisted = ({ isListed, text }: ErrorTrace): boolean =>
      isListed === 'unsure' ? !known.has(essenceOf(text)) : !isListed;
    const seen = traces.filter(isUnlisted);
    const added = [
      ...errors.map((error) => this.#add(this.#traced(partErrorOf(this.extensionId, error, locations)))),
      ...seen.map((trace) => this.#addSeen(trace)),
    ];
    // As the oldest ones, and not in place of what was reported now.
    const latest = [...this.#errors];
    for (const error of earlier) this.#errors.set(keyOf(error), error);
    for (const [key, error] of latest) this.#errors.set(key, error);
    return added;
  }

  /** Removes those of these errors that are in it. */
  remove(outdated: ReadonlySet<PartError>): void {
    for (const [key, error] of this.#errors) if (outdated.has(error)) this.#errors.delete(key);
  }

  /** The error at the exact location, when an inspector has seen it. */
  #traced(error: PartError): PartError {
    for (const trace of this.#traces) {
      const location = exactLocation(error, trace);
      if (location) return { ...error, location };
    }
    return error;
  }

  /** Puts the errors that an inspector has seen, later than Chromium has reported them, at their exact locations. */
  #refine(trace: ErrorTrace): void {
    for (const [key, error] of this.#errors) {
      const location = exactLocation(error, trace);
      if (!location) continue;
      this.#errors.delete(key);
      this.#add({ ...error, location });
    }
  }

  /** Adds an error that only an inspector has seen. */
  #addSeen(trace: ErrorTrace): PartError {
    const error = this.#add(errorOfTrace(this.extensionId, trace));
    if (!trace.isWorker) this.#repeated.add(error);
    return error;
  }

  #add(error: PartError): PartError {
    const key = keyOf(error);
    const known = this.#errors.get(key);
    if (known) {
      known.count += error.count;
      return known;
    }
    this.#errors.set(key, error);
    return error;
  }
}

/** The locations of the latest errors in workers. Only the first of two reports of an uncaught error has the exact column (C-ERRORS-TWICE). */
export class WorkerLocations {
  #latest: WorkerError[] = [];

  note(error: WorkerError): void {
    // Such an error comes once more without its column.
    if (error.column < 0) return;
    this.#latest = [...this.#latest.slice(1 - MAX_PLACES), error];
  }

  /** The column of an error that was noted with this text on this line; undefined when there is none. */
  columnOf(text: string, { url, line }: ErrorLocation): number | undefined {
    return this.#latest.findLast((one) => one.text === text && one.url === url && one.line === line)?.column;
  }
}

/** What two reports of one error have in common: not the words before an uncaught error, nor which of two policies refuses the same. */
export function essenceOf(text: string): string {
  return text
    .replace(/^Uncaught (?:\(in promise\) )?/, '')
    .replace(/(Content Security Policy directive) '.*?'(?=\.)/s, '$1');
}

function keyOf({ part, text, location }: PartError): string {
  return JSON.stringify([part, essenceOf(text), location?.url, location?.line]);
}

function partErrorOf(extensionId: string, error: ExtensionError, locations: WorkerLocations): PartError {
  const { text, isWarning, isOfManifest, isWorker, source, contextUrl, count } = error;
  const [words, stack] = splitStack(text);
  const context = isWorker ? `chrome-extension://${extensionId}/` : contextUrl;
  const isOwn = ({ url }: ErrorLocation): boolean => ownerOfCode(url, context) === extensionId;
  const isExact = ({ column }: ErrorLocation): boolean => column !== undefined;
  const rough = [...error.frames.filter((frame) => !isExact(frame)), { url: source, line: 0, column: undefined }];
  const location = [...error.frames.filter(isExact), ...stack, ...rough].find(isOwn);
  const column = location && isWorker && location.column === undefined ? locations.columnOf(text, location) : undefined;
  return {
    part: partOf(extensionId, error),
    text: words,
    isWarning: isWarning || (isOfManifest && !REGISTRATION_FAILED.test(text)),
    location: location && column !== undefined ? { ...location, column } : location,
    count,
  };
}

function partOf(
  extensionId: string,
  {
    isOfManifest,
    manifestKey,
    isWorker,
    contextUrl,
  }: Pick<ExtensionError, 'isOfManifest' | 'manifestKey' | 'isWorker' | 'contextUrl'>,
): ErrorPart {
  if (isOfManifest) return { kind: 'manifest', key: manifestKey };
  if (isWorker) return { kind: 'worker' };
  const path = pathInExtension(contextUrl, extensionId);
  if (path !== undefined) return { kind: 'page', path };
  return { kind: 'content', host: urlOf(contextUrl)?.host ?? '' };
}

/** An error that Chromium does not list. */
function errorOfTrace(
  extensionId: string,
  { text, isWarning, isWorker, locations: [location], contextUrl }: ErrorTrace,
): PartError {
  const about = { isOfManifest: false, manifestKey: '', isWorker, contextUrl };
  return { part: partOf(extensionId, about), text, isWarning, location, count: 1 };
}

/** Where an error is by what an inspector has seen; undefined when that is of another error, or says nothing new. */
function exactLocation({ part, text, location }: PartError, trace: ErrorTrace): ErrorLocation | undefined {
  if (location?.column !== undefined || (part.kind === 'worker') !== trace.isWorker) return undefined;
  if (part.kind === 'manifest' || essenceOf(text) !== essenceOf(trace.text)) return undefined;
  if (!location) return trace.locations[0];
  return trace.locations.find(({ url, line }) => url === location.url && line === location.line);
}
