import { config } from '@vscode/l10n';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

const KEY = 'sideload.texts';

/** Loads the translated texts, `l10n.bundle` of VS Code, for this thread and for the threads that it starts later. */
export function loadTexts(contents: Record<string, string>): void {
  config({ contents });
  setEnvironmentData(KEY, JSON.stringify(contents));
}

/** In a worker thread: loads the texts of the thread that has started it, if there are any. */
export function inheritTexts(): void {
  const contents = getEnvironmentData(KEY);
  if (typeof contents === 'string') config({ contents });
}
