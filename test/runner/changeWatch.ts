import { watch } from 'node:fs';
import { join } from 'node:path';
import { startChild } from '../support/child';
import { ROOT } from '../support/paths';

/** Folders whose files are watched, besides the files of the top folder. */
const FOLDERS = ['src', 'test', 'media', '.github'];

/** No more changes follow when none came for so long, in milliseconds: an editor or git writes several files. */
const QUIET_MS = 200;

/**
 * Watches the files that tests depend on, until this process ends. The returned function resolves once files have changed since its last
 * call, and no more changes follow.
 */
function watchChanges(): () => Promise<void> {
  let hasChanged = false;
  let timer: NodeJS.Timeout | undefined;
  let settle = (): void => undefined;
  const changed = (_event: string, name: string | null): void => {
    // Written by the tests themselves.
    if (name === null || /^\.vscode-test|^dist|^node_modules|^\.git\b/.test(name)) return;
    hasChanged = true;
    clearTimeout(timer);
    timer = setTimeout(() => settle(), QUIET_MS);
  };
  watch(ROOT, changed);
  for (const folder of FOLDERS) watch(join(ROOT, folder), { recursive: true }, changed);
  return async () => {
    await new Promise<void>((resolve) => {
      settle = resolve;
      if (!hasChanged) return;
      clearTimeout(timer);
      timer = setTimeout(resolve, QUIET_MS);
    });
    hasChanged = false;
  };
}

/**
 * Runs `program` with `args` again and again: at once, and after each change of files, which ends a run that is still going on. Never
 * resolves; what runs ends with this process.
 */
export async function runOnChanges(program: string, args: readonly string[]): Promise<never> {
  const nextChange = watchChanges();
  for (;;) {
    const changed = nextChange();
    const child = await startChild(program, args);
    await Promise.race([child.exited, changed]);
    await child.stop();
    console.log('Waiting for the next change of a file. Ctrl+C ends.');
    await changed;
  }
}
