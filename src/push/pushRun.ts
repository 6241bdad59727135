import type { LoadedExtension } from '../devtools/extensions/loadedExtensions';
import { lackedBy, type Aspect } from '../manifest/aspects';
import { devToolsAddress } from '../service/devToolsAddress';
import type { Browser } from '../service/model';
import { removeCopies } from './place/copies';
import { deliver } from './deliver';
import type { Demands } from './demands';
import { Delivery, type DeliveryOrder, type SharedByPushes } from './browserDelivery';
import type { PushOutcome } from './outcome';
import { Cancellation } from './pointOfNoReturn';
import { prepare, type PrepareContext, type Prepared, type PrepareOrder } from './prepare/prepare';

/** How a push ended in one browser: with an outcome, or with an error of the service, the browser or the disk. */
export type PushEnd = PushOutcome | { outcome: 'failed'; error: unknown };

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

export interface BrowserEnd {
  session: Browser;
  /** The extension folder that was pushed, absolute. */
  folder: string;
  end: PushEnd;
  /** Undefined when the folder could not be packed. */
  archive?: PushedArchive;
  /** The push ended before any delivery, for a reason that holds for every browser. */
  isForAll: boolean;
  /** The push was cancelled when it could no longer be stopped, so that `end` is what happened. */
  isTooLate: boolean;
}

/** Other copies of the extension that are to be removed, by the session id of their browser. */
export type Copies = ReadonlyMap<string, readonly LoadedExtension[]>;

/** How a folder is packed and delivered. */
export type PushSettings = Pick<PrepareOrder, 'exclude' | 'include' | 'storeHints'> &
  Pick<DeliveryOrder, 'delivery' | 'tabs' | 'folderName'>;

/** One push: which folder, to which browsers, and what is called meanwhile. */
export interface PushOrder extends PrepareOrder, DeliveryOrder {
  /** Whether a browser that runs the same files already is left alone. */
  skipUnchanged: boolean;
  /** What is removed from the browsers before the delivery. */
  copies?: Copies;
  /** The extension must not get access to files of the browsers' machine; then no delivery restarts a browser. */
  withoutFiles?: boolean;
  /** Whether the extension is reloaded also when none of its files has changed. */
  mustReload?: boolean;
  /** Called with the end of each browser as it comes; the next delivery to that browser waits for its promise. */
  onEnd?: (end: BrowserEnd) => Promise<void>;
}

/** What pushes share. */
export type RunContext = SharedByPushes & PrepareContext;

/** What an order demands of the delivery to a browser. */
export function demandsOf(order: PushOrder, session: Browser): Demands {
  const { mustReload = false, skipUnchanged, withoutFiles = false, copies } = order;
  return { mustReload, skipUnchanged, withoutFiles, copies: copies?.get(session.id) ?? [] };
}

/**
 * One push of a folder to one or several browsers: it is checked and packed once, when the first browser is ready for it, and
 * delivered to each when that one is ready.
 */
export class PushRun {
  #prepared: Promise<Prepared | PushEnd> | undefined;

  /** `signal` cancels the push to all browsers. */
  constructor(
    private readonly order: PushOrder,
    private readonly context: RunContext,
    private readonly signal?: AbortSignal,
  ) {}

  /** The end of a push that was cancelled before its delivery to a browser began. */
  static cancelled(session: Browser, { folder }: PushOrder): BrowserEnd {
    return { session, folder, end: { outcome: 'cancelled' }, isForAll: false, isTooLate: false };
  }

  /** Checks and packs the folder, once. Never rejects: an error is an end, too. */
  prepare(): Promise<Prepared | PushEnd> {
    return (this.#prepared ??= this.#prepare());
  }

  /** Never rejects: errors are ends, too. `demands`: those of the order, and of orders that it has replaced. */
  async deliver(session: Browser, demands = demandsOf(this.order, session)): Promise<BrowserEnd> {
    const preparing = this.prepare();
    this.connect(session);
    const prepared = await preparing;
    if ('outcome' in prepared)
      return { session, folder: this.order.folder, end: prepared, isForAll: true, isTooLate: false };
    try {
      this.checkAddress(session);
      const delivery = this.deliveryTo(session, prepared, demands, new Cancellation(this.signal));
      await this.#removeCopies(delivery);
      const end = await deliver(delivery);
      return this.endOf(session, end, prepared);
    } catch (error) {
      return this.endOf(session, { outcome: 'failed', error }, prepared);
    }
  }

  /** Opens the connection to a browser while the folder is prepared; the delivery finds out whether that has failed, and why. */
  connect(session: Browser): void {
    if (session.devToolsUrl === '') return;
    try {
      this.checkAddress(session);
      this.context.connections.use(session, () => Promise.resolve(), this.signal).catch(() => undefined);
    } catch {
      // The delivery checks it, too.
    }
  }

  /** Checks the DevTools address of a browser, if it has one: without, the push goes by the documented upload. @throws ServiceError */
  checkAddress({ devToolsUrl: address }: Browser): void {
    if (address !== '') devToolsAddress(address, this.order.service.baseUrl);
  }

  /** The end of a delivery of what was prepared. */
  endOf(session: Browser, end: PushEnd, { manifest, archive, secrets }: Prepared): BrowserEnd {
    const isTooLate = (this.signal?.aborted ?? false) && end.outcome !== 'cancelled';
    const { name, version } = manifest;
    const { digest, digests, bytes } = archive;
    const pushed = { name, version, digest, digests, bytes: bytes.length, secrets, lacks: lackedBy(manifest.raw) };
    return { session, folder: this.order.folder, end, archive: pushed, isForAll: false, isTooLate };
  }

  async #prepare(): Promise<Prepared | PushEnd> {
    try {
      return await prepare(this.order, this.context, this.signal);
    } catch (error) {
      return { outcome: 'failed', error };
    }
  }

  async #removeCopies(delivery: Delivery): Promise<void> {
    const { copies } = delivery.demands;
    if (copies.length === 0) return;
    await removeCopies(delivery, copies, this.signal);
    delivery.tell({ step: 'removedCopies', copies });
  }

  /** The delivery of what was prepared to a browser. */
  deliveryTo(session: Browser, prepared: Prepared, demands: Demands, cancellation: Cancellation): Delivery {
    return new Delivery(this.order, session, prepared, demands, this.context, cancellation);
  }
}
