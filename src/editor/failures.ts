import * as l10n from '@vscode/l10n';
import type { Disposable } from 'vscode';
import { failureEnd, type FailureEnd, sentenceFor, waysOutOf } from './messages';
import type { Log } from './channelLog';
import { Notice } from './notice';
import { openNotice } from './notify';
import { buttonsOf, showErrorWithWaysOut } from './waysOut';

/**
 * Shows the errors of commands. One that is about a state, such as a service that cannot be reached, is shown as long as that
 * state lasts; what is only about an act stays until the user closes it.
 */
export class Failures implements Disposable {
  readonly #shown = new Map<string, { notice: Notice; end: FailureEnd }>();

  constructor(private readonly log: Log) {}

  /** Logs and shows the error with which a command has ended, or what else the user has started; `id` says what it was. */
  report(error: unknown, id: string): void {
    const sentence = sentenceFor(error);
    this.log.error(`${id}: ${sentence ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))}`);
    const text = sentence ?? l10n.t('Unexpected error. See the log.');
    const end = failureEnd(error);
    if (end === undefined) {
      // The notification stays until the user closes it; the command itself has ended.
      void showErrorWithWaysOut(text, waysOutOf(error));
      return;
    }
    const { notice } = this.#shown.get(id) ?? { notice: new Notice(openNotice) };
    this.#shown.set(id, { notice, end });
    notice.show(text, { buttons: buttonsOf(waysOutOf(error)), mustShow: true });
  }

  /** The command is run once more: how it ends now counts. */
  forget(id: string): void {
    this.#shown.get(id)?.notice.withdraw();
    this.#shown.delete(id);
  }

  /** Withdraws what was to be shown until this has happened. Another service may be reached, too. */
  end(happened: FailureEnd): void {
    for (const [id, { end }] of this.#shown) {
      if (end === happened || (happened === 'otherService' && end === 'answer')) this.forget(id);
    }
  }

  dispose(): void {
    for (const id of [...this.#shown.keys()]) this.forget(id);
  }
}
