import { join, relative, resolve, sep } from 'node:path';
import type { Finding } from '../manifest/finding';
import { checkInThread } from '../push/prepare/checkThread';
import { oneLine } from '../agents/bounds';
import { findingText } from '../agents/findingText';
import type { CliOptions } from './cliOptions';
import { EXIT } from '../agents/exitCodes';

/** A path relative to the folder in which the program runs, as problem matchers read it. */
export function shownPath(path: string): string {
  const below = relative(process.cwd(), path);
  return below === '' ? '.' : below.split(sep).join('/');
}

/** A finding as JSON; lines and columns count from 1. */
export function findingJson({ rule, severity, message, chromium, file, path, range, fix }: Finding): object {
  const { line, column } = range.start;
  const place = { file, path, line: line + 1, column: column + 1 };
  return {
    rule,
    severity,
    message,
    ...(chromium !== undefined && { chromium }),
    ...place,
    ...(fix && { fix: fix.title }),
  };
}

/** Checks folders and prints what is found. Resolves to the exit code. */
export async function checkFolders(options: CliOptions, print: (line: string) => void): Promise<number> {
  const { folders, exclude, include, json } = options;
  let code: number = EXIT.running;
  for (const folder of folders) {
    const path = resolve(folder);
    const { findings } = await checkInThread({ folder: path, exclude, include });
    const isRefused = findings.some(({ severity }) => severity === 'error');
    if (isRefused) code = EXIT.refused;
    const verdict = isRefused ? 'refused' : 'loads';
    if (json) print(JSON.stringify({ folder, verdict, findings: findings.map(findingJson) }));
    else {
      print(
        `${oneLine(shownPath(join(path, 'manifest.json')))}: ${findings.length === 0 ? 'loads, and there is nothing to say' : verdict}`,
      );
      for (const finding of findings) print(findingText(finding, path, shownPath));
    }
  }
  return code;
}
