import type { Clock, Timer } from '../base/clock';
import type { RelayTarget } from './relayTargets';

/** How long the opener of a hidden page may take to say which it is, in milliseconds. */
const HIDDEN_LIMIT_MS = 500;

/** A target that was attached to. */
interface Undecided {
  readonly sessionId: string;
  target: RelayTarget;
  readonly timer: Timer;
}

/** Targets that were attached to, and are not known to the debugger before it is known whether they are hidden pages of this process. */
export class UndecidedTargets {
  readonly #all = new Map<string, Undecided>();

  constructor(private readonly clock: Clock) {}

  /** Adds one; `onNotHidden` gets it as it is by then, when nobody has said that it is hidden. */
  add(sessionId: string, target: RelayTarget, onNotHidden: (latest: RelayTarget) => void): void {
    const { targetId } = target;
    const timer = this.clock.after(HIDDEN_LIMIT_MS, () => {
      // It may have got its address meanwhile.
      const latest = this.#all.get(targetId)?.target ?? target;
      this.take(targetId);
      onNotHidden(latest);
    });
    this.#all.set(targetId, { sessionId, target, timer });
  }

  /** Whether a target is among them, which is as given now. */
  update(target: RelayTarget): boolean {
    const undecided = this.#all.get(target.targetId);
    if (undecided) undecided.target = target;
    return undecided !== undefined;
  }

  /** Takes a target out, and gives its session; undefined when it is not among them. */
  take(targetId: string): string | undefined {
    const undecided = this.#all.get(targetId);
    undecided?.timer.clear();
    this.#all.delete(targetId);
    return undecided?.sessionId;
  }

  /** A session has ended, which may be of one. */
  onDetached(sessionId: string): void {
    for (const [targetId, undecided] of this.#all) if (undecided.sessionId === sessionId) this.take(targetId);
  }

  /** Forgets all. */
  end(): void {
    for (const targetId of [...this.#all.keys()]) this.take(targetId);
  }
}
