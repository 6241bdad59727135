import { cpus } from 'node:os';

/** Processor time since the start of the machine, in milliseconds of one core. */
export interface CoreTimes {
  readonly idle: number;
  readonly all: number;
}

/** How long back it is looked, in milliseconds. */
const WINDOW_MS = 30_000;

/** How much of the cores is idle: the share of the last seconds in which they had nothing to do. */
export class IdleCores {
  readonly #samples: { at: number; times: CoreTimes }[];

  constructor(
    private readonly read: () => CoreTimes = coreTimes,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#samples = [{ at: now(), times: read() }];
  }

  /** From 0 to 1, since the earliest reading of the last seconds, or else since the last one; each call is a reading. */
  share(): number {
    const [at, times] = [this.now(), this.read()];
    while (this.#samples.length > 1 && at - (this.#samples[0]?.at ?? at) > WINDOW_MS) this.#samples.shift();
    const since = this.#samples[0]?.times ?? times;
    this.#samples.push({ at, times });
    const all = times.all - since.all;
    return all > 0 ? (times.idle - since.idle) / all : 1;
  }
}

function coreTimes(): CoreTimes {
  let [idle, all] = [0, 0];
  for (const { times } of cpus()) {
    idle += times.idle;
    all += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return { idle, all };
}
