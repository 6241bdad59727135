import { ServiceError } from '../../service/serviceErrors';

/** Pause between two refreshes of a visible list, in milliseconds. */
const REFRESH_MS = 10_000;

/** The longest time of a timer of Node, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Whether the lists may ask the service now: not before the time that it asked to wait for, and not again with a token that it did not
 * accept. Shared by all lists of a window.
 */
export class RequestHold {
  #until = 0;
  #isRefused = false;

  /** Whether the service did not accept the token. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Records what a failed request says. `now` in milliseconds since the epoch. */
  note(error: unknown, now: number): void {
    if (!(error instanceof ServiceError)) return;
    if (error.kind === 'unauthorized') this.#isRefused = true;
    if (error.retryAfterMs !== undefined) this.#until = Math.max(this.#until, now + error.retryAfterMs);
  }

  /** Milliseconds until the next request is allowed; infinite while the token is refused. */
  waitMs(now: number): number {
    return this.#isRefused ? Infinity : Math.max(0, this.#until - now);
  }

  /** Milliseconds until a visible list is refreshed, as a timer takes them; undefined while the token is refused. */
  refreshMs(now: number): number | undefined {
    return this.#isRefused ? undefined : Math.min(Math.max(REFRESH_MS, this.waitMs(now)), LONGEST_TIMER_MS);
  }

  /** When the service may be asked again, in milliseconds since the epoch; undefined when it has not asked to wait. */
  pauseEnd(now: number): number | undefined {
    return this.#until > now ? this.#until : undefined;
  }

  /** The user asks for another attempt with the token. The time that the service asked for is still obeyed. */
  retry(): void {
    this.#isRefused = false;
  }

  /** Another service or token is in use. */
  clear(): void {
    this.#isRefused = false;
    this.#until = 0;
  }
}
