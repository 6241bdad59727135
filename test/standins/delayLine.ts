import type { Socket } from 'node:net';

/** What a line carries: bytes, the end of the stream, or the loss of the connection. */
type Load = Buffer | 'end' | 'cut';

/** More bytes under way than this, and the sender has to wait, as with a full TCP window. */
const WINDOW_BYTES = 4 * 1024 * 1024;

/** A rate that all connections of one direction share. */
export class Bandwidth {
  #freeAt = 0;

  /** `bytesPerSecond` may be infinite. */
  constructor(private readonly bytesPerSecond: number) {}

  /** When the last of so many bytes will have left that come now, in the milliseconds of `performance.now()`. */
  sentAt(bytes: number): number {
    this.#freeAt = Math.max(this.#freeAt, performance.now()) + (bytes / this.bytesPerSecond) * 1000;
    return this.#freeAt;
  }
}

export interface LineOptions {
  bandwidth: Bandwidth;
  /** How long bytes are under way, in milliseconds; asked for each chunk. */
  delayMs: () => number;
  /** Nothing leaves before, in the milliseconds of `performance.now()`. */
  opensAt: number;
  /** Called with bytes at the moment when they arrive. */
  onArrival: (bytes: Buffer) => void;
}

/** One direction of one connection: carries what comes from one socket to the other, in order and no earlier than its time. */
export class DelayLine {
  readonly #loads: { load: Load; due: number }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #latest = 0;
  #bytes = 0;
  #isBlocked = false;

  constructor(
    private readonly source: Socket,
    private readonly target: Socket,
    private readonly options: LineOptions,
  ) {
    target.on('drain', () => {
      this.#isBlocked = false;
      this.#deliver();
    });
  }

  send(load: Load): void {
    const { bandwidth, delayMs, opensAt } = this.options;
    const bytes = sizeOf(load);
    const sentAt = Math.max(bandwidth.sentAt(bytes), opensAt);
    this.#latest = Math.max(this.#latest, sentAt + delayMs());
    this.#loads.push({ load, due: this.#latest });
    this.#bytes += bytes;
    if (this.#bytes > WINDOW_BYTES) this.source.pause();
    this.#deliver();
  }

  /** Forgets what is under way. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#loads.length = 0;
  }

  #deliver(): void {
    clearTimeout(this.#timer);
    for (let [first] = this.#loads; first && !this.#isBlocked; [first] = this.#loads) {
      const waitMs = first.due - performance.now();
      if (waitMs > 0) {
        // Timers have whole milliseconds, and one that comes too early is set again.
        this.#timer = setTimeout(() => this.#deliver(), waitMs);
        return;
      }
      this.#loads.shift();
      this.#arrive(first.load);
    }
  }

  #arrive(load: Load): void {
    if (load === 'cut') {
      this.target.destroy();
    } else if (load === 'end') {
      this.target.end();
    } else {
      this.options.onArrival(load);
      this.#isBlocked = !this.target.write(load);
      this.#bytes -= load.length;
      if (this.#bytes <= WINDOW_BYTES) this.source.resume();
    }
  }
}

function sizeOf(load: Load): number {
  return typeof load === 'string' ? 0 : load.length;
}
