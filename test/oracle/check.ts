// `npm run check:cases -- FILE.jsonl[.gz]` answers cases with one line of JSON each, as a browser that is started with --load-extension.
import { checkFolder } from '../../src/manifest/check';
import type { Finding } from '../../src/manifest/finding';
import { caseReader } from './caseFolder';
import { CASE_FOLDER, isCase, readLines } from './cases';
import { findingJson } from '../../src/programs/checkCommand';
import { isRefusal } from './verdict';

/** What Chromium decides. */
function verdictOf(findings: readonly Finding[]): 'loads' | 'refused' {
  return findings.some(isRefusal) ? 'refused' : 'loads';
}

async function answerCases(file: string): Promise<void> {
  for await (const line of readLines(file)) {
    if (!isCase(line)) throw new Error(`A line of ${file} is no case: it needs "id" and "files".`);
    const { findings } = await checkFolder(CASE_FOLDER, { reader: caseReader(line.files), loadedBy: 'flag' });
    console.log(JSON.stringify({ id: line.id, verdict: verdictOf(findings), findings: findings.map(findingJson) }));
  }
}

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('Usage: npm run check:cases -- FILE.jsonl[.gz]');
  process.exitCode = 2;
} else {
  answerCases(file).catch((error: unknown) => {
    console.error(error);
    process.exitCode = 2;
  });
}
