import { rename, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceClient } from '../../src/service/client';
import { ServiceError } from '../../src/service/serviceErrors';
import { manifest, zipOf } from './archives';
import type { Fate, FaultyProxy } from './client.faultyProxy';
import type { Chance } from './client.random';
import { eventually } from '../support/eventually';
import { processesWith } from './processes';

/** How long a service may take to notice that a browser was killed, in milliseconds. */
const END_LIMIT_MS = 20_000;

/** What goes wrong at the service when it is asked for something. */
const FAULTS: readonly object[] = [
  { status: 401, times: 1 },
  { status: 429, retryAfter: 0, times: 2 },
  { status: 500, times: 1 },
  { status: 503, times: 4 },
  { delayMs: 150, times: 3 },
  { dropAfterCommit: true, times: 1 },
  { dropAfterCommit: true, times: 3 },
];

/** Whose requests are meant. */
const TARGETS: readonly object[] = [
  ...['uploadZip', 'move', 'deleteDirectory', 'listFiles', 'uploadExtensionsToBrowser'].map((operation) => ({
    operation,
  })),
  {},
];

/** How often in a hundred a request meets which fate on the line, while there is faults. */
const FATES: readonly [Fate, number][] = [
  ['cutBefore', 3],
  ['cutUpload', 4],
  ['cutAfter', 4],
  ['cutAnswer', 4],
  ['truncate', 3],
  ['delay', 10],
  ['swallow', 0.5],
];

/** Makes faults for pushes, by chance. */
export class FaultInjection {
  #others = 0;
  /** How often which kind was made. */
  readonly made = new Map<string, number>();

  constructor(
    private readonly chance: Chance,
    private readonly faultsFile: string,
    private readonly proxy: FaultyProxy,
    /** Past the faults. */
    private readonly direct: ServiceClient,
    /** Told of what goes on. */
    private readonly note: (line: string) => void,
  ) {}

  /** The service and the line are well again. */
  async calm(): Promise<void> {
    this.proxy.nextFate = () => 'none';
    await this.#setFaults([]);
  }

  /** Has some of the next requests fail at the service. */
  async atService(): Promise<void> {
    this.#count('fault of the service');
    const faults = Array.from({ length: 1 + this.chance.below(2) }, () => ({
      ...this.chance.pick(TARGETS),
      ...this.chance.pick(FAULTS),
    }));
    await this.#setFaults(faults);
  }

  /** Has some of the next requests fail on the line. */
  onLine(): void {
    this.#count('fault of the line');
    this.proxy.nextFate = () => {
      let left = this.chance.next() * 100;
      for (const [fate, share] of FATES) {
        if (left < share) {
          this.note(`line: ${fate} ${this.proxy.begun.at(-1) ?? ''}`);
          return fate;
        }
        left -= share;
      }
      return 'none';
    };
  }

  /** Restarts the browser as somebody else does: by an upload of another extension. */
  async restart(browserId: string): Promise<void> {
    this.#count('restart by somebody else');
    const name = `other-${(this.#others += 1)}`;
    const zip = await zipOf({ 'manifest.json': manifest({ name }) });
    try {
      await this.direct.uploadExtensionsToBrowser(browserId, [{ name, zip }]);
    } catch (error) {
      // It was killed before.
      if (!(error instanceof ServiceError) || error.kind !== 'notFound') throw error;
    }
  }

  /** Kills the browser, and waits until its session has ended: until then the service says that it is there. */
  async kill(browserId: string): Promise<void> {
    this.#count('browser killed');
    const hasEnded = async (): Promise<boolean> => {
      // Again: a service that was restarting it has another one by now.
      for (const pid of await processesWith(`/sessions/${browserId}`)) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended with its parent.
        }
      }
      return pastFaults(() => this.direct.getBrowser(browserId)).then(
        () => false,
        () => true,
      );
    };
    await eventually('the session of a killed browser has ended', hasEnded, END_LIMIT_MS);
  }

  /** Replaces the faults as a whole: the service reads them with every request. */
  async #setFaults(faults: readonly object[]): Promise<void> {
    this.note(`faults: ${JSON.stringify(faults)}`);
    await writeFile(`${this.faultsFile}.new`, JSON.stringify(faults));
    await rename(`${this.faultsFile}.new`, this.faultsFile);
  }

  #count(kind: string): void {
    this.note(kind);
    this.made.set(kind, (this.made.get(kind) ?? 0) + 1);
  }
}

/** How often a request is repeated that is answered by an injected fault, and the pause between two tries, in milliseconds. */
const TRIES = 50;
const TRY_MS = 20;

/** Repeats a request of the test itself while it is answered by an injected fault. */
export async function pastFaults<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt < TRIES; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'provoked_fault') throw error;
      await delay(TRY_MS);
    }
  }
  return await act();
}
