/** Says one line to whoever waits. */
export type Report = (line: string) => void;

/** Seconds between two signs of life of a long step. */
const SIGN_OF_LIFE_MS = 10_000;

/** Seconds with a precision that fits their size: 0.04 s, 3.2 s, 41 s. */
export function seconds(ms: number): string {
  const value = ms / 1000;
  return `${value.toFixed(value < 0.1 ? 2 : value < 20 ? 1 : 0)} s`;
}

/** Lines with the time since the start in front, for work that a person watches. */
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
   * Does one step and says what it gave, with its duration. While it lasts there is a sign of life every ten seconds.
   * `told` makes the line from the result; a failing step says its name and rejects with what it threw.
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
