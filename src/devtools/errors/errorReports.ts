import { fieldOf } from '../../base/fields';
import type { CDPSession, Protocol } from '../protocol/connect';
import type { ErrorLocation, ErrorTrace } from './errorTrace';
import { evaluate } from '../protocol/evaluate';

/** The function by which the page reports errors. */
const REPORT = 'reportErrors';

/** Longest text of an error and longest stack that are reported, in characters and frames. */
const MAX_TEXT = 4000;
const MAX_FRAMES = 20;

/** More reports per second than this are put together into one, which follows after that second. */
const MAX_REPORTS = 20;

/** So many records of an extension are remembered as reported; Chromium keeps 100. */
const MAX_RECORDS = 1000;

/** How long the reports may be paused, in milliseconds, when they are not resumed. */
const PAUSE_LIMIT_MS = 15_000;

/**
 * Runs in the hidden page of chrome://extensions. Chromium keeps the errors of each extension, also over its reloads, the same ones counted in
 * one record, and describes the whole extension in each event; of that, only records that are new or were counted again are reported.
 */
const LISTEN = `{
  const event = chrome.developerPrivate.onItemStateChanged;
  /**
   * Of each watched extension: how often each error was reported to have occurred; whether it was reloaded since it was last pushed, so that
   * all errors that Chromium lists are those of the new build; whether its last push has reloaded pages alone; how many first reports are
   * asked for; and whether an error came meanwhile, which such a report may have or not.
   */
  const watched = new Map();
  let timer;
  let second = 0;
  let count = 0;
  const cut = (text) => String(text ?? '').slice(0, ${MAX_TEXT});
  const errorOf = ({ id, type, message, severity, source, contextUrl, isServiceWorker, occurrences, manifestKey, stackTrace = [] }) => ({
    id, isOfManifest: type === 'MANIFEST', text: cut(message), isWarning: severity === 'WARN', source: cut(source), contextUrl: cut(contextUrl),
    isWorker: isServiceWorker === true, count: occurrences ?? 1, manifestKey: cut(manifestKey),
    frames: stackTrace.slice(0, ${MAX_FRAMES}).map(({ url, lineNumber, columnNumber }) => ({ url: cut(url), line: lineNumber, column: columnNumber })),
  });
  const report = ({ id, runtimeErrors, manifestErrors }, isFirst = false) => {
    const state = watched.get(id);
    if (!state) return;
    if (state.asked > 0 && !isFirst) {
      state.isLate = true;
      return;
    }
    const { before } = state;
    const all = [...manifestErrors, ...runtimeErrors];
    const errors = all.map(errorOf)
      .map((error) => ({ ...error, count: error.count - (before.get(error.id) ?? 0) }))
      .filter(({ count }) => count > 0);
    // An answer may be older than an event that came before it.
    for (const { id, occurrences = 1 } of all) before.set(id, Math.max(occurrences, before.get(id) ?? 0));
    for (const id of before.keys()) if (before.size > ${MAX_RECORDS}) before.delete(id);
    if (isFirst || errors.length > 0) self.${REPORT}?.(JSON.stringify({ extensionId: id, isFirst, isOfPages: isFirst && state.isOfPages, errors }));
  };
  const onChanged = ({ event_type, extensionInfo }) => {
    if (event_type !== 'ERROR_ADDED' || !extensionInfo) return;
    report(extensionInfo);
    const now = Math.floor(performance.now() / 1000);
    count = now === second ? count + 1 : 1;
    second = now;
    if (count > ${MAX_REPORTS}) pause(1000);
  };
  const pause = (limitMs) => {
    event.removeListener(onChanged);
    clearTimeout(timer);
    timer = setTimeout(resume, limitMs);
  };
  const read = async (id, isFirst) => {
    const state = watched.get(id);
    if (isFirst) state.asked += 1;
    const info = await chrome.developerPrivate.getExtensionInfo(id).catch(() => undefined);
    if (isFirst) state.asked -= 1;
    if (info) report(info, isFirst);
    if (!state.isLate || state.asked > 0) return;
    state.isLate = false;
    void read(id, false);
  };
  const resume = (first) => {
    clearTimeout(timer);
    if (!event.hasListener(onChanged)) event.addListener(onChanged);
    for (const id of watched.keys()) void read(id, id === first);
  };
  self.sideloadErrors = {
    pause: (id) => {
      const state = watched.get(id);
      if (state) state.isReloaded = true;
      chrome.developerPrivate.deleteExtensionErrors({ extensionId: id, type: 'RUNTIME' });
      pause(${PAUSE_LIMIT_MS});
    },
    watch: (id, isPushed, isByOther) => {
      const state = watched.get(id) ?? { isReloaded: true, asked: 0, isLate: false };
      watched.set(id, state);
      if (isByOther) state.isReloaded = true;
      state.isOfPages = !state.isReloaded;
      if (state.isReloaded) state.before = new Map();
      if (isPushed) state.isReloaded = false;
      resume(id);
    },
  };
}`;

/** An error of an extension, as Chromium's own extensions page lists it. */
export interface ExtensionError {
  /** Chromium's number of the record. */
  id: number;
  /** Whether it is about the manifest, and not about what runs. */
  isOfManifest: boolean;
  text: string;
  isWarning: boolean;
  /** The script or page in which it occurred; empty when Chromium does not know. */
  source: string;
  /** The page or worker that ran it; empty when Chromium does not know. */
  contextUrl: string;
  isWorker: boolean;
  /** How often it has occurred since it was reported last. */
  count: number;
  /** The key of the manifest that it is about; empty for others. */
  manifestKey: string;
  /** The stack, innermost first. */
  frames: ErrorLocation[];
}

/** Errors of one extension that are new, or have occurred again. */
export interface ErrorReport {
  extensionId: string;
  /** Whether it answers a call of `watch`: earlier reports are about the time before, or those of pages where `isOfPages`. */
  isFirst: boolean;
  /** Whether only pages of the extension were reloaded: its worker and its content scripts run on, with the errors that they have had. */
  isOfPages?: boolean;
  errors: ExtensionError[];
  /** What inspectors have seen of errors: of a first report all since the last reload. */
  traces: readonly ErrorTrace[];
}

/**
 * The errors of extensions in all their parts, as Chromium collects them in Developer mode: without attaching to anything, so that workers
 * may fall asleep.
 */
export class ErrorReports {
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  /** `session`: a page that has `chrome.developerPrivate`. No extension is watched yet. */
  static async begin(session: CDPSession, onReport: (report: ErrorReport) => void): Promise<ErrorReports> {
    session.on('Runtime.bindingCalled', ({ name, payload }: Protocol.Runtime.BindingCalledEvent) => {
      if (name === REPORT) onReport(reportOf(JSON.parse(payload)));
    });
    await Promise.all([session.send('Runtime.addBinding', { name: REPORT }), evaluate(session, LISTEN)]);
    return new ErrorReports(session);
  }

  /**
   * Reports the errors of an extension from now on, and ends a pause. The first report has those since its last reload by a push; if it was
   * just pushed (`isPushed`) without a reload, only those that were not reported before. `isByOther`: another program has pushed and deleted
   * the errors before. Never rejects.
   */
  async watch(extensionId: string, isPushed: boolean, isByOther = false): Promise<void> {
    const watch = `sideloadErrors.watch(${JSON.stringify(extensionId)}, ${isPushed}, ${isByOther})`;
    await evaluate(this.#session, watch).catch(() => undefined);
  }

  /**
   * Deletes the errors of an extension that is about to be reloaded from Chromium's list, which keeps them otherwise, and reports nothing until
   * `watch` is called; nothing is lost by that. Chromium describes the whole extension to
   * every listener some 30 times per reload (measured: 16 ms more until the worker's first statement). Never rejects.
   */
  async pause(extensionId: string): Promise<void> {
    await evaluate(this.#session, `sideloadErrors.pause(${JSON.stringify(extensionId)})`).catch(() => undefined);
  }
}

/** Reads what the page has reported; what is not as expected is left out. */
function reportOf(value: unknown): ErrorReport {
  return {
    extensionId: textIn(value, 'extensionId'),
    isFirst: fieldOf(value, 'isFirst') === true,
    isOfPages: fieldOf(value, 'isOfPages') === true,
    errors: listIn(value, 'errors').map(errorOf),
    traces: [],
  };
}

function errorOf(value: unknown): ExtensionError {
  return {
    id: numberIn(value, 'id'),
    isOfManifest: fieldOf(value, 'isOfManifest') === true,
    text: textIn(value, 'text'),
    isWarning: fieldOf(value, 'isWarning') === true,
    source: textIn(value, 'source'),
    contextUrl: textIn(value, 'contextUrl'),
    isWorker: fieldOf(value, 'isWorker') === true,
    count: numberIn(value, 'count'),
    manifestKey: textIn(value, 'manifestKey'),
    frames: listIn(value, 'frames').map((frame) => ({
      url: textIn(frame, 'url'),
      // Chromium counts both from 1, and gives the first column where it does not know it, as of uncaught errors.
      line: Math.max(0, numberIn(frame, 'line') - 1),
      column: numberIn(frame, 'column') > 1 ? numberIn(frame, 'column') - 1 : undefined,
    })),
  };
}

function textIn(value: unknown, name: string): string {
  const text = fieldOf(value, name);
  return typeof text === 'string' ? text : '';
}

function numberIn(value: unknown, name: string): number {
  const number = fieldOf(value, name);
  return typeof number === 'number' && Number.isFinite(number) ? number : 0;
}

function listIn(value: unknown, name: string): unknown[] {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
}
