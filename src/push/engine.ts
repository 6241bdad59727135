import pLimit from 'p-limit';
import type { ChoiceOptions } from '../archive/choice';
import type { WatchTimes } from '../archive/folderList';
import { FolderPackers, type AheadOptions, type FolderWatch } from '../archive/packers';
import type { LoadedExtension } from '../devtools/protocol/loadedExtensions';
import { type BrowserKey, browserKey, serviceKey } from '../service/browserKey';
import type { Logger } from '../service/logger';
import type { Browser } from '../service/model';
import type { BrowserMachines } from './place/browserMachines';
import { isCompleteBuild } from './prepare/completeBuild';
import { removeCopies } from './place/copies';
import { type Demands, joined } from './demands';
import { LocalhostScan } from './prepare/localhostScan';
import { KnownBrowsers } from './known/knownBrowsers';
import { PushRecords } from './known/pushRecords';
import type { OtherPrograms } from './turns/otherPrograms';
import type { Refusal } from './outcome';
import { prepare, type PrepareContext, type Prepared, type PrepareOrder } from './prepare/prepare';
import type { PushBrowsers } from './pushBrowsers';
import type { PushService } from './pushService';
import { DeliveryQueue } from './turns/deliveryQueue';
import { demandsOf, PushRun, type BrowserOutcome, type PushOrder, type RunContext } from './pushRun';
import { SetRun } from './setRun';

/** Browsers that are delivered to at the same time. */
const PARALLEL_DELIVERIES = 4;

export interface PushEngineOptions {
  log: Logger;
  /** The DevTools connections of this window to browsers. */
  connections: { of: (service: { baseUrl: URL }) => PushBrowsers };
  /** What other programs of the user have pushed. */
  otherPrograms: OtherPrograms;
  /** What runs where: by default what this engine has pushed itself. */
  records?: PushRecords;
  /** Called with a folder whose last push has missed a change, because its watcher did not report it: push it again. */
  onStale?: (folder: string) => void;
  /** How long the list of a watched folder is trusted. */
  watchTimes?: WatchTimes;
}

/**
 * Pushes extension folders to browsers: one delivery at a time per browser, several browsers at once, each folder checked and
 * packed once per push. Keeps between pushes what makes the next one fast: compressed files, and the builds that connections have verified.
 */
export class PushEngine {
  /** By service: the ids of the browsers of two services may be the same. */
  readonly #known = new Map<string, KnownBrowsers>();
  /** What makes the next push of a folder fast. */
  readonly #context: PrepareContext;
  readonly #queues = new Map<BrowserKey, DeliveryQueue<BrowserOutcome[], readonly Demands[]>>();
  readonly #limit = pLimit(PARALLEL_DELIVERIES);
  readonly #records: PushRecords;

  constructor(private readonly options: PushEngineOptions) {
    const { records, onStale, watchTimes } = options;
    this.#records = records ?? new PushRecords(() => '');
    const packers = new FolderPackers({ ...(onStale && { onStale }), ...(watchTimes && { times: watchTimes }) });
    this.#context = { packers, localhostScan: new LocalhostScan() };
  }

  /** What is known of the machines of a service's browsers. */
  machinesOf(service: { baseUrl: URL }): BrowserMachines {
    return this.#knownOf(service).machines;
  }

  /**
   * Removes extensions from a browser, with their storage, between the deliveries to it.
   * @throws DevToolsError, ServiceError
   */
  async remove(service: PushService, browser: Browser, extensions: readonly LoadedExtension[]): Promise<void> {
    await this.between(service, browser, () =>
      removeCopies({ service, browser, ...this.#stateOf(service), log: this.options.log }, extensions),
    );
  }

  /**
   * Runs something else in a browser between the deliveries to it, those of other programs included. Rejects as it does, or with the reason of
   * `signal` when that aborts before it begins.
   */
  async between<T>(service: PushService, browser: Browser, act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return await this.#queueOf(service, browser).between(async () => {
      signal?.throwIfAborted();
      const turn = await this.options.otherPrograms.turn(keyOf(service, browser), () => undefined, signal);
      try {
        return await act();
      } finally {
        await turn.end();
      }
    });
  }

  /**
   * Pushes a folder to all of the order's browsers and resolves to one outcome for each, in their order; a browser that fails does not
   * stop the others. Never rejects. A push of the same folder that waits for a browser is replaced by this one, which does what that one was
   * to do, and shares its outcome; where the newer one is cancelled, the other is done by itself.
   */
  async push(order: PushOrder, signal?: AbortSignal): Promise<BrowserOutcome[]> {
    const run = new PushRun(order, this.#contextOf(order), signal);
    // All deliveries are queued at once, so that no browser can get an older state after a newer one.
    const pushing = order.browsers.map(async (browser) => {
      const outcomes = await this.#queue(run, order, browser, signal);
      const isByOther = outcomes.some(isCancelledBySignal) && signal?.aborted !== true;
      return isByOther
        ? await this.#queue(new PushRun(order, this.#contextOf(order), signal), order, browser, signal)
        : outcomes;
    });
    return (await Promise.all(pushing)).flat();
  }

  /**
   * Pushes several folders together, one order for each, all to the same browsers: in a browser, all are delivered or none. Resolves to the
   * outcomes of each order, as `push` does. Never rejects.
   */
  async pushSet(orders: readonly PushOrder[], signal?: AbortSignal): Promise<BrowserOutcome[][]> {
    const [first, ...others] = orders;
    if (!first) return [];
    if (others.length === 0) return [await this.push(first, signal)];
    const run = new SetRun(orders, { ...this.#contextOf(first), unchangedDigest: () => undefined }, signal);
    const key = orders.map(({ folder }) => folder).join('\n');
    const perBrowser = await Promise.all(
      first.browsers.map((browser) => {
        const demands = orders.map((order) => demandsOf(order, browser));
        return this.#queueOf(first.service, browser).add(key, demands, (all) =>
          this.#deliverInTurn([first, ...others], browser, () => run.deliver(browser, all), signal),
        );
      }),
    );
    return orders.map((_order, index) => perBrowser.flatMap((outcomes) => outcomes[index] ?? []));
  }

  /** Checks and packs a folder as a push does, without a delivery. Rejects for a disk error, which says what to do. */
  prepare(folder: Omit<PrepareOrder, 'browsers' | 'onStep'>, signal?: AbortSignal): Promise<Prepared | Refusal> {
    return prepare({ ...folder, browsers: [], onStep: () => undefined }, this.#context, signal);
  }

  /** Packs a folder in the background, so that its next push finds its files compressed. */
  ahead(folder: string, options: AheadOptions): void {
    this.#context.packers.ahead(folder, options);
  }

  /** From now on the caller reports what changes in a folder, so that a push need not list all of it. */
  watch(folder: string): FolderWatch {
    return this.#context.packers.watch(folder);
  }

  /** Whether the build in a folder is complete, so that a push of it can succeed: see {@link isCompleteBuild}. */
  isComplete(folder: string, rules: ChoiceOptions, written?: readonly string[]): Promise<boolean> {
    return isCompleteBuild(folder, rules, written);
  }

  /** Stops background work. The connections go on. */
  dispose(): void {
    this.#context.packers.dispose();
  }

  #knownOf(service: { baseUrl: URL }): KnownBrowsers {
    const key = serviceKey(service.baseUrl);
    const known = this.#known.get(key) ?? new KnownBrowsers(this.options.connections.of(service));
    this.#known.set(key, known);
    return known;
  }

  /** What outlives pushes to the browsers of a service. */
  #stateOf(service: PushService): Pick<RunContext, 'connections' | 'known'> {
    return { connections: this.options.connections.of(service), known: this.#knownOf(service) };
  }

  /** What a push to the browsers of a service needs. */
  #contextOf(order: PushOrder): RunContext {
    return {
      ...this.#stateOf(order.service),
      ...this.#context,
      log: this.options.log,
      unchangedDigest: (browserId, folder) => this.#records.digest(browserId, folder, recordedAs(order)),
      pushedIds: async (browser, folder) => {
        const deliveries = await this.options.otherPrograms.deliveries(keyOf(order.service, browser));
        return deliveries.flatMap((past) => (past.folder === folder ? (past.extensionId ?? []) : []));
      },
    };
  }

  #queue(run: PushRun, order: PushOrder, browser: Browser, signal?: AbortSignal): Promise<BrowserOutcome[]> {
    return this.#queueOf(order.service, browser).add(order.folder, [demandsOf(order, browser)], ([demands]) =>
      this.#deliverInTurn([order], browser, async () => [await run.deliver(browser, demands)], signal),
    );
  }

  /** Delivers when no other program does so to the same browser. Resolves to outcomes for each order. */
  async #deliverInTurn(
    orders: readonly [PushOrder, ...PushOrder[]],
    browser: Browser,
    deliver: () => Promise<BrowserOutcome[]>,
    signal: AbortSignal | undefined,
  ): Promise<BrowserOutcome[]> {
    const [first] = orders;
    const key = keyOf(first.service, browser);
    const onWait = (): void => {
      for (const order of orders) order.onStep({ step: 'waiting' }, [browser]);
    };
    const turn = await this.options.otherPrograms.turn(key, onWait, signal).catch(() => undefined);
    if (!turn) {
      const outcomes = orders.map((order) => PushRun.cancelled(browser, order));
      await this.#tell(orders, outcomes);
      return outcomes;
    }
    try {
      if (await this.options.otherPrograms.haveDelivered(key)) this.#records.dropDigests(browser.id, recordedAs(first));
      return await this.#limit(async () => {
        const outcomes = await deliver();
        for (const browserOutcome of outcomes) await this.#note(first, browserOutcome);
        await this.#tell(orders, outcomes);
        return outcomes;
      });
    } finally {
      await turn.end();
    }
  }

  async #note(order: PushOrder, browserOutcome: BrowserOutcome): Promise<void> {
    const { outcome, browser, folder } = browserOutcome;
    this.#records.noteOutcome(browser.id, folder, outcome, recordedAs(order));
    await this.options.otherPrograms.note(order.service.baseUrl, browserOutcome);
  }

  async #tell(orders: readonly PushOrder[], outcomes: readonly BrowserOutcome[]): Promise<void> {
    for (const [index, { onEnd }] of orders.entries()) {
      const browserOutcome = outcomes[index];
      if (browserOutcome) await onEnd?.(browserOutcome);
    }
  }

  #queueOf(service: PushService, browser: Browser): DeliveryQueue<BrowserOutcome[], readonly Demands[]> {
    const key = keyOf(service, browser);
    // Requests of one key are for the same folders, in the same order.
    const queue =
      this.#queues.get(key) ??
      new DeliveryQueue<BrowserOutcome[], readonly Demands[]>((earlier, later) =>
        later.map((demands, index) => joined(earlier[index] ?? demands, demands)),
      );
    this.#queues.set(key, queue);
    return queue;
  }
}

function isCancelledBySignal({ outcome }: BrowserOutcome): boolean {
  return outcome.kind === 'cancelled' && outcome.why === undefined;
}

function keyOf({ baseUrl }: PushService, { id }: Browser): BrowserKey {
  return browserKey(baseUrl, id);
}

/** What records call the service of an order. */
function recordedAs({ recordedAs: name, service }: PushOrder): string {
  return name ?? serviceKey(service.baseUrl);
}
