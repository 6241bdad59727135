import type { Archive } from '../archive/packer';
import type { LoadedExtension } from '../devtools/protocol/loadedExtensions';
import { lackedBy, type Aspect } from '../manifest/aspects';
import { devToolsAddress } from '../service/devToolsAddress';
import type { Browser } from '../service/model';
import { removeCopies } from './place/copies';
import { deliver } from './deliver';
import type { Demands } from './demands';
import { Delivery, type DeliveryOrder, type SharedByPushes } from './browserDelivery';
import type { KnownOutcome } from './outcome';
import { Cancellation } from './pointOfNoReturn';
import { prepare, type PrepareContext, type Prepared, type PrepareOrder } from './prepare/prepare';

/** How a push ended in one browser, also by an error of the service, the browser or the disk. */
export type PushOutcome = KnownOutcome | { kind: 'failed'; error: unknown };

/** What was pushed. */
export interface PushedArchive {
  name: string;
  version: string;
  digest: string;
  bytes: number;
  /** SHA-256 in hex of each file, by path. */
  digests: ReadonlyMap<string, string>;
  /** Paths of files that were left out because they look like secrets. */
  secrets?: readonly string[];
  /** What its manifest does not have. */
  lacks?: readonly Aspect[];
}

/** How the push of one folder ended in one browser. */
export interface BrowserOutcome {
  browser: Browser;
  /** The extension folder that was pushed, absolute. */
  folder: string;
  outcome: PushOutcome;
  /** Undefined when the folder could not be packed. */
  archive?: PushedArchive;
  /** The push ended before any delivery, for a reason that holds for every browser. */
  isForAll: boolean;
  /** The push was cancelled when it could no longer be stopped, so that `outcome` is what happened. */
  isTooLate: boolean;
}

/** Other copies of the extension that are to be removed, by the id of their browser. */
export type Copies = ReadonlyMap<string, readonly LoadedExtension[]>;

/** How a folder is packed and delivered. */
export type PushSettings = Pick<PrepareOrder, 'exclude' | 'include' | 'storeHints'> &
  Pick<DeliveryOrder, 'delivery' | 'tabs' | 'folderName'>;

/** One push: which folder, to which browsers, and what is called meanwhile. */
export interface PushOrder extends PrepareOrder, DeliveryOrder {
  /** Whether a browser that runs the same files already is left alone. */
  skipUnchanged: boolean;
  /** What the records of pushes call the service; its address by default. */
  recordedAs?: string;
  /** What is removed from the browsers before the delivery. */
  copies?: Copies;
  /** The extension must not get access to files of the browsers' machine; then no delivery restarts a browser. */
  withoutFiles?: boolean;
  /** Whether the extension is reloaded also when none of its files has changed. */
  mustReload?: boolean;
  /** Whether a browser is still to be pushed to, asked when its delivery begins: others may have been chosen since. By default it is. */
  isWanted?: (browser: Browser) => boolean;
  /** Called with what was packed, before it is delivered. */
  onPacked?: (archive: Pick<Archive, 'digest' | 'zip' | 'zipBytes'>) => void;
  /** Called with the outcome in each browser as it comes; the next delivery to that browser waits for its promise. */
  onEnd?: (browserOutcome: BrowserOutcome) => Promise<void>;
}

/** What pushes share. */
export type RunContext = SharedByPushes & PrepareContext;

/** Removes the copies that deliveries to one browser demand to be removed. */
export async function removeDemandedCopies(deliveries: readonly Delivery[], signal?: AbortSignal): Promise<void> {
  const demanded = new Map(deliveries.flatMap(({ demands }) => demands.copies.map((copy) => [copy.id, copy] as const)));
  const [first] = deliveries;
  if (!first || demanded.size === 0) return;
  const copies = [...demanded.values()];
  await removeCopies(first, copies, signal);
  first.tell({ step: 'removedCopies', copies });
}

/** What an order demands of the delivery to a browser. */
export function demandsOf(order: PushOrder, browser: Browser): Demands {
  const { mustReload = false, skipUnchanged, withoutFiles = false, copies } = order;
  const isWanted = (): boolean => order.isWanted?.(browser) ?? true;
  return { mustReload, skipUnchanged, withoutFiles, isWanted, copies: copies?.get(browser.id) ?? [] };
}

/**
 * One push of a folder to one or several browsers: it is checked and packed once, when the first browser is ready for it, and
 * delivered to each when that one is ready.
 */
export class PushRun {
  #prepared: Promise<Prepared | PushOutcome> | undefined;

  /** `signal` cancels the push to all browsers. */
  constructor(
    private readonly order: PushOrder,
    private readonly context: RunContext,
    private readonly signal?: AbortSignal,
  ) {}

  /** The outcome of a push that was cancelled before its delivery to a browser began. */
  static cancelled(browser: Browser, { folder }: PushOrder): BrowserOutcome {
    return { browser, folder, outcome: { kind: 'cancelled' }, isForAll: false, isTooLate: false };
  }

  /** Checks and packs the folder, once. Never rejects: an error is an outcome, too. */
  prepare(): Promise<Prepared | PushOutcome> {
    return (this.#prepared ??= this.#prepare());
  }

  /** Never rejects: errors are outcomes, too. `demands`: those of the order, and of orders that it has replaced. */
  async deliver(browser: Browser, demands = demandsOf(this.order, browser)): Promise<BrowserOutcome> {
    const preparing = this.prepare();
    this.connect(browser);
    const prepared = await preparing;
    if ('kind' in prepared)
      return { browser, folder: this.order.folder, outcome: prepared, isForAll: true, isTooLate: false };
    if (!demands.isWanted()) return this.outcomeOf(browser, { kind: 'cancelled', why: 'notWanted' }, prepared);
    try {
      this.checkAddress(browser);
      const delivery = this.deliveryTo(browser, prepared, demands, new Cancellation(this.signal));
      await removeDemandedCopies([delivery], this.signal);
      const outcome = await deliver(delivery);
      return this.outcomeOf(browser, outcome, prepared);
    } catch (error) {
      return this.outcomeOf(browser, { kind: 'failed', error }, prepared);
    }
  }

  /** Opens the connection to a browser while the folder is prepared; the delivery finds out whether that has failed, and why. */
  connect(browser: Browser): void {
    if (browser.devToolsUrl === '') return;
    try {
      this.checkAddress(browser);
      this.context.connections.use(browser, () => Promise.resolve(), this.signal).catch(() => undefined);
    } catch {
      // The delivery checks it, too.
    }
  }

  /** Checks the DevTools address of a browser, if it has one: without, the push goes by the documented upload. @throws ServiceError */
  checkAddress({ devToolsUrl: address }: Browser): void {
    if (address !== '') devToolsAddress(address, this.order.service.baseUrl);
  }

  /** The outcome of a delivery of what was prepared. */
  outcomeOf(browser: Browser, outcome: PushOutcome, { manifest, archive, secrets }: Prepared): BrowserOutcome {
    const isTooLate = (this.signal?.aborted ?? false) && outcome.kind !== 'cancelled';
    const { name, version } = manifest;
    const { digest, digests, zipBytes: bytes } = archive;
    const pushed = { name, version, digest, digests, bytes, secrets, lacks: lackedBy(manifest.raw) };
    return { browser, folder: this.order.folder, outcome, archive: pushed, isForAll: false, isTooLate };
  }

  async #prepare(): Promise<Prepared | PushOutcome> {
    try {
      const prepared = await prepare(this.order, this.context, this.signal);
      if (!('kind' in prepared)) this.order.onPacked?.(prepared.archive);
      return prepared;
    } catch (error) {
      return { kind: 'failed', error };
    }
  }

  /** The delivery of what was prepared to a browser. */
  deliveryTo(browser: Browser, prepared: Prepared, demands: Demands, cancellation: Cancellation): Delivery {
    return new Delivery(this.order, browser, prepared, demands, this.context, cancellation);
  }
}
