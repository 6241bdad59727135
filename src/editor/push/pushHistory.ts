import { Disposable, EventEmitter } from 'vscode';
import type { BrowserOutcome } from '../../push/pushRun';
import type { PushOrigin } from '../../push/restartRule';
import type { PushRecords } from '../../push/known/pushRecords';
import type { ErrorEntries } from '../problems/errorEntries';
import type { PastPush } from './historyRows';
import { PastPushes } from './pastPushes';

/** A push of an extension folder that has ended in a browser, and who has asked for it. */
export interface EndedPush {
  folder: string;
  outcome: BrowserOutcome;
  origin: PushOrigin;
}

/** The pushes of this window, newest first, and the errors since each. Forgotten with the window. */
export class PushHistory implements Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #ended = new EventEmitter<EndedPush>();
  /** Fires with each push that has ended in a browser, also when it has changed nothing. */
  readonly onDidEnd = this.#ended.event;
  readonly #past: PastPushes;
  readonly #subscriptions: Disposable;

  /** `service` identifies the service in use. */
  constructor({ records, errors }: { records: PushRecords; errors: ErrorEntries }, service: () => string) {
    this.#past = new PastPushes((...of) => errors.countOf(...of));
    this.#subscriptions = Disposable.from(
      this.#changed,
      this.#ended,
      errors.onDidChange(() => this.#changed.fire()),
      records.onDidChange((browserId) => {
        // Before the errors are forgotten, which those do that listen later.
        this.#past.follow(browserId, records.get(browserId), records.isPushing(browserId), service());
      }),
    );
  }

  get pushes(): readonly PastPush[] {
    return this.#past.all;
  }

  /** Errors of the extension since a push, warnings not counted. */
  errorsSince(push: PastPush): number {
    return this.#past.errorsSince(push);
  }

  /** Adds a push that has ended in a browser of a service, unless it has changed nothing. */
  add({ folder, outcome, origin }: EndedPush, at: number, service: string): void {
    this.#ended.fire({ folder, outcome, origin });
    if (this.#past.add(folder, outcome, at, service)) this.#changed.fire();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}
