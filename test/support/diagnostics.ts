/** For tests in the extension host: entries of the Problems panel. */
import assert from 'node:assert/strict';
import { languages, type Diagnostic, type Uri } from 'vscode';

/** Longest time until the entries of a file are as wanted, in milliseconds. */
const ENTRIES_LIMIT_MS = 20_000;

/** Sideload's entries for a file. */
export function entries(file: Uri): Diagnostic[] {
  return languages.getDiagnostics(file).filter(({ source }) => source === 'Sideload');
}

/** Waits until Sideload's entries for a file are as wanted. Rejects with what is there instead when they are not in time. */
export async function untilEntries(file: Uri, wanted: (found: Diagnostic[]) => boolean): Promise<Diagnostic[]> {
  const end = performance.now() + ENTRIES_LIMIT_MS;
  for (;;) {
    const found = entries(file);
    if (wanted(found)) return found;
    assert.ok(performance.now() < end, `Problems shows for ${file.fsPath}: ${JSON.stringify(found)}`);
    await change(end - performance.now());
  }
}

/** Resolves when any entries change, at the latest after `limitMs`. */
function change(limitMs: number): Promise<void> {
  return new Promise((settle) => {
    const done = (): void => {
      listener.dispose();
      clearTimeout(timer);
      settle();
    };
    const listener = languages.onDidChangeDiagnostics(done);
    const timer = setTimeout(done, limitMs);
  });
}
