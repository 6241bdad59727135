import { Disposable, EventEmitter } from 'vscode';
import type { BrowserEnd, PushedArchive } from '../../push/run';
import type { PushRecords } from '../browsers/pushRecords';
import { browserLabel } from '../lists/labels';
import type { ErrorEntries } from '../problems/errorEntries';
import { endText } from './endText';
import type { PastPush } from './historyRows';
import type { PushOrigin } from './endWay';
import { recordOf } from './recordOf';

/** So many pushes are kept, the newest. */
const MAX_PUSHES = 100;

/** A push of an extension folder that has ended in a browser, and who has asked for it. */
export interface EndedPush {
  folder: string;
  end: BrowserEnd;
  origin: PushOrigin;
}

/** The pushes of this window, newest first, and the errors since each. Forgotten with the window. */
export class PushHistory implements Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #ended = new EventEmitter<EndedPush>();
  /** Fires with each push that has ended in a browser, also when it has changed nothing. */
  readonly onDidEnd = this.#ended.event;
  readonly #errors: ErrorEntries;
  readonly #subscriptions: Disposable;
  #pushes: PastPush[] = [];
  #lastId = 0;

  constructor({ records, errors }: { records: PushRecords; errors: ErrorEntries }) {
    this.#errors = errors;
    this.#subscriptions = Disposable.from(
      this.#changed,
      this.#ended,
      errors.onDidChange(() => {
        this.#changed.fire();
      }),
      records.onDidChange((sessionId) => {
        this.#count(sessionId, records.isPushing(sessionId));
      }),
    );
  }

  get pushes(): readonly PastPush[] {
    return this.#pushes;
  }

  /** Errors of the extension since a push, warnings not counted. */
  errorsSince({ sessionId, extensionId, errors }: PastPush): number {
    return errors ?? (extensionId === undefined ? 0 : this.#errors.countOf(sessionId, extensionId));
  }

  /** Adds a push that has ended in a browser, unless it has changed nothing. */
  add({ folder, end: browserEnd, origin }: EndedPush, at: number): void {
    this.#ended.fire({ folder, end: browserEnd, origin });
    const { session, end, archive } = browserEnd;
    const record = recordOf(browserEnd, at);
    if (!record || record.state === 'stopped' || !archive) return;
    const browser = browserLabel(session);
    this.#lastId += 1;
    const push: PastPush = {
      id: this.#lastId,
      at,
      sessionId: session.session_id,
      browser,
      folder,
      archive: this.#shared(archive),
      state: record.state,
      label: record.label,
      sentence: endText(end, browser),
      ms: record.ms,
      extensionId: 'extensionId' in end ? end.extensionId : undefined,
      errors: undefined,
    };
    this.#pushes = [push, ...this.#pushes].slice(0, MAX_PUSHES);
    this.#changed.fire();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** The digests of a build are kept once, however often it was pushed. */
  #shared(archive: PushedArchive): PushedArchive {
    return this.#pushes.find((push) => push.archive.digest === archive.digest)?.archive ?? archive;
  }

  /** What occurs while a push runs may be of either build; when the push has delivered nothing, the counting goes on. */
  #count(sessionId: string, isPushing: boolean): void {
    const counted = new Set<string>();
    for (const push of this.#pushes) {
      if (push.sessionId !== sessionId || push.extensionId === undefined || counted.has(push.extensionId)) continue;
      counted.add(push.extensionId);
      push.errors = isPushing ? this.errorsSince(push) : undefined;
    }
  }
}
