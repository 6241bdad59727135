// Covers: test/fixtures/manifest
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import type { Finding } from '../../src/manifest/finding';
import type { CaseFile } from './caseFolder';
import { ROOT } from '../support/paths';
import { isRefusal } from './verdict';

/** What stands for the folder in Chromium's texts about a case. */
export const CASE_FOLDER = '$DIR';

/** An extension folder in a few lines. */
export interface Case {
  id: string;
  files: Record<string, CaseFile>;
}

/** What Chromium said: its error when it did not load the case, and its install warnings, which cannot be read for themes. */
export interface Verdict {
  ok: boolean;
  error: string | null;
  warnings: string[] | null;
  /** Other errors that were seen for the same case, since Chromium picks among several. */
  errorsSeen?: string[];
  /** The load ended the browser. */
  crash?: boolean;
  /** Not loaded, and nothing said. */
  silent?: boolean;
}

export type JudgedCase = Case & { verdict: Verdict };

/** Cases of ours with what Chromium 156 said about them when it was started with `--load-extension`. */
export const CASE_FILES = ['mutations', 'forms', 'found'].map((name) =>
  join(ROOT, 'test', 'fixtures', 'manifest', `${name}.jsonl.gz`),
);

/** The lines of a file of cases, plain or compressed. */
export async function* readLines(file: string): AsyncGenerator<unknown> {
  const stream = createReadStream(file);
  const input = file.endsWith('.gz') ? stream.pipe(createGunzip()) : stream;
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() !== '') yield JSON.parse(line);
  }
}

/** True for something that has an id and files. */
export function isCase(value: unknown): value is Case {
  return (
    typeof value === 'object' && value !== null && 'id' in value && 'files' in value && typeof value.files === 'object'
  );
}

function isJudged(value: unknown): value is JudgedCase {
  return isCase(value) && 'verdict' in value;
}

/** All cases of the fixtures. */
export async function judgedCases(): Promise<JudgedCase[]> {
  const cases: JudgedCase[] = [];
  for (const file of CASE_FILES) {
    for await (const line of readLines(file)) {
      if (!isJudged(line)) throw new Error(`A line of ${file} is no case with a verdict.`);
      cases.push(line);
    }
  }
  return cases;
}

/** A folder name with an underscore is told once, for whichever Chromium finds first. */
export const UNDERSCORE = /^Cannot load extension with file or directory name .*are reserved for use by the system\.$/;

/** So is a name that Windows keeps for itself. */
const ILLEGAL_NAME = /^Cannot load extension with file or directory name .*\. The filename is illegal\.$/;

/** So many warnings Chromium shows at most; beyond that it is not known which. */
const MAX_SHOWN_WARNINGS = 100;

/** How findings differ from what Chromium said, as a sentence; undefined when they agree. */
export function differenceOf(
  findings: readonly Finding[],
  { ok, error, errorsSeen, ...rest }: Verdict,
): string | undefined {
  const textsOf = (some: readonly Finding[]): string[] =>
    some.flatMap(({ chromium }) => (chromium === undefined ? [] : [chromium]));
  const refusals = findings.filter(isRefusal);
  const loads = refusals.length === 0;
  if (ok !== loads)
    return `Chromium ${ok ? 'loads it' : `says ${String(error)}`}; we say ${textsOf(refusals).join(' / ') || 'that it loads'}`;
  if (!ok) {
    if (rest.crash || rest.silent || error === null) return undefined;
    const seen = [error, ...(errorsSeen ?? [])];
    return textsOf(refusals).some((text) => seen.includes(text))
      ? undefined
      : `Chromium says ${error}; we say ${textsOf(refusals).join(' / ')}`;
  }
  if (rest.warnings === null || rest.warnings.length >= MAX_SHOWN_WARNINGS) return undefined;
  const normal = (texts: readonly string[]): string =>
    [
      ...new Set(
        texts.map((text) => (UNDERSCORE.test(text) ? 'underscore' : ILLEGAL_NAME.test(text) ? 'illegal name' : text)),
      ),
    ]
      .sort()
      .join('\n');
  const [theirs, ours] = [
    normal(rest.warnings),
    normal(textsOf(findings.filter(({ severity }) => severity === 'warning'))),
  ];
  return theirs === ours ? undefined : `Chromium warns:\n${theirs}\nwe warn:\n${ours}`;
}
