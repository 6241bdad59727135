import fc, { type Arbitrary } from 'fast-check';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { threadCpuMs } from '../security/threadClock';

/** How long one input may hold the thread, in milliseconds of its processor time. */
const HOLD_LIMIT_MS = 1000;

/** How much is tried: so many inputs, or as many as there is time for. */
export interface FuzzDose {
  readonly seed: number;
  readonly inputs: number;
  readonly limitMs?: number;
}

/** What was found: the smallest input that is known to show it, as code, and the error. */
export interface Found {
  readonly seed: number;
  readonly input: string;
  readonly error: string;
}

/** A parser or decoder, with random inputs for it. */
export interface FuzzTarget {
  readonly name: string;
  /** How many inputs a usual test tries. */
  readonly usual: number;
  /** Resolves with the first input that breaks a promise, made small, and with how many were tried. */
  readonly fuzz: (dose: FuzzDose) => Promise<{ found?: Found; tried: number }>;
  /** Runs the inputs that have broken a promise once. Rejects with the first error. */
  readonly replay: () => Promise<void>;
}

/** What a decoder is given, and what it promises. */
export interface TargetParts<T> {
  /** A usual number of inputs other than {@link USUAL}. */
  readonly usual?: number;
  readonly inputs: Arbitrary<T>;
  /** How long one input may hold the thread, in milliseconds of its processor time, other than usual. */
  readonly holdMs?: number;
  /** Throws, or rejects, where a promise is broken. */
  readonly run: (input: T) => unknown;
  /** Errors that the callers handle. */
  readonly mayThrow?: (error: unknown) => boolean;
  /** What has broken a promise once. */
  readonly found?: readonly T[];
}

/** How many inputs a usual test tries. */
const USUAL = 150;

/** A decoder by its name. An input also breaks a promise when it holds the thread, or leaves a rejection that nobody handles. */
export function target<T>(name: string, parts: TargetParts<T>): FuzzTarget {
  const { inputs, run, mayThrow = () => false, found = [], usual = USUAL, holdMs = HOLD_LIMIT_MS } = parts;
  const runOne = async (input: T): Promise<void> => {
    const before = threadCpuMs();
    try {
      await run(input);
    } catch (error) {
      if (!mayThrow(error)) throw error;
    }
    const held = threadCpuMs() - before;
    if (held > holdMs) throw new Error(`it took ${Math.round(held)} ms`);
  };
  return {
    name,
    usual,
    fuzz: async ({ seed, inputs: numRuns, limitMs }) => {
      const property = fc.asyncProperty(inputs, (input) => withoutFaults(() => runOne(input)));
      const limits = limitMs === undefined ? {} : { interruptAfterTimeLimit: limitMs, markInterruptAsFailure: false };
      const result = await fc.check(property, { seed, numRuns, ...limits });
      // The time was over before the first input.
      const isUntried = result.interrupted && result.counterexample === null;
      if (!result.failed || isUntried) return { tried: result.numRuns };
      const error = result.errorInstance;
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return {
        tried: result.numRuns,
        found: { seed, input: fc.stringify(result.counterexample?.[0]), error: text },
      };
    },
    replay: async () => {
      for (const input of found) await withoutFaults(() => runOne(input));
    },
  };
}

/** Runs something, and rejects with what nobody has caught meanwhile, too. */
async function withoutFaults(work: () => Promise<void>): Promise<void> {
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => {
    faults.push(error);
  };
  process.on('unhandledRejection', onFault);
  process.on('uncaughtException', onFault);
  try {
    await work();
    await nextTurn();
  } finally {
    process.off('unhandledRejection', onFault);
    process.off('uncaughtException', onFault);
  }
  if (faults.length > 0) throw faults[0];
}
