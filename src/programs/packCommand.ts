import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EXIT } from '../agents/exitCodes';
import { findingText } from '../agents/findingText';
import { oneLine } from '../agents/bounds';
import { sizeText } from '../base/units';
import { packForStore, unpackable } from '../push/prepare/storePackage';
import { findingJson, shownPath, useJson, useText } from './checkCommand';
import type { CliOptions } from './cliOptions';
import { checkWritable } from './reportFile';
import { jsonLine } from './printable';

/** Writes the package of a folder for a store, and prints what the check says and what is in it. Resolves to the exit code. */
export async function packFolder(options: CliOptions, print: (line: string) => void): Promise<number> {
  const { json, exclude, include, out = '' } = options;
  const [folder = '.'] = options.folders;
  await checkWritable(out);
  const path = resolve(folder);
  const packed = await packForStore(path, { exclude, include }).catch(unpackable);
  if (typeof packed === 'string') {
    print(json ? jsonLine({ folder, verdict: 'refused', error: packed }) : `refused: ${oneLine(packed, 1500)}`);
    return EXIT.refused;
  }
  const { findings, uses, leftOut, missing, package: made } = packed;
  if (made) await writeFile(out, made.bytes);
  if (json) {
    print(
      jsonLine({
        folder,
        verdict: made ? 'packed' : 'refused',
        findings: findings.map(findingJson),
        uses: uses.map(useJson),
        leftOut,
        ...(missing.length > 0 && { missing }),
        ...(made && { out, bytes: made.bytes.length, files: made.files }),
      }),
    );
    return made ? EXIT.running : EXIT.refused;
  }
  for (const finding of findings) print(findingText(finding, path, shownPath));
  for (const use of uses) print(useText(use));
  for (const { path: file, reason } of missing)
    print(`${oneLine(file)}: needed by the extension and left out: ${oneLine(reason)}`);
  for (const file of leftOut)
    print(`${oneLine(file)}: left out, as hardly any extension needs it when it runs (--include keeps it)`);
  if (!made) {
    print('refused: there is no package');
    return EXIT.refused;
  }
  for (const { path: file, size } of made.files) print(`${oneLine(file)}: ${sizeText(size)}`);
  print(`${oneLine(shownPath(resolve(out)))}: ${made.files.length} files, ${sizeText(made.bytes.length)}`);
  return EXIT.running;
}
