import { redact } from '../../src/service/redact';
import { within } from '../support/within';

/** A case that gave no result, and why. */
export interface Failure {
  case: string;
  reason: string;
}

/** The cases of a run that have failed. One that fails ends neither the run nor other cases. */
export class Failures {
  readonly all: Failure[] = [];

  constructor(private readonly report: (line: string) => void) {}

  /** Notes that a case has failed. The reason is kept without credentials. */
  add(name: string, error: unknown): void {
    const reason = redact(error instanceof Error ? error.message : String(error));
    this.all.push({ case: name, reason });
    this.report(`FAILED ${name}: ${reason}`);
  }

  /** What `act` gives; undefined when it rejects or takes longer than `limitMs`, which is noted as a failure of the case `name`. */
  async attempt<T>(name: string, limitMs: number, act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await within(name, limitMs, act());
    } catch (error) {
      this.add(name, error);
      return undefined;
    }
  }
}

/** What is said of failed cases after the results. */
export function linesOf(failures: readonly Failure[]): string[] {
  if (failures.length === 0) return [];
  return [
    `\nFailed, so that their measures and ratios are absent: ${failures.length}`,
    ...failures.map((failure) => `  ${failure.case}: ${failure.reason}`),
  ];
}
