import * as l10n from '@vscode/l10n';
import { commands } from 'vscode';
import type { BrowserEnd, PushEnd } from '../../push/run';
import { durationText } from '../../units';
import { browserLabel, browsersLabel } from '../lists/labels';
import type { Log } from '../log';
import { sentenceFor } from '../messages';
import { showError, showInformation, showWarning } from '../notify';
import { endText } from './endText';
import type { StatusBar } from './statusBar';
import { summarise, type Summary } from './summary';

/** What started a push: one by `command` may ask questions and shows its result; one on `save` is silent unless something fails. */
export type PushOrigin = 'command' | 'save';

/** The log lines about the worker. */
const WORKER_LINES = {
  running: 'service worker running',
  kept: 'service worker not restarted, none of its files has changed',
  none: 'loaded, it has no service worker',
} as const;

/** Reports how pushes ended: a log line for each browser, the status bar, and a notification where one is due. */
export class PushReport {
  readonly #statusBar: StatusBar;
  readonly #log: Log;
  #lastFailure = '';

  constructor(statusBar: StatusBar, log: Log) {
    this.#statusBar = statusBar;
    this.#log = log;
  }

  /** Logs how a push of `folder` ended in one browser. */
  line(folder: string, { session, end }: BrowserEnd): void {
    const browser = browserLabel(session);
    const prefix = `Push ${folder} to ${browser}`;
    const text = endText(end, browser);
    switch (end.outcome) {
      case 'running':
        this.#log.info(`${prefix}: extension id ${end.extensionId}`);
        this.#log.info(`${prefix}: version ${end.version}`);
        this.#log.info(`${prefix}: ${WORKER_LINES[end.worker]}`);
        this.#log.info(text);
        return;
      case 'cancelled':
      case 'unchanged':
        this.#log.info(`${prefix}: ${text}`);
        return;
      case 'unverified':
        this.#log.warn(`${prefix}: ${text}`);
        return;
      case 'failed':
        this.#log.error(`${prefix}: ${text}`);
        // An unexpected error: the stack helps whoever reads the log.
        if (sentenceFor(end.error) === undefined && end.error instanceof Error && end.error.stack !== undefined) {
          this.#log.error(end.error.stack);
        }
        return;
      default:
        this.#log.error(`${prefix}: ${text}`);
    }
  }

  /** Shows how a push ended in all its browsers. `removeCopies` is called when the user chooses to remove other copies. */
  show(ends: readonly BrowserEnd[], origin: PushOrigin, removeCopies: () => void): void {
    const summary = summarise(
      ends.map(({ session, end, isForAll }) => ({
        browser: browserLabel(session),
        outcome: end.outcome,
        text: endText(end, browserLabel(session)),
        isForAll,
      })),
    );
    const several = ends.length > 1;
    if (several) this.#log.info(summary.text);
    switch (summary.state) {
      case 'running':
        this.#lastFailure = '';
        this.#showRunning(ends, several, summary);
        if (origin === 'command') showInformation(summary.text);
        return;
      case 'nothing':
        this.#statusBar.settle();
        return;
      case 'unverified':
        this.#showUnverified(ends, summary, origin);
        return;
      case 'partly':
      case 'failed':
        this.#showFailure(ends, summary, origin, removeCopies);
    }
  }

  #showRunning(ends: readonly BrowserEnd[], several: boolean, { text }: Summary): void {
    const running = ends.flatMap(({ end }) => (end.outcome === 'running' ? [end] : []));
    const [first] = running;
    if (!first) return;
    this.#statusBar.show({
      state: 'running',
      browser: browsersLabel(ends.map(({ session }) => session)),
      name: first.name,
      version: first.version,
      at: new Date(),
      took: durationText(Math.max(...running.map(({ ms }) => ms))),
      ...(several ? { detail: text } : {}),
    });
  }

  #showUnverified(ends: readonly BrowserEnd[], { text }: Summary, origin: PushOrigin): void {
    const browser = browsersLabel(ends.map(({ session }) => session));
    this.#statusBar.show({ state: 'unverified', browser, reason: text, at: new Date() });
    if (this.#wasShown(text, origin)) return;
    showWarning(text);
  }

  /** Whether a failure was shown already: after a push by command it is always shown, after a push on save once until the text changes. */
  #wasShown(text: string, origin: PushOrigin): boolean {
    const isSame = text === this.#lastFailure;
    this.#lastFailure = text;
    return origin === 'save' && isSame;
  }

  #showFailure(ends: readonly BrowserEnd[], summary: Summary, origin: PushOrigin, removeCopies: () => void): void {
    const { text, running } = summary;
    const browser = browsersLabel(ends.map(({ session }) => session));
    const label =
      running > 0 ? l10n.t('running in {0} of {1}', running, ends.length) : failureLabel(ends.map(({ end }) => end));
    this.#statusBar.show({ state: 'failed', browser, reason: text, at: new Date(), label });
    if (this.#wasShown(text, origin)) return;
    const showLog = l10n.t('Show Log');
    const showProblems = l10n.t('Show Problems');
    const remove = l10n.t('Remove Other Copies');
    const isDoubled = ends.some(({ end }) => end.outcome === 'doubled');
    const hasProblems = ends.some(({ end }) => end.outcome === 'refusedByCheck' || end.outcome === 'workerFailed');
    const buttons = [...(isDoubled ? [remove] : []), ...(hasProblems ? [showProblems] : []), showLog];
    void showError(text, ...buttons).then((choice) => {
      if (choice === showLog) this.#log.show();
      else if (choice === remove) removeCopies();
      else if (choice === showProblems) void commands.executeCommand('workbench.actions.view.problems');
    });
  }
}

/** The short label of a failed push for the status bar. A build may run in spite of a failure. */
function failureLabel(ends: readonly PushEnd[]): string {
  const is = (outcome: PushEnd['outcome']): boolean => ends.some((end) => end.outcome === outcome);
  if (is('workerFailed')) return l10n.t('worker failed');
  if (is('doubled')) return l10n.t('runs more than once');
  return is('wrong') ? l10n.t('not running') : l10n.t('not pushed');
}
