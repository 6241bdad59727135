import type { UploadRestart } from '../service/interface';
import type { Logger } from '../service/logger';
import type { Browser } from '../service/model';
import type { Demands } from './demands';
import { folderNameOf } from './folderName';
import type { KnownBrowsers } from './known/knownBrowsers';
import type { Cancelled, PushStep } from './outcome';
import type { Cancellation } from './pointOfNoReturn';
import type { Prepared, PrepareOrder } from './prepare/prepare';
import type { PushBrowsers } from './pushBrowsers';
import type { PushService } from './pushService';

/**
 * How builds are delivered: `inPlace` – without a restart, which needs DevTools and operations for files, and the extension is gone after a restart of
 * the browser until it is pushed again; `restart` – each by the documented upload, which restarts Chromium; `auto` – the first by
 * that upload, so that the extension survives restarts, and all later ones in place. A service that need not restart
 * the browser for the first lets it survive, too, also with `inPlace`.
 */
export type DeliveryMode = 'auto' | 'inPlace' | 'restart';

/**
 * What happens to tabs when a content script has changed: the visible ones or all are reloaded, the new script is injected into
 * all of them without a reload, or nothing.
 */
export type TabPolicy = 'visible' | 'all' | 'inject' | 'none';

/**
 * The answer to whether a browser may be restarted; `inPlace`: deliver without a restart. `no` is the user's, `notAsked` that of the rule about
 * pushes that ask nothing.
 */
export type RestartAnswer = 'restart' | 'inPlace' | 'no' | 'notAsked';

/**
 * Asked before a delivery that restarts a browser. `canAvoid`: whether `inPlace` is possible; elsewhere that answer counts as `no`, which
 * ends the delivery as cancelled. The time until the answer does not count as the push's.
 */
export type ConfirmRestart = (browser: Browser, canAvoid: boolean) => Promise<RestartAnswer>;

/** The browser may not be restarted. */
export class RestartDeclinedError extends Error {
  override readonly name = 'RestartDeclinedError';

  /** `isAsked`: the user has declined it. */
  constructor(private readonly isAsked: boolean) {
    super();
  }

  /** How the delivery has ended with it. */
  get outcome(): Cancelled {
    return { kind: 'cancelled', why: this.isAsked ? 'declined' : 'restartNotAsked' };
  }
}

/** What an order says of each of its deliveries. */
export interface DeliveryOrder extends Pick<PrepareOrder, 'onStep' | 'isLocal'> {
  service: PushService;
  delivery: DeliveryMode;
  tabs: TabPolicy;
  /** Name of the folder on the browser; empty to make one from the manifest. */
  folderName: string;
  confirmRestart: ConfirmRestart;
}

/** What the pushes of a window to the browsers of one service share. */
export interface SharedByPushes {
  /** The window's connections to browsers, kept between pushes. */
  connections: PushBrowsers;
  /** What the window's pushes know of the service's browsers. */
  known: KnownBrowsers;
  log: Logger;
  /** Digest of the archive of a folder that a browser was last seen to run; see `PushRecords`. */
  unchangedDigest: (browserId: string, folder: string) => string | undefined;
  /** The ids as which a folder was pushed to a browser by any program of the user. Never rejects. */
  pushedIds: (browser: Browser, folder: string) => Promise<readonly string[]>;
}

/** A browser that pushes go to. */
export interface InBrowser extends Pick<SharedByPushes, 'connections' | 'known' | 'log'> {
  service: PushService;
  browser: Browser;
}

/** One delivery of a build to one browser: all that its steps share, from the order to the outcome. */
export class Delivery implements InBrowser {
  #upload = { begun: 0, bytes: 0, restarts: false, isFinal: false };
  #askedMs = 0;

  constructor(
    readonly order: DeliveryOrder,
    readonly browser: Browser,
    /** The build. */
    readonly prepared: Prepared,
    readonly demands: Demands,
    private readonly shared: SharedByPushes,
    readonly cancellation: Cancellation,
  ) {}

  get service(): PushService {
    return this.order.service;
  }

  get connections(): PushBrowsers {
    return this.shared.connections;
  }

  get known(): KnownBrowsers {
    return this.shared.known;
  }

  get log(): Logger {
    return this.shared.log;
  }

  /** Aborts with the push until the delivery can no longer be stopped. */
  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  /**
   * A browser that restarts would load an extension with the access to files that it was to lose, or before its servers on this machine are
   * reached again.
   */
  get mode(): DeliveryMode {
    return this.demands.withoutFiles || this.prepared.localhost ? 'inPlace' : this.order.delivery;
  }

  /**
   * Whether the service takes the extension into later starts of the browser without restarting it now. Not one that is to have no access to
   * files, which would get it at the next start, nor one with servers on this machine, which are not reached then.
   */
  get isKeptByService(): boolean {
    return this.browser.restartOptional === true && !this.demands.withoutFiles && !this.prepared.localhost;
  }

  /** What an upload says of the restart, where the service hears it: the push loads what it has sent. */
  uploadRestart({ restarts }: { restarts: boolean }): UploadRestart | undefined {
    if (!this.browser.restartOptional) return undefined;
    return restarts ? 'without' : 'later';
  }

  /** The name of the extension's folder on the browser. @throws FolderNameError */
  get folderName(): string {
    return folderNameOf(this.prepared.manifest.name, this.order.folderName);
  }

  /** Whether the browser was last verified to run this build, and the order skips unchanged builds. */
  get isUnchanged(): boolean {
    const { prepared, demands, browser } = this;
    const digest = this.shared.unchangedDigest(browser.id, prepared.folder);
    return demands.skipUnchanged && digest === prepared.archive.digest;
  }

  /** The ids as which the folder was pushed to the browser, by any program of the user. Never rejects. */
  pushedIds(): Promise<readonly string[]> {
    return this.shared.pushedIds(this.browser, this.prepared.folder);
  }

  /** The duration of the push so far, in milliseconds, without the time for which a question waited. */
  elapsedMs(): number {
    return performance.now() - this.prepared.started - this.#askedMs;
  }

  tell(step: PushStep): void {
    this.order.onStep(step, [this.browser]);
  }

  /** Asks whether the browser may be restarted. @throws RestartDeclinedError when it may not */
  async askToRestart({ canAvoid }: { canAvoid: boolean }): Promise<RestartAnswer> {
    const asked = performance.now();
    const answer = await this.order.confirmRestart(this.browser, canAvoid);
    this.#askedMs += performance.now() - asked;
    this.signal.throwIfAborted();
    if (answer === 'no' || answer === 'notAsked' || (answer === 'inPlace' && !canAvoid)) {
      throw new RestartDeclinedError(answer !== 'notAsked');
    }
    return answer;
  }

  /**
   * Reports that `bytes` bytes are about to go out; `restarts` when Chromium will restart for them. `isFinal`: once they are sent, the folder is on
   * Chromium's command line, whether or not the answer is awaited.
   */
  readonly begin = (bytes: number, { restarts, isFinal = false }: { restarts: boolean; isFinal?: boolean }): void => {
    this.#upload = { begun: performance.now(), bytes, restarts, isFinal };
    this.sent(0);
  };

  /** Reports how many of them have gone out. */
  readonly sent = (sent: number): void => {
    const { bytes, restarts, isFinal } = this.#upload;
    if (isFinal && sent >= bytes) this.cancellation.commit();
    this.tell({ step: 'uploading', bytes, sent, restarts });
  };

  /** Reports that the files are in place. */
  uploaded(): void {
    const { begun, restarts } = this.#upload;
    this.tell({ step: 'uploaded', restarted: restarts, ms: performance.now() - begun });
  }
}
