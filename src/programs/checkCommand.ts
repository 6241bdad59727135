import { writeFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { pathFrom } from '../base/disk';
import type { CheckResult } from '../manifest/check';
import type { Finding } from '../manifest/finding';
import { checkInThread } from '../push/prepare/checkThread';
import { oneLine } from '../agents/bounds';
import { findingText } from '../agents/findingText';
import type { CliOptions } from './cliOptions';
import { EXIT } from '../agents/exitCodes';
import { checkWritable } from './reportFile';
import type { ScannedFinding } from './sarif';
import { jsonLine } from './printable';

/** A path relative to the folder in which the program runs, as problem matchers read it. */
export function shownPath(path: string): string {
  return pathFrom(process.cwd(), path);
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

/** A file as reports name it: below where the program runs, or else below the extension's folder, since no path may lead out. */
function scannedPath(folder: string, file: string): string {
  const shown = shownPath(join(folder, file));
  return shown.startsWith('../') || isAbsolute(shown) ? file : shown;
}

type DeclaredUse = NonNullable<CheckResult['uses']>[number];

/** What the code, and the calls of a test, say of a permission or host, in words: only the first two are proofs. */
const USE_WORDS: Readonly<Record<DeclaredUse['use']['kind'], string>> = {
  used: 'used',
  seen: 'used',
  maybe: 'may be used',
  none: 'no use found',
  covered: 'not needed beside the hosts',
};

/** What the code says of a permission or host, as JSON. */
export function useJson({ permission, use, place }: DeclaredUse): object {
  return {
    permission,
    use: use.kind,
    ...(use.kind === 'seen' && { call: use.call }),
    ...(place !== undefined && { place }),
  };
}

/** What the code says of a permission or host, in a line. */
export function useText({ permission, isHost, use, place }: DeclaredUse): string {
  const at =
    use.kind === 'seen'
      ? ` (${oneLine(use.call)}, seen while the tests ran)`
      : place === undefined || use.kind === 'none'
        ? ''
        : ` at ${oneLine(place)}`;
  return `${isHost ? 'host' : 'permission'} ${oneLine(permission)}: ${USE_WORDS[use.kind]}${at}`;
}

/** Checks folders and prints what is found. Resolves to the exit code. */
export async function checkFolders(options: CliOptions, print: (line: string) => void): Promise<number> {
  const { folders, exclude, include, json, store, sarif } = options;
  if (sarif !== undefined) await checkWritable(sarif);
  const scanned: ScannedFinding[] = [];
  let code: number = EXIT.running;
  for (const folder of folders) {
    const path = resolve(folder);
    const { findings, uses } = await checkInThread({
      folder: path,
      exclude,
      include,
      storeHints: store,
      readsCode: store,
    });
    for (const finding of findings) scanned.push({ finding, file: scannedPath(path, finding.file) });
    const isRefused = findings.some(({ severity }) => severity === 'error');
    if (isRefused) code = EXIT.refused;
    const verdict = isRefused ? 'refused' : 'loads';
    if (json)
      print(
        jsonLine({
          folder,
          verdict,
          findings: findings.map(findingJson),
          ...(uses && { uses: uses.map(useJson) }),
        }),
      );
    else {
      print(
        `${oneLine(shownPath(join(path, 'manifest.json')))}: ${findings.length === 0 ? 'loads, and there is nothing to say' : verdict}`,
      );
      for (const finding of findings) print(findingText(finding, path, shownPath));
      for (const use of uses ?? []) print(useText(use));
    }
  }
  if (sarif !== undefined) {
    const { sarifOf } = await import('./sarif');
    await writeFile(sarif, sarifOf(scanned));
  }
  return code;
}
