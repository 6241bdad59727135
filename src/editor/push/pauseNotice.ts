import { type Clock, realClock, type Timer } from '../../base/clock';
import type { WorkerDebuggers } from '../../devtools/workers/workerDebuggers';
import { Notice, type OpenNotice } from '../notice';

/**
 * How long a pause must last until the notification says so, in milliseconds: a debugger that attaches pauses the worker for moments
 * (C-TIME-DEBUGGER).
 */
const STAYS_MS = 1500;

/** Says that a debugger has paused the worker of what was pushed, as long as it is paused. */
export class PauseNotice {
  readonly #notice: Notice;
  readonly #clock: Clock;
  #timer: Timer | undefined;
  #stopListening: (() => void) | undefined;

  constructor(open: OpenNotice, clock = realClock) {
    this.#notice = new Notice(open, clock);
    this.#clock = clock;
  }

  /** A push of the extension has ended while its worker was paused, as `text` says. */
  show(text: string, extensionId: string, debuggers: Pick<WorkerDebuggers, 'isPaused' | 'onChange'>): void {
    this.withdraw();
    const isPaused = (): boolean => debuggers.isPaused(extensionId);
    this.#timer = this.#clock.after(STAYS_MS, () => {
      if (isPaused()) this.#notice.show(text, { mustShow: true });
    });
    this.#stopListening = debuggers.onChange(() => {
      if (!isPaused()) this.withdraw();
    });
  }

  /** It is paused no longer, or another push has ended. */
  withdraw(): void {
    this.#timer?.clear();
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#notice.withdraw();
  }
}
