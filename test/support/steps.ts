/** Prints one line about the progress. */
export type Report = (line: string) => void;

/** Interval of progress lines during a long step, in milliseconds. */
const SIGN_OF_LIFE_MS = 10_000;

/** Seconds with a precision that fits their size: 0.04 s, 3.2 s, 41 s. */
export function seconds(ms: number): string {
  const value = ms / 1000;
  return `${value.toFixed(value < 0.1 ? 2 : value < 20 ? 1 : 0)} s`;
}

/** Prints progress lines with the time since the start. */
export class Steps {
  readonly #start = performance.now();
  readonly #print: Report;

  constructor(print: Report = (line) => console.log(line)) {
    this.#print = print;
  }

  /** One line, now. */
  readonly say: Report = (line) => {
    const since = ((performance.now() - this.#start) / 1000).toFixed(1).padStart(6);
    this.#print(`${since} s  ${line}`);
  };

  /**
   * Runs one step and prints its result and duration, and a progress line every ten seconds until then. `told` formats the result. A
   * step that fails prints its name and rejects with its error.
   */
  async step<T>(name: string, work: () => Promise<T>, told: (result: T) => string = () => name): Promise<T> {
    const begin = performance.now();
    const pulse = setInterval(() => this.say(`${name} ... ${seconds(performance.now() - begin)}`), SIGN_OF_LIFE_MS);
    try {
      const result = await work();
      this.say(`${told(result)} (${seconds(performance.now() - begin)})`);
      return result;
    } catch (error) {
      this.say(`${name}: failed (${seconds(performance.now() - begin)})`);
      throw error;
    } finally {
      clearInterval(pulse);
    }
  }

  /** Milliseconds since the start. */
  get elapsedMs(): number {
    return performance.now() - this.#start;
  }
}
