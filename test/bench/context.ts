import { join } from 'node:path';
import { atEnd } from '../support/cleanup';
import { Beacon } from './beacon';
import { startService, type BenchService } from './localService';
import { Failures } from './failures';
import type { BenchOptions } from './options';
import { interleave, type Measure, type Summary } from './series';

/** Longest time to prepare a case, in milliseconds: on a busy machine a browser, a push and a window take up to a minute. */
const PREPARE_LIMIT_MS = 180_000;

/** What the groups of a run share, made when it is first needed. */
export class Bench {
  readonly failures: Failures;
  #service: Promise<BenchService> | undefined;
  #beacon: Promise<Beacon> | undefined;

  constructor(
    /** A folder that goes with the run. */
    readonly root: string,
    /** The browser. */
    readonly executable: string,
    readonly options: BenchOptions,
    /** Told of what goes on. */
    readonly report: (line: string) => void,
  ) {
    this.failures = new Failures(report);
  }

  service(): Promise<BenchService> {
    this.#service ??= startService(join(this.root, 'service'));
    return this.#service;
  }

  beacon(): Promise<Beacon> {
    this.#beacon ??= Beacon.start().then((beacon) => {
      atEnd('the beacon', () => beacon.close());
      return beacon;
    });
    return this.#beacon;
  }

  /** Prepares the measures of a case: none when that fails or takes too long, which is noted. */
  async prepare(
    name: string,
    begin: () => Promise<readonly Measure[]>,
    limitMs = PREPARE_LIMIT_MS,
  ): Promise<readonly Measure[]> {
    return (await this.failures.attempt(`preparation of ${name}`, limitMs, begin)) ?? [];
  }

  /** Takes the samples that were asked for, of each measure in turns. Those of a measure that fails are left out, which is noted. */
  measure(measures: readonly Measure[]): Promise<Summary[]> {
    return interleave(measures, this.options.samples, {
      report: this.report,
      onFailure: (name, error) => {
        this.failures.add(name, error);
      },
    });
  }
}
