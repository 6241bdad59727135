/**
 * The signals that ask a program to end: Ctrl+C, a request of the system, and a terminal that closes, which has no say for a program that was started
 * with `nohup`. On Windows also Ctrl+Break. `isTerminal`: whether its input is a terminal.
 */
export function endSignals({
  platform,
  isTerminal,
}: {
  platform: NodeJS.Platform;
  isTerminal: boolean;
}): readonly NodeJS.Signals[] {
  return [
    'SIGINT',
    'SIGTERM',
    ...(isTerminal ? (['SIGHUP'] as const) : []),
    ...(platform === 'win32' ? (['SIGBREAK'] as const) : []),
  ];
}

/** Calls `act` once when the program is asked to end. See {@link EndRequests}. */
export function onEndSignal(act: () => void): void {
  const { platform, stdin } = process;
  onSignals(endSignals({ platform, isTerminal: stdin.isTTY }), act);
}

/** The same, by these signals. */
export function onSignals(names: readonly NodeJS.Signals[], act: () => void): void {
  const requests = new EndRequests(() => performance.now());
  const onSignal = (name: NodeJS.Signals): void => {
    const what = requests.add();
    if (what === 'begin') act();
    if (what !== 'force') return;
    for (const one of names) process.off(one, onSignal);
    process.kill(process.pid, name);
  };
  for (const name of names) process.on(name, onSignal);
}

/** How long after the first request another one is the same, in milliseconds: npm passes on to a program what its terminal has sent it, too. */
const SAME_MS = 1000;

/** The requests that a program has had to end, by the times of a clock in milliseconds. */
export class EndRequests {
  #first: number | undefined;

  constructor(private readonly now: () => number) {}

  /** What one more of them means: `begin` to end, `same` as the first, `force` the end, since somebody does not wait for it any longer. */
  add(): 'begin' | 'same' | 'force' {
    const now = this.now();
    if (this.#first === undefined) {
      this.#first = now;
      return 'begin';
    }
    return now - this.#first < SAME_MS ? 'same' : 'force';
  }
}
