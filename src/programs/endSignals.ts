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

/** Calls `act` when the program is asked to end. */
export function onEndSignal(act: () => void): void {
  const { platform, stdin } = process;
  for (const name of endSignals({ platform, isTerminal: stdin.isTTY })) process.once(name, act);
}
