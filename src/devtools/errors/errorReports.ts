import { fieldOf, listField, numberField, textField } from '../../base/fields';
import {
  type ErrorLimits,
  listenForErrors,
  pauseErrorsOf,
  type ReportedError,
  watchErrorsOf,
} from '../inPage/errorCalls';
import type { CDPSession, Protocol } from '../protocol/connect';
import type { ErrorLocation } from '../protocol/stackText';
import type { ErrorTrace } from './errorTrace';
import { evaluate } from '../protocol/evaluate';
import { callOf } from '../protocol/pageCall';

/** The function by which the page reports errors. */
const REPORT = 'reportErrors';

/** Chromium remembers no more records of an extension (C-ERRORS-MOST). */
const LIMITS: ErrorLimits = { text: 4000, frames: 20, reports: 20, records: 1000, pauseMs: 15_000 };

/** An error of an extension, as Chromium's own extensions page lists it. */
export interface ExtensionError extends Omit<ReportedError, 'frames'> {
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
  /** Whether it is the first one of another connection, and of the build of before, whose errors a browser that was restarted lists no more. */
  isAgain?: boolean;
  errors: ExtensionError[];
  /** What inspectors have seen of errors: of a first report all since the last reload. */
  traces: readonly ErrorTrace[];
}

/** Whether an extension was just pushed; `isByOther`: by another program, which has deleted the errors so far. */
export interface WatchOptions {
  isPushed: boolean;
  isByOther?: boolean;
}

/**
 * The errors of extensions in all their parts, as Chromium collects them in Developer mode: without attaching to anything, so that workers may fall
 * asleep (C-WORKER-SLEEP).
 */
export class ErrorReports {
  private constructor(private readonly session: CDPSession) {}

  /** `session`: a page that has `chrome.developerPrivate`. No extension is watched yet. */
  static async begin(session: CDPSession, onReport: (report: ErrorReport) => void): Promise<ErrorReports> {
    session.on('Runtime.bindingCalled', ({ name, payload }: Protocol.Runtime.BindingCalledEvent) => {
      if (name === REPORT) onReport(reportOf(JSON.parse(payload)));
    });
    const listening = callOf(listenForErrors, REPORT, LIMITS);
    await Promise.all([session.send('Runtime.addBinding', { name: REPORT }), evaluate(session, listening)]);
    return new ErrorReports(session);
  }

  /**
   * Reports the errors of an extension from now on, and ends a pause. The first report has those since its last reload by a push; if it was
   * just pushed without a reload, only those that were not reported before. Never rejects.
   */
  async watch(extensionId: string, { isPushed, isByOther = false }: WatchOptions): Promise<void> {
    const watching = callOf(watchErrorsOf, extensionId, isPushed, isByOther);
    await evaluate(this.session, watching).catch(() => undefined);
  }

  /**
   * Deletes the errors of an extension that is about to be reloaded from Chromium's list, which has them otherwise, and reports nothing until
   * `watch` is called; nothing is lost by that, and a listener would delay the new worker (C-RELOAD-EVENTS). Never rejects.
   */
  async pause(extensionId: string): Promise<void> {
    await evaluate(this.session, callOf(pauseErrorsOf, extensionId)).catch(() => undefined);
  }
}

/** Reads what the page has reported; what is not as expected is left out. */
function reportOf(value: unknown): ErrorReport {
  return {
    extensionId: textField(value, 'extensionId'),
    isFirst: fieldOf(value, 'isFirst') === true,
    isOfPages: fieldOf(value, 'isOfPages') === true,
    errors: listField(value, 'errors').map(errorOf),
    traces: [],
  };
}

function errorOf(value: unknown): ExtensionError {
  return {
    id: numberField(value, 'id'),
    isOfManifest: fieldOf(value, 'isOfManifest') === true,
    text: textField(value, 'text'),
    isWarning: fieldOf(value, 'isWarning') === true,
    source: textField(value, 'source'),
    contextUrl: textField(value, 'contextUrl'),
    isWorker: fieldOf(value, 'isWorker') === true,
    count: numberField(value, 'count'),
    manifestKey: textField(value, 'manifestKey'),
    frames: listField(value, 'frames').map((frame) => ({
      url: textField(frame, 'url'),
      // Both count from 1, and a column that is not known is the first (C-ERRORS-COLUMNS).
      line: Math.max(0, numberField(frame, 'line') - 1),
      column: numberField(frame, 'column') > 1 ? numberField(frame, 'column') - 1 : undefined,
    })),
  };
}
