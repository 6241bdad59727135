import { join } from 'node:path';
import { atEnd } from '../support/cleanup';
import { Beacon } from './beacon';
import { startService, type BenchService } from './localService';
import type { BenchOptions } from './options';
import { interleave, type Measure, type Summary } from './series';

/** What the groups of a run share, made when it is first needed. */
export class Bench {
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
  ) {}

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

  /** Takes the samples that were asked for, of each measure in turns. */
  measure(measures: readonly Measure[]): Promise<Summary[]> {
    return interleave(measures, this.options.samples, this.report);
  }
}
