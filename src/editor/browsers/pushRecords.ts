import { EventEmitter, type Disposable } from 'vscode';

/** What is known now about the last push of this window to a browser. */
export interface PushRecord {
  /**
   * `running`: the extension was seen to run, and nothing was heard since that says otherwise. `unverified`: delivered, but not seen to
   * run. `failed`: the last push failed. `stopped`: the browser has ended, or no longer runs this build.
   */
  state: 'running' | 'unverified' | 'failed' | 'stopped';
  /** When the push ended, in milliseconds since the epoch. */
  at: number;
  /** Why it failed or stopped; empty when it runs. */
  reason: string;
  /** Of the extension, as far as it is known. */
  name?: string;
  version?: string;
  extensionId?: string;
  /** Duration of the push, in milliseconds. */
  ms?: number;
}

/** The last push of this window to each browser. Forgotten with the window. */
export class PushRecords implements Disposable {
  readonly #changed = new EventEmitter<string>();
  /** Fires with the id of the session whose record has changed. */
  readonly onDidChange = this.#changed.event;
  readonly #records = new Map<string, PushRecord>();

  get(sessionId: string): PushRecord | undefined {
    return this.#records.get(sessionId);
  }

  set(sessionId: string, record: PushRecord): void {
    this.#records.set(sessionId, record);
    this.#changed.fire(sessionId);
  }

  /** Removes the record of a session, for example because it was deleted. */
  delete(sessionId: string): void {
    if (this.#records.delete(sessionId)) this.#changed.fire(sessionId);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
