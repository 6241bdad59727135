import { checkFolder } from '../../src/manifest/check';
import { caseReader } from './caseFolder';
import { CASE_FOLDER, differenceOf, UNDERSCORE, type Case } from './cases';
import { BrowserEndedError, Oracle } from './oracle';
import { isRefusal } from './verdict';

/** So much of a manifest is shown with a difference, in characters. */
const SHOWN_LENGTH = 1500;

/** Asks the installed Chromium about a case, and says how our check differs from it; undefined when it does not. */
export async function compareWithChromium(oracle: Oracle, asked: Case): Promise<string | undefined> {
  const { findings } = await checkFolder(CASE_FOLDER, { reader: caseReader(asked.files), loadedBy: 'service' });
  // Loads that would end the browser are not asked for: there would be nobody left to answer.
  if (findings.some(({ rule }) => rule === 'R-LOC-CRASH')) return undefined;
  const loads = !findings.some(isRefusal);
  const verdict = await oracle.judge(asked);
  // Over DevTools the lack of a shared module has a text, which the flag keeps to itself.
  if (!verdict.ok && findings.some(({ rule }) => rule === 'R-IMPORT')) return undefined;
  // Over DevTools names with an underscore are looked at before the manifest is.
  if (!loads && verdict.error !== null && UNDERSCORE.test(verdict.error)) return undefined;
  const difference = differenceOf(findings, verdict);
  return difference === undefined ? undefined : described(asked, difference);
}

function described({ id, files }: Case, difference: string): string {
  const manifest = JSON.stringify(files['manifest.json'])?.slice(0, SHOWN_LENGTH);
  return `${id}: ${difference}\n${manifest}\n${Object.keys(files).join(' ')}`;
}

/** What a long comparison came to. */
export interface Comparison {
  asked: number;
  differences: string[];
}

export interface CompareOptions {
  /** Cases that one browser looks at at once. */
  atOnce?: number;
  /** Told of every so many cases, and of each difference as soon as it is sure. */
  say?: (line: string) => void;
}

/** A browser that has loaded so many extensions is replaced by a fresh one. */
const CASES_PER_BROWSER = 400;
const AT_ONCE = 4;

/**
 * Compares all cases with the installed Chromium, several at once. A case that differs, or that was under way when the browser ended, is
 * asked again alone in a fresh browser: two extensions with one key are in one another's way, and only one of several ends a browser.
 */
export async function compareAll(
  cases: Iterable<Case>,
  { atOnce = AT_ONCE, say }: CompareOptions = {},
): Promise<Comparison> {
  const result: Comparison = { asked: 0, differences: [] };
  const waiting = cases[Symbol.iterator]();
  for (let batch = take(waiting, CASES_PER_BROWSER); batch.length > 0; batch = take(waiting, CASES_PER_BROWSER)) {
    for (const again of await doubtfulOf(batch, atOnce)) {
      const difference = await askAlone(again);
      if (difference === undefined) continue;
      result.differences.push(difference);
      say?.(`\n${difference}`);
    }
    result.asked += batch.length;
    say?.(`${result.asked} cases asked, ${result.differences.length} differ`);
  }
  return result;
}

function take(waiting: Iterator<Case>, count: number): Case[] {
  const taken: Case[] = [];
  while (taken.length < count) {
    const next = waiting.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

/** The cases of a batch that have to be asked again. */
async function doubtfulOf(batch: readonly Case[], atOnce: number): Promise<Case[]> {
  const oracle = await Oracle.start();
  const doubtful = new Set(batch);
  const left = batch.values();
  const work = async (): Promise<void> => {
    for (const asked of left) if ((await compareWithChromium(oracle, asked)) === undefined) doubtful.delete(asked);
  };
  try {
    // All of them have to settle, so that none still asks a browser that is being closed.
    const ends = await Promise.allSettled(Array.from({ length: atOnce }, work));
    const reasons = ends.flatMap((end): unknown[] => (end.status === 'rejected' ? [end.reason] : []));
    const unexpected = reasons.filter((reason) => !(reason instanceof BrowserEndedError));
    if (unexpected.length > 0) throw new AggregateError(unexpected, 'A comparison failed.');
  } finally {
    await oracle.close();
  }
  return [...doubtful];
}

async function askAlone(asked: Case): Promise<string | undefined> {
  const oracle = await Oracle.start();
  try {
    return await compareWithChromium(oracle, asked);
  } catch (error) {
    if (!(error instanceof BrowserEndedError)) throw error;
    return described(asked, 'Chromium ends; we do not say so');
  } finally {
    await oracle.close();
  }
}
