// Runs in a worker thread, which the test ends when an expression takes for ever.
import { parentPort } from 'node:worker_threads';

/** What is measured: an expression, and what its texts repeat. */
export interface Measured {
  source: string;
  flags: string;
  units: readonly string[];
}

/** Lengths of texts: one in which any time is seen, four times that, and 1 MB. */
const SHORT = 16_384;
const LONGER = 4 * SHORT;
const LONG = 1_048_576;

/** A text of the first length that takes longer is measured again. The shortest of some attempts counts: the machine may be busy. */
const SHORT_LIMIT_MS = 20;
const ATTEMPTS = 3;

/** By how much a text may take longer that is four times as long: where time grows with the square, it is 16. */
const GROWTH = 8;
const LONGER_LIMIT_MS = 60;
const LONG_LIMIT_MS = 1500;

function timeOf({ source, flags }: Measured, text: string): number {
  const expression = new RegExp(source, flags);
  const began = performance.now();
  if (expression.global) text.replaceAll(expression, '');
  else expression.exec(text);
  return performance.now() - began;
}

function shortestOf(measured: Measured, unit: string, length: number): number {
  const text = unit.repeat(Math.ceil(length / unit.length));
  return Math.min(...Array.from({ length: ATTEMPTS }, () => timeOf(measured, text)));
}

/** The text that takes too long; undefined when none does. */
function slowest(measured: Measured): string | undefined {
  let worst = { unit: '', ms: 0 };
  for (const unit of measured.units) {
    const ms = timeOf(measured, unit.repeat(Math.ceil(SHORT / unit.length)));
    if (ms > SHORT_LIMIT_MS) {
      const [first, second] = [shortestOf(measured, unit, SHORT), shortestOf(measured, unit, LONGER)];
      const isSlow = second > LONGER_LIMIT_MS && second > GROWTH * first;
      if (isSlow) return `${JSON.stringify(unit)}: ${Math.round(first)} ms for 16 kB, ${Math.round(second)} for 64`;
    }
    if (ms > worst.ms) worst = { unit, ms };
  }
  if (worst.unit === '') return undefined;
  const ms = shortestOf(measured, worst.unit, LONG);
  return ms > LONG_LIMIT_MS ? `${JSON.stringify(worst.unit)}: ${Math.round(ms)} ms for 1 MB` : undefined;
}

parentPort?.on('message', (measured: Measured) => {
  parentPort?.postMessage(slowest(measured));
});
