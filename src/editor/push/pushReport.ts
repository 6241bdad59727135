import * as l10n from '@vscode/l10n';
import { commands, window } from 'vscode';
import { durationText } from '../../units';
import { browserLabel, browsersLabel } from '../lists/labels';
import type { Log } from '../log';
import { sentenceFor } from '../messages';
import { outcomeText } from './outcomeText';
import type { BrowserEnd, PushEnd } from './pushRun';
import type { StatusBar } from './statusBar';
import { summarise, type Summary } from './summary';

/** How a push was asked for: by hand it may ask and answers aloud; on save it is silent while all goes well. */
export type PushOrigin = 'command' | 'save';

/** The log's words for what became of the worker. */
const WORKER_LINES = {
  running: 'service worker running',
  kept: 'service worker left as it is, nothing of it has changed',
  none: 'loaded, it has no service worker',
} as const;

/** Tells how pushes ended: a line for each browser in the log, the status bar, and a message where one is due. */
export class PushReport {
  readonly #statusBar: StatusBar;
  readonly #log: Log;
  #lastTrouble = '';

  constructor(statusBar: StatusBar, log: Log) {
    this.#statusBar = statusBar;
    this.#log = log;
  }

  /** Writes into the log how a push of `folder` ended in one browser. */
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
        // An error that nobody foresaw: whoever reads the log needs to know where.
        if (sentenceFor(end.error) === undefined && end.error instanceof Error && end.error.stack !== undefined) {
          this.#log.error(end.error.stack);
        }
        return;
      default:
        this.#log.error(`${prefix}: ${text}`);
    }
  }

  /** Tells people how a push ended in all its browsers. `removeCopies` is called when they want other copies to go. */
  tell(ends: readonly BrowserEnd[], origin: PushOrigin, removeCopies: () => void): void {
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
        this.#lastTrouble = '';
        this.#showRunning(ends, several, summary);
        if (origin === 'command') void window.showInformationMessage(summary.text);
        return;
      case 'nothing':
        this.#statusBar.settle();
        return;
      case 'unverified':
        this.#tellUnverified(ends, summary, origin);
        return;
      case 'partly':
      case 'failed':
        this.#tellFailure(ends, summary, origin, removeCopies);
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

  #tellUnverified(ends: readonly BrowserEnd[], { text }: Summary, origin: PushOrigin): void {
    const browser = browsersLabel(ends.map(({ session }) => session));
    this.#statusBar.show({ state: 'unverified', browser, reason: text, at: new Date() });
    if (this.#isToldAlready(text, origin)) return;
    void window.showWarningMessage(text);
  }

  /** What is not well is always told after a push by hand; after one on save once, until something else happens. */
  #isToldAlready(text: string, origin: PushOrigin): boolean {
    const isSame = text === this.#lastTrouble;
    this.#lastTrouble = text;
    return origin === 'save' && isSame;
  }

  #tellFailure(ends: readonly BrowserEnd[], summary: Summary, origin: PushOrigin, removeCopies: () => void): void {
    const { text, running } = summary;
    const browser = browsersLabel(ends.map(({ session }) => session));
    const label =
      running > 0 ? l10n.t('running in {0} of {1}', running, ends.length) : failureLabel(ends.map(({ end }) => end));
    this.#statusBar.show({ state: 'failed', browser, reason: text, at: new Date(), label });
    if (this.#isToldAlready(text, origin)) return;
    const showLog = l10n.t('Show Log');
    const showProblems = l10n.t('Show Problems');
    const remove = l10n.t('Remove Other Copies');
    const isDoubled = ends.some(({ end }) => end.outcome === 'doubled');
    const hasProblems = ends.some(({ end }) => end.outcome === 'refusedByCheck' || end.outcome === 'workerFailed');
    const buttons = [...(isDoubled ? [remove] : []), ...(hasProblems ? [showProblems] : []), showLog];
    void window.showErrorMessage(text, ...buttons).then((choice) => {
      if (choice === showLog) this.#log.show();
      else if (choice === remove) removeCopies();
      else if (choice === showProblems) void commands.executeCommand('workbench.actions.view.problems');
    });
  }
}

/** What became of a push, in the few words that the status bar has room for. Not all that fails stays outside. */
function failureLabel(ends: readonly PushEnd[]): string {
  const is = (outcome: PushEnd['outcome']): boolean => ends.some((end) => end.outcome === outcome);
  if (is('workerFailed')) return l10n.t('worker failed');
  if (is('doubled')) return l10n.t('runs more than once');
  return is('wrong') ? l10n.t('not running') : l10n.t('not pushed');
}

function endText(end: PushEnd, browser: string): string {
  return end.outcome === 'failed' ? (sentenceFor(end.error) ?? String(end.error)) : outcomeText(end, browser);
}
