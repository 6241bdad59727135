import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runChild } from '../support/child';
import { CACHE, ROOT } from '../support/paths';
import { readResults, RESULTS_ENV, type Counts, type FileLine, type TestLine } from './results';
import { commandOf, type Part } from './suites';

const RESULTS = join(CACHE, 'results');

/** How a part of the run ended. */
export interface PartResult {
  readonly counts: Counts;
  readonly tests: readonly TestLine[];
  /** The times of its test files. */
  readonly files: readonly FileLine[];
  readonly ms: number;
}

/**
 * Runs one part and counts its tests; `say` gets its output. Never rejects: a part that cannot run, does not come to its end or
 * ends with an error that no test accounts for adds one failed test, and a line says why. `prepared` must not be pending.
 */
export async function runPart(
  part: Part,
  prepared: Promise<unknown>,
  say: (line: string) => void,
): Promise<PartResult> {
  const begin = performance.now();
  const file = join(RESULTS, `${part.name.replaceAll(/[^\w.-]+/g, '-')}.jsonl`);
  let broken: string | undefined;
  try {
    await prepared;
    await mkdir(RESULTS, { recursive: true });
    await rm(file, { force: true });
    const [program, ...args] = commandOf(part);
    const env = { ...process.env, ...part.env, [RESULTS_ENV]: file };
    const isBackground = part.lane === 'background';
    const options = { cwd: ROOT, env, limitMs: part.limitMs, output: { line: say }, isBackground };
    const { code, signal } = await runChild(program, args, options);
    if (code !== 0) broken = `ended with ${signal ?? `exit code ${code ?? 'unknown'}`}`;
  } catch (error) {
    broken = error instanceof Error ? error.message : String(error);
  }
  const ms = performance.now() - begin;
  return {
    ms,
    ...(part.counts === 'exit' ? oneTest(part, ms, broken, say) : await manyTests(part, file, broken, say)),
  };
}

type Tests = Omit<PartResult, 'ms'>;

function oneTest(part: Part, ms: number, broken: string | undefined, say: (line: string) => void): Tests {
  const isGood = broken === undefined;
  if (!isGood) say(`${part.name}: ${broken}`);
  const test: TestLine = {
    kind: 'test',
    state: isGood ? 'passed' : 'failed',
    title: part.name,
    ms: Math.round(ms),
    ...(isGood ? {} : { reason: broken }),
  };
  return { counts: { passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0 }, tests: [test], files: [] };
}

async function manyTests(
  part: Part,
  file: string,
  failure: string | undefined,
  say: (line: string) => void,
): Promise<Tests> {
  const { counts, complete, lines } = await readResults(file);
  const tests = lines.filter((line) => line.kind === 'test');
  const files = lines.filter((line) => line.kind === 'file');
  const broken = failure ?? (complete ? undefined : 'ended before its last test');
  // Failed tests explain an exit code; nothing else does.
  if (broken === undefined || (complete && counts.failed > 0)) return { counts, tests, files };
  const reason = `${part.name} did not run as it should: ${broken}.`;
  say(reason);
  const test: TestLine = { kind: 'test', state: 'failed', title: part.name, ms: 0, reason };
  return { counts: { ...counts, failed: counts.failed + 1 }, tests: [...tests, test], files };
}
