import * as l10n from '@vscode/l10n';
import type { Clock, Timer } from '../../base/clock';
import { serviceKey } from '../../service/browserKey';
import { devToolsAddress } from '../../service/devToolsAddress';
import type { Browser } from '../../service/model';
import { connectionLost, DevToolsError, isClosed, realWiring, type ConnectionWiring } from '../protocol/connect';
import { HiddenTargets } from '../protocol/hiddenTargets';
import { BrowserLink, type LinkEvents } from './link';
import { WorkerDebuggers } from '../workers/workerDebuggers';

/** The connection to one browser. */
class BrowserConnection {
  link: BrowserLink | undefined;
  /** The attempt to open it, and what cancels that. */
  opening: { done: Promise<void>; signal: AbortSignal | undefined } | undefined;
  /** An attempt to open it that began before the browser was known to be there again; does not reject. */
  early: Promise<void> | undefined;
  /** Whether it is opened again as soon as it is lost. */
  isReopened = false;
  /** As the service described it when the connection was opened. */
  browser: Browser | undefined;
  /** Ids of the extensions whose errors are reported, also over later connections. */
  readonly watched = new Set<string>();
  readonly debuggers = new WorkerDebuggers();
  readonly hidden = new HiddenTargets();
  idle: Timer | undefined;
  users = 0;
}

/** What connected browsers report by themselves: the events of their links, each after the browser. */
export type BrowserEvents = {
  [Name in keyof LinkEvents]?: (browser: Browser, ...args: Parameters<NonNullable<LinkEvents[Name]>>) => void;
};

export interface ConnectionOptions {
  /** How long a connection to a browser of a service is kept after its last use, in milliseconds; may be infinite. */
  idleMs: (service: URL) => number;
  /** What is called with what the connected browsers of a service report by themselves, by the address of the service. */
  eventsOf?: ((service: URL) => BrowserEvents) | undefined;
  /** What connections are made of; a test has them in memory. */
  wiring?: ConnectionWiring | undefined;
}

/** The DevTools connections to the browsers of each service: the ids of the browsers of two services may be the same. */
export class ServiceConnections {
  readonly #services = new Map<string, BrowserConnections>();

  constructor(private readonly options: ConnectionOptions) {}

  /** The connections to the browsers of a service. */
  of({ baseUrl }: { baseUrl: URL }): BrowserConnections {
    const service = serviceKey(baseUrl);
    const { idleMs, eventsOf, wiring } = this.options;
    const known =
      this.#services.get(service) ??
      new BrowserConnections(baseUrl, () => idleMs(baseUrl), eventsOf?.(baseUrl), wiring);
    this.#services.set(service, known);
    return known;
  }

  /** Closes all connections. */
  dispose(): void {
    for (const connections of this.#services.values()) connections.dispose();
  }
}

/**
 * The DevTools connections to the browsers of one service: one to each, opened when it is used, and closed when it was not for some time,
 * because it keeps a cloud browser awake.
 */
export class BrowserConnections {
  readonly #connections = new Map<string, BrowserConnection>();

  /** `service`: the base address of the service. `idleMs`: how long a connection is kept after its last use; may be infinite. */
  constructor(
    private readonly service: URL,
    private readonly idleMs: () => number,
    private readonly events: BrowserEvents = {},
    /** What all its connections are made of. */
    readonly wiring: ConnectionWiring = realWiring,
  ) {}

  /** The time for limits and polls. */
  get clock(): Clock {
    return this.wiring.clock;
  }

  /** Whether there is a connection, so that the browser reports by itself what changes. */
  isOpen(browserId: string): boolean {
    return this.#connections.get(browserId)?.link?.isOpen ?? false;
  }

  /** The browser that there is a connection to, and which thus has not ended; undefined without one. */
  connected(browserId: string): Browser | undefined {
    return this.isOpen(browserId) ? this.#connections.get(browserId)?.browser : undefined;
  }

  /** The connection to a browser that is open, or that the browser has ended: the next one is another. Undefined after one that was closed here. */
  last({ id }: Browser): BrowserLink | undefined {
    return this.#connections.get(id)?.link;
  }

  /**
   * Runs `act` with the connection to a browser, opened if need be.
   * @throws DevToolsError; ServiceError for an address that must not be connected to
   */
  async use<T>(browser: Browser, act: (link: BrowserLink) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const connection = this.#of(browser);
    connection.idle?.clear();
    connection.users += 1;
    try {
      await connection.early;
      if (!connection.link?.isOpen) await this.#opened(connection, browser, signal);
      if (!connection.link) throw new DevToolsError(l10n.t('the connection was closed'));
      return await act(connection.link);
    } catch (error) {
      // Commands that were under way fail in different ways when the connection breaks; the reason is the same.
      if (!isClosed(error)) throw error;
      throw connectionLost();
    } finally {
      connection.users -= 1;
      if (connection.users === 0) this.#closeWhenIdle(connection);
    }
  }

  /**
   * A passive use: as `use`, but an open connection is closed no later for it, since what only draws the present keeps no cloud browser from standby.
   * @throws DevToolsError; ServiceError for an address that must not be connected to
   */
  async usePassively<T>(browser: Browser, act: (link: BrowserLink) => Promise<T>): Promise<T> {
    const { link } = this.#of(browser);
    if (link?.isOpen) {
      try {
        return await act(link);
      } catch (error) {
        // It was closed meanwhile.
        if (link.isOpen) throw error;
      }
    }
    return await this.use(browser, act);
  }

  /**
   * Opens the connection again as soon as it is lost, if that is before the returned function is called: for a restart of the browser that is
   * about to be requested. It is tried once; where that fails, the next use tries again.
   */
  reopenWhenLost(browser: Browser): () => void {
    const connection = this.#of(browser);
    connection.isReopened = true;
    return () => (connection.isReopened = false);
  }

  /** The debuggers of a browser, which pushes take care of. */
  debuggersOf(browser: Browser): WorkerDebuggers {
    return this.#of(browser).debuggers;
  }

  /** The hidden pages that this process opens in a browser, also over connections of others that have joined. */
  hiddenOf(browser: Browser): HiddenTargets {
    return this.#of(browser).hidden;
  }

  /** Has the errors of an extension that was just pushed, perhaps by another program, reported as long as there is a connection. */
  watchErrors(browser: Browser, extensionId: string, { isByOther = false }: { isByOther?: boolean } = {}): void {
    const { link, watched } = this.#of(browser);
    watched.add(extensionId);
    if (link?.isOpen) void link.watchErrors(extensionId, { isPushed: true, isByOther });
  }

  /** Closes the connection to a browser, so that the browser can go to standby. */
  close(browser: Browser): void {
    close(this.#of(browser));
  }

  dispose(): void {
    for (const connection of this.#connections.values()) close(connection);
    this.#connections.clear();
  }

  /** Opens the connection, or waits until another use has opened it: what cancels that one does not cancel this one. */
  async #opened(connection: BrowserConnection, browser: Browser, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const begin = (): NonNullable<BrowserConnection['opening']> => {
        const done = this.#open(connection, browser, signal).finally(() => (connection.opening = undefined));
        return { done, signal };
      };
      const opening = (connection.opening ??= begin());
      try {
        await opening.done;
        return;
      } catch (error) {
        const isOfOther = opening.signal !== signal && opening.signal?.aborted;
        if (!isOfOther || signal?.aborted) throw error;
      }
    }
  }

  async #open(connection: BrowserConnection, browser: Browser, signal: AbortSignal | undefined): Promise<void> {
    const { events } = this;
    const link = await BrowserLink.open(
      devToolsAddress(browser.devToolsUrl, this.service),
      {
        onLost: () => {
          if (connection.isReopened) this.#reopen(connection, browser);
          events.onLost?.(browser);
        },
        onExtensions: () => events.onExtensions?.(browser),
        onPages: () => events.onPages?.(browser),
        onWorker: (id) => events.onWorker?.(browser, id),
        // Who takes no errors needs no connection for them.
        ...(events.onErrors && { onErrors: (report) => events.onErrors?.(browser, report) }),
        onWorkerError: (error) => events.onWorkerError?.(browser, error),
      },
      signal,
      connection.debuggers,
      this.wiring,
    );
    connection.hidden.join(link.connection);
    connection.link = link;
    connection.browser = browser;
    // Developer mode is switched on at first contact, so that a reload can be requested as soon as the files are in place.
    void link.prepare();
    for (const id of connection.watched) void link.watchErrors(id, { isPushed: false });
  }

  #reopen(connection: BrowserConnection, browser: Browser): void {
    connection.isReopened = false;
    const opening = this.use(browser, () => Promise.resolve()).catch(() => undefined);
    connection.early = opening.finally(() => (connection.early = undefined));
  }

  #of({ id }: Browser): BrowserConnection {
    const connection = this.#connections.get(id) ?? new BrowserConnection();
    this.#connections.set(id, connection);
    return connection;
  }

  #closeWhenIdle(connection: BrowserConnection): void {
    const idleMs = this.idleMs();
    if (!Number.isFinite(idleMs)) return;
    connection.idle = this.wiring.clock.after(idleMs, () => close(connection)).unref();
  }
}

function close(connection: BrowserConnection): void {
  connection.idle?.clear();
  connection.link?.close();
  connection.link = undefined;
}
