import type { CancellationToken } from 'vscode';

/** VS Code's token as the signal that everything below the editor takes. */
export function signalOf(token: CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
