import * as l10n from '@vscode/l10n';
import { basename } from 'node:path';
import type { WorkerDebuggers } from '../../devtools/workers/workerDebuggers';
import { COMMANDS } from '../../ids';
import type { BrowserOutcome, PushOutcome } from '../../push/pushRun';
import type { PushOrigin } from '../../push/restartRule';
import { secretsText } from '../../push/prepare/secretsText';
import type { Browser } from '../../service/model';
import { shownFolder } from '../folder/shownFolder';
import { browserLabel } from '../lists/labels';
import type { Log } from '../channelLog';
import type { WayOut } from '../errorTexts';
import { sentenceFor, waysOutOf } from '../messages';
import { Notice } from '../notice';
import { openNotice, showInformation, showWarning } from '../notify';
import { buttonsOf, showInformationWithWays } from '../waysOut';
import { outcomeSentence } from './outcomeSentence';
import { outcomeWay } from './outcomeWay';
import { FirstSuccess } from './firstSuccess';
import { PauseNotice } from './pauseNotice';
import { summarise } from './summary';

/** The levels of the log lines about pushes after which the build does not run, where that is no error. */
const LEVELS: Partial<Record<PushOutcome['kind'], 'info' | 'warn'>> = {
  cancelled: 'info',
  unchanged: 'info',
  unverified: 'warn',
};

/** The log lines about the worker. */
const WORKER_LINES = {
  running: 'service worker running',
  paused: 'service worker paused by the debugger',
  kept: 'service worker not restarted, none of its files has changed',
  none: 'loaded, it has no service worker',
} as const;

/** Reports how pushes ended: a log line for each browser, and a notification where one is due. */
export class PushReport {
  /** What went wrong, until it holds no longer. */
  readonly #notice = new Notice(openNotice);
  readonly #pause = new PauseNotice(openNotice);
  readonly #firstSuccess = new FirstSuccess();
  #lastWarning = '';

  /** `debuggersOf`: the debuggers of a browser that was pushed to. */
  constructor(
    private readonly log: Log,
    private readonly debuggersOf: (browser: Browser) => WorkerDebuggers | undefined,
  ) {}

  /** What was said of the last push holds no longer. */
  withdraw(): void {
    this.#notice.withdraw();
    this.#pause.withdraw();
  }

  /** Logs how a push of `folder` ended in one browser. */
  line(folder: string, browserOutcome: BrowserOutcome): void {
    const { browser, outcome } = browserOutcome;
    const prefix = `Push ${folder} to ${browserLabel(browser)}`;
    const text = sentenceOf(browserOutcome);
    if (outcome.kind === 'running') {
      this.log.info(`${prefix}: extension id ${outcome.extensionId}`);
      this.log.info(`${prefix}: version ${outcome.version}`);
      this.log.info(`${prefix}: ${WORKER_LINES[outcome.worker]}`);
      this.log.info(text);
      return;
    }
    this.log[LEVELS[outcome.kind] ?? 'error'](`${prefix}: ${text}`);
    if (outcome.kind !== 'failed' || !(outcome.error instanceof Error)) return;
    const { stack } = outcome.error;
    // An unexpected error: the stack helps whoever reads the log.
    if (sentenceFor(outcome.error) === undefined && stack !== undefined) this.log.error(stack);
  }

  /**
   * Shows how a push ended in all its browsers that were still chosen when it began there. `removeCopies` is called when the user chooses to remove
   * other copies.
   */
  show(all: readonly BrowserOutcome[], origin: PushOrigin, removeCopies: () => void): void {
    const outcomes = all.filter(({ outcome }) => outcome.kind !== 'cancelled' || outcome.why !== 'notWanted');
    if (outcomes.length === 0) return;
    const summary = summarise(
      outcomes.map((browserOutcome) => ({
        browser: browserLabel(browserOutcome.browser),
        extension: browserOutcome.archive?.name ?? basename(browserOutcome.folder),
        kind: browserOutcome.outcome.kind,
        text: sentenceOf(browserOutcome),
        isForAll: browserOutcome.isForAll,
      })),
    );
    const several = outcomes.length > 1;
    if (several) this.log.info(summary.text);
    if (origin === 'agent' || origin === 'test') return;
    const failed = outcomes.map(({ outcome }) => outcome);
    const way = outcomeWay(summary.state, failed, origin);
    if (way === 'nothing') return;
    this.#pause.withdraw();
    if (way === 'notice' || way === 'question') {
      const isDoubled = failed.some(({ kind: outcome }) => outcome === 'doubled');
      const remove = { label: l10n.t('Remove Other Copies'), act: removeCopies };
      const buttons = way === 'notice' ? [] : [...(isDoubled ? [remove] : []), ...buttonsOf(waysOut(failed))];
      this.#notice.show(summary.text, { buttons, mustShow: origin === 'command' });
      return;
    }
    this.#notice.withdraw();
    if (way === 'warning') this.#warn(summary.text, origin);
    else this.#lastWarning = '';
    if (way === 'success' && origin === 'command') void this.#tellSuccess(summary.text, outcomes);
  }

  /** After a push by command it is always said, after a push on save once until the text changes. */
  #warn(text: string, origin: PushOrigin): void {
    if (origin !== 'save' || text !== this.#lastWarning) void showWarning(text);
    this.#lastWarning = text;
  }

  async #tellSuccess(text: string, outcomes: readonly BrowserOutcome[]): Promise<void> {
    const [only, ...others] = outcomes;
    if (only?.outcome.kind === 'running' && only.outcome.pausedAt !== undefined && others.length === 0) {
      const debuggers = this.debuggersOf(only.browser);
      if (debuggers) this.#pause.show(text, only.outcome.extensionId, debuggers);
      return;
    }
    const ways = await this.#firstSuccess.ways(outcomes);
    if (ways.length > 0) await showInformationWithWays(text, ways);
    else showInformation(text);
  }
}

function sentenceOf({ browser, outcome, folder, archive, isTooLate }: BrowserOutcome): string {
  const left = outcome.kind === 'unchanged' ? '' : secretsText(archive?.secrets?.length ?? 0);
  const text = [outcomeSentence(outcome, browserLabel(browser), shownFolder(folder)), left]
    .filter((one) => one !== '')
    .join(' ');
  return isTooLate ? l10n.t('Cancelled too late: {0}', text) : text;
}

/** The commands that help after a failed push, each once. */
function waysOut(outcomes: readonly PushOutcome[]): WayOut[] {
  const ways = outcomes.flatMap((outcome) => waysAfter(outcome));
  const showLog = { label: l10n.t('Show Log'), command: COMMANDS.showLog };
  const all = [...ways.filter(({ command }) => command !== COMMANDS.showLog), showLog];
  return all.filter(({ command }, index) => all.findIndex((other) => other.command === command) === index);
}

function waysAfter(outcome: PushOutcome): WayOut[] {
  switch (outcome.kind) {
    case 'failed':
      return waysOutOf(outcome.error);
    case 'refusedByCheck':
    case 'workerFailed':
      return [{ label: l10n.t('Show Problems'), command: 'workbench.actions.view.problems' }];
    case 'tooLarge':
    case 'leftOut':
      return [{ label: l10n.t('Show What Is Pushed'), command: COMMANDS.showContents }];
    case 'needsLocalhost':
      return [
        { label: l10n.t('Push Again'), command: COMMANDS.push },
        { label: l10n.t('Choose Extension Folder…'), command: COMMANDS.chooseFolder },
      ];
    default:
      return [];
  }
}
