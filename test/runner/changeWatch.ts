import { watch } from 'node:fs';
import { join } from 'node:path';
import { startChild } from '../support/child';
import { ROOT } from '../support/paths';

/** Folders whose files are watched, besides the files of the top folder. */
const FOLDERS = ['src', 'test', 'media', '.github'];

/** No more changes follow when none came for so long, in milliseconds: an editor or git writes several files. */
const QUIET_MS = 200;

/** Waits for changes of files. */
export interface ChangeWatch {
  /** Resolves once files have changed since the last call, and no more changes follow. */
  next: () => Promise<void>;
  close: () => void;
}

/** Watches the files that tests depend on, from now on. */
export function watchChanges(): ChangeWatch {
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
  const watchers = [
    watch(ROOT, changed),
    ...FOLDERS.map((folder) => watch(join(ROOT, folder), { recursive: true }, changed)),
  ];
  return {
    next: async () => {
      await new Promise<void>((resolve) => {
        settle = resolve;
        if (!hasChanged) return;
        clearTimeout(timer);
        timer = setTimeout(resolve, QUIET_MS);
      });
      hasChanged = false;
    },
    close: () => {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

/**
 * Runs `program` with `args` again and again: at once, and after each change of files, which ends a run that is still going on. Never
 * resolves; what runs ends with this process.
 */
export async function runOnChanges(program: string, args: readonly string[]): Promise<never> {
  const changes = watchChanges();
  for (;;) {
    const changed = changes.next();
    const child = await startChild(program, args);
    await Promise.race([child.exited, changed]);
    await child.stop();
    console.log('Waiting for the next change of a file. Ctrl+C ends.');
    await changed;
  }
}
