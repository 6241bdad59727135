import type { Clock } from '../base/clock';

/** The time within which is counted, in milliseconds. */
const WINDOW_MS = 10_000;

/** How long one is not answered after a storm, in milliseconds. */
export const STORM_PAUSE_MS = 30_000;

/** What is more than tools and people do within that time: each of these times of opening a socket, or of loading a frame. */
const LIMITS = { socket: 20, load: 9 } as const;

/**
 * Finds pages and extensions that go round in a circle, such as a client that loads its page again each time that it has connected. These would
 * keep browser, server and line busy for good.
 */
export class StormWatch {
  readonly #times = new Map<string, number[]>();
  /** Until when one is not answered. */
  readonly #pauses = new Map<string, number>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Counts what one has done; true when a storm begins with it. */
  note(kind: keyof typeof LIMITS, who: string): boolean {
    const now = this.clock.now();
    this.#forget(now);
    const key = `${kind} ${who}`;
    const times = [...(this.#times.get(key) ?? []).filter((time) => time > now - WINDOW_MS), now];
    this.#times.set(key, times);
    if (times.length <= LIMITS[kind]) return false;
    this.#times.delete(key);
    this.#pauses.set(who, now + STORM_PAUSE_MS);
    return true;
  }

  /** Whether one is not to be answered now. */
  isPaused(who: string): boolean {
    return (this.#pauses.get(who) ?? -Infinity) > this.clock.now();
  }

  /** Ends all storms, as when something has been changed. */
  clear(): void {
    this.#times.clear();
    this.#pauses.clear();
  }

  #forget(now: number): void {
    for (const [key, times] of this.#times) if ((times.at(-1) ?? 0) <= now - WINDOW_MS) this.#times.delete(key);
    for (const [who, end] of this.#pauses) if (end <= now) this.#pauses.delete(who);
  }
}

/** Who is counted together: all of an extension, whose worker is a new target after each reload, and else one frame. */
export function stormKey(frameId: string, address = ''): string {
  return /^chrome-extension:\/\/[a-p]{32}(?=\/)/.exec(address)?.[0] ?? frameId;
}
