/** For tests in the extension host: diagnostics in the Problems panel. */
import assert from 'node:assert/strict';
import { languages, type Diagnostic, type Uri } from 'vscode';

/** Longest time until the diagnostics of a file are as expected, in milliseconds. */
const ENTRIES_LIMIT_MS = 20_000;

/** Sideload's diagnostics of a file. */
export function entries(file: Uri): Diagnostic[] {
  return languages.getDiagnostics(file).filter(({ source }) => source === 'Sideload');
}

/** The id of the rule of a diagnostic; undefined for one without. */
export function ruleOf(entry: Diagnostic | undefined): string | undefined {
  const code = entry?.code;
  return code === undefined ? undefined : String(typeof code === 'object' ? code.value : code);
}

/** Waits until Sideload's diagnostics of a file are as expected. Rejects with the last ones when that takes too long. */
export async function untilEntries(file: Uri, wanted: (found: Diagnostic[]) => boolean): Promise<Diagnostic[]> {
  const end = performance.now() + ENTRIES_LIMIT_MS;
  for (;;) {
    const found = entries(file);
    if (wanted(found)) return found;
    assert.ok(performance.now() < end, `Problems shows for ${file.fsPath}: ${JSON.stringify(found)}`);
    await change(end - performance.now());
  }
}

/** Resolves when any diagnostics change, at the latest after `limitMs`. */
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
