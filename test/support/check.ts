// `npm run check -- [--json] FOLDER…` prints what Chromium and Sideload have to say about folders, and exits with 1 when one would be
// refused. `--cases FILE.jsonl[.gz]` answers cases with one line of JSON each, as a browser that is started with --load-extension.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkFolder } from '../../src/manifest/check';
import type { Finding } from '../../src/manifest/finding';
import { caseReader } from './caseFolder';
import { CASE_FOLDER, isCase, readLines } from './cases';
import { isRefusal } from './verdict';

/** A finding as it is printed; lines and columns count from 1. */
function printed({ rule, severity, message, chromium, file, path, range }: Finding): object {
  const { line, column } = range.start;
  return {
    rule,
    severity,
    message,
    ...(chromium !== undefined && { chromium }),
    file,
    path,
    line: line + 1,
    column: column + 1,
  };
}

/** What Chromium decides. */
function verdictOf(findings: readonly Finding[]): 'loads' | 'refused' {
  return findings.some(isRefusal) ? 'refused' : 'loads';
}

async function answerCases(file: string): Promise<void> {
  for await (const line of readLines(file)) {
    if (!isCase(line)) throw new Error(`A line of ${file} is no case: it needs "id" and "files".`);
    const { findings } = await checkFolder(CASE_FOLDER, { reader: caseReader(line.files), loadedBy: 'flag' });
    console.log(JSON.stringify({ id: line.id, verdict: verdictOf(findings), findings: findings.map(printed) }));
  }
}

async function checkFolders(folders: readonly string[], asJson: boolean): Promise<void> {
  for (const folder of folders) {
    const { findings } = await checkFolder(resolve(folder));
    const verdict = verdictOf(findings);
    if (findings.some(({ severity }) => severity === 'error')) process.exitCode = 1;
    if (asJson) console.log(JSON.stringify({ folder, verdict, findings: findings.map(printed) }));
    else print(folder, findings);
  }
}

function print(folder: string, findings: readonly Finding[]): void {
  console.log(`${folder}: ${findings.length === 0 ? 'loads, and there is nothing to say' : verdictOf(findings)}`);
  for (const { file, range, severity, message, rule, chromium } of findings) {
    console.log(`  ${file}:${range.start.line + 1}:${range.start.column + 1} ${severity} ${rule}: ${message}`);
    if (chromium !== undefined) console.log(`      Chromium: ${chromium}`);
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, cases: { type: 'string' } },
  });
  if (values.cases !== undefined) await answerCases(values.cases);
  else if (positionals.length > 0) await checkFolders(positionals, values.json);
  else {
    console.error('Usage: npm run check -- [--json] FOLDER…, or npm run check -- --cases FILE.jsonl[.gz]');
    process.exitCode = 2;
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 2;
});
