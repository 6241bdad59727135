import { threadCpuMs } from './threadClock';

/** How often an event loop is asked whether it is held, in milliseconds. */
const TICK_MS = 5;

/**
 * Measures by what the event loop of the calling thread is held. The machine may have other work: of the time between two turns only that
 * counts in which this thread was on a processor, for its own work or to collect its garbage.
 */
export class HoldWatch {
  #from = performance.now();
  #cpu = threadCpuMs();
  readonly #timer: NodeJS.Timeout;

  /** `onTurn` gets how long the event loop was held since the last turn, in milliseconds. The process may end meanwhile. */
  constructor(private readonly onTurn: (ms: number) => void) {
    this.#timer = setInterval(() => {
      this.#turn();
    }, TICK_MS).unref();
  }

  /** Measures up to now, and ends. */
  end(): void {
    clearInterval(this.#timer);
    this.#turn();
  }

  #turn(): void {
    const [now, cpu] = [performance.now(), threadCpuMs()];
    const ms = Math.min(now - this.#from - TICK_MS, cpu - this.#cpu);
    this.onTurn(ms);
    [this.#from, this.#cpu] = [performance.now(), threadCpuMs()];
  }
}
