import type { BrowserOutcome, PushedArchive } from '../../push/pushRun';
import { browserLabel } from '../lists/labels';
import { outcomeSentence } from './outcomeSentence';
import type { PushRecord } from '../../push/known/pushRecords';
import type { PastPush } from './historyRows';
import { recordOf } from './recordOf';

/** So many pushes are remembered, the newest. */
const MAX_PUSHES = 100;

/** The pushes that have ended, newest first, and how many errors the extension has had since each. */
export class PastPushes {
  #all: PastPush[] = [];
  #lastId = 0;

  /** `countOf`: how many errors an extension has had in a browser since it was pushed there last. */
  constructor(private readonly countOf: (browserId: string, extensionId: string, service: string) => number) {}

  get all(): readonly PastPush[] {
    return this.#all;
  }

  /** Errors of the extension since a push, warnings not counted. */
  errorsSince({ service, browserId, extensionId, errors }: PastPush): number {
    return errors ?? (extensionId === undefined ? 0 : this.countOf(browserId, extensionId, service));
  }

  /** Adds a push of `folder` that has ended in a browser of a service; returns false when it has changed nothing. */
  add(folder: string, browserOutcome: BrowserOutcome, at: number, service = ''): boolean {
    const { browser, outcome, archive } = browserOutcome;
    const record = recordOf(browserOutcome, at);
    if (!record || record.state === 'stopped' || !archive) return false;
    const label = browserLabel(browser);
    this.#lastId += 1;
    const push: PastPush = {
      id: this.#lastId,
      at,
      service,
      browserId: browser.id,
      browser: label,
      folder,
      archive: this.#shared(archive),
      state: record.state,
      label: record.label,
      sentence: outcomeSentence(outcome, label),
      ms: record.ms,
      extensionId: 'extensionId' in outcome ? outcome.extensionId : undefined,
      errors: undefined,
    };
    this.#all = [push, ...this.#all].slice(0, MAX_PUSHES);
    return true;
  }

  /** What is known of a browser of a service has changed, or a push to it has begun or ended. */
  follow(browserId: string, record: PushRecord | undefined, isPushing: boolean, service = ''): void {
    const pushes = this.#all.filter((push) => push.service === service && push.browserId === browserId);
    this.#count(pushes, isPushing);
    if (record === undefined || record.hasEnded === true) this.#end(pushes, undefined);
    else if (record.state === 'stopped' || record.byOther === true) {
      const extensionId = record.lacking ?? record.extensionId;
      // A push of another program that has failed, and brought nothing, has left what runs, or has brought it back.
      if (extensionId !== undefined || record.state !== 'failed') this.#end(pushes, extensionId);
    }
  }

  /** What occurs while a push runs may be of either build; when it has delivered nothing, the counting goes on. */
  #count(pushes: readonly PastPush[], isPushing: boolean): void {
    const counted = new Set<string>();
    for (const push of pushes) {
      if (push.extensionId === undefined || counted.has(push.extensionId)) continue;
      counted.add(push.extensionId);
      if (push.isOver !== true) push.errors = isPushing ? this.errorsSince(push) : undefined;
    }
  }

  /**
   * What was pushed runs no longer in a browser, or another program has replaced it: what occurs there from now on is of something else. Without
   * an extension, the browser has ended.
   */
  #end(pushes: readonly PastPush[], extensionId: string | undefined): void {
    for (const push of pushes) {
      const isMeant = extensionId === undefined || push.extensionId === extensionId;
      if (!isMeant || push.isOver === true) continue;
      push.errors = this.errorsSince(push);
      push.isOver = true;
    }
  }

  /** The digests of a build are stored once, however often it was pushed. */
  #shared(archive: PushedArchive): PushedArchive {
    return this.#all.find((push) => push.archive.digest === archive.digest)?.archive ?? archive;
  }
}
