import * as l10n from '@vscode/l10n';
import { basename } from 'node:path/posix';
import type { Clock, Timer } from '../clock';
import { DevToolsError, isClosed, realParts, type ConnectionParts } from '../devtools/connect';
import { BrowserLink, type LinkEvents } from '../devtools/link';
import { WorkerDebuggers } from '../devtools/workerDebuggers';
import { devToolsAddress } from '../service/devToolsAddress';
import type { BrowserSession } from '../service/model';
import { listExtensions, type LoadedExtension } from '../devtools/extensions';
import { BrowserMachines } from './browserMachines';
import type { KnownBuild } from './changes';
import { isFolderOf } from './folderName';
import type { Spare } from './spare';

/** Reads the modification time of a build's folder; undefined where it is not available. */
export type FolderTime = () => Promise<string | undefined>;

/** A build that was verified to run, and the state by which it is recognised. */
interface RecordedBuild {
  build: KnownBuild;
  state: Promise<BuildState | undefined>;
}

/** Differs when somebody else has pushed to the same folder. */
interface BuildState {
  /** How many times the extension has been loaded. */
  loads: number;
  /** Modification time of the folder, which each push creates again. */
  time: string;
}

/** The state of one browser between two pushes. */
class BrowserState {
  link: BrowserLink | undefined;
  opening: Promise<void> | undefined;
  /** As the service described it when the connection was opened. */
  session: BrowserSession | undefined;
  /** By folder on the browser; valid for the current `link`. */
  readonly builds = new Map<string, RecordedBuild>();
  /** Ids of the extensions whose errors are reported, also over later connections. */
  readonly watched = new Set<string>();
  readonly debuggers = new WorkerDebuggers();
  /** By folder on the browser that the next build goes to. */
  readonly spares = new Map<string, Promise<Spare | undefined>>();
  idle: Timer | undefined;
  users = 0;
  wasReached = false;
}

/** What connected browsers report by themselves: the events of their links, each after the session. */
export type BrowserEvents = {
  [Name in keyof LinkEvents]?: (session: BrowserSession, ...args: Parameters<NonNullable<LinkEvents[Name]>>) => void;
};

/**
 * The browsers of one service that this window pushes to: a DevTools connection each, closed after some time without a push because it
 * keeps a cloud session awake, and the builds that were last verified to run there.
 */
export class BrowserConnections {
  readonly #browsers = new Map<string, BrowserState>();
  /** By the address of the service. */
  readonly #machines = new Map<string, BrowserMachines>();

  /** `service`: the base address of the service. `idleMs`: how long a connection is kept after the last push, in milliseconds; may be infinite. */
  constructor(
    private readonly service: URL,
    private readonly idleMs: () => number,
    private readonly events: BrowserEvents = {},
    /** What all its connections are made of. */
    readonly parts: ConnectionParts = realParts,
  ) {}

  /** The time for limits and polls. */
  get clock(): Clock {
    return this.parts.clock;
  }

  /** Whether there is a connection, so that the browser reports by itself what changes. */
  isOpen(sessionId: string): boolean {
    return this.#browsers.get(sessionId)?.link?.isOpen ?? false;
  }

  /** The session of a browser that there is a connection to, and which thus has not ended; undefined without one. */
  connected(sessionId: string): BrowserSession | undefined {
    return this.isOpen(sessionId) ? this.#browsers.get(sessionId)?.session : undefined;
  }

  /**
   * Runs `act` with the connection to a browser, opened if need be.
   * @throws DevToolsError; ServiceError for an address that must not be connected to
   */
  async use<T>(session: BrowserSession, act: (link: BrowserLink) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const browser = this.#of(session);
    browser.idle?.clear();
    browser.users += 1;
    try {
      if (!browser.link?.isOpen) {
        browser.opening ??= this.#open(browser, session, signal).finally(() => {
          browser.opening = undefined;
        });
        await browser.opening;
      }
      if (!browser.link) throw new DevToolsError(l10n.t('the connection was closed'));
      return await act(browser.link);
    } catch (error) {
      // Commands that were under way fail in different ways when the connection breaks; the reason is the same.
      if (!isClosed(error)) throw error;
      throw new DevToolsError(l10n.t('the connection was lost, because the browser has ended or restarted'));
    } finally {
      browser.users -= 1;
      if (browser.users === 0) this.#closeWhenIdle(browser);
    }
  }

  /**
   * As `use`, but an open connection is closed no later for it: what only draws the present keeps no cloud session from standby.
   * @throws DevToolsError
   */
  async look<T>(session: BrowserSession, act: (link: BrowserLink) => Promise<T>): Promise<T> {
    const { link } = this.#of(session);
    if (link?.isOpen) {
      try {
        return await act(link);
      } catch (error) {
        // It was closed meanwhile.
        if (link.isOpen) throw error;
      }
    }
    return await this.use(session, act);
  }

  /** What is known of the machines of a service's browsers. */
  machinesOf({ baseUrl: { href } }: { baseUrl: URL }): BrowserMachines {
    const machines = this.#machines.get(href) ?? new BrowserMachines();
    this.#machines.set(href, machines);
    return machines;
  }

  /** Whether the browser has ever answered this window over DevTools. */
  wasReached(session: BrowserSession): boolean {
    return this.#of(session).wasReached;
  }

  /** The browser has answered over DevTools. */
  noteReached(session: BrowserSession): void {
    this.#of(session).wasReached = true;
  }

  /**
   * The build that runs from `path` on the browser; undefined when this window does not know. It knows only as long as its
   * connection lasts and nobody else, such as another window, has replaced the files or loaded the extension again.
   */
  async knownBuild(session: BrowserSession, path: string, folderTime: FolderTime): Promise<KnownBuild | undefined> {
    const seen = this.#of(session).builds.get(path);
    if (!seen) return undefined;
    const [then, now] = await Promise.all([seen.state, this.#state(session, seen.build, folderTime)]);
    return then !== undefined && then.loads === now?.loads && then.time === now.time ? seen.build : undefined;
  }

  /**
   * The build that was verified last in the folder `folderName`, or in one that was made for it, and its path; whether it still runs is for
   * `confirm` to say.
   */
  expectedBuild(session: BrowserSession, folderName: string): { path: string; build: KnownBuild } | undefined {
    const { link, builds } = this.#of(session);
    const found = link?.isOpen && [...builds].find(([path]) => isFolderOf(folderName, basename(path)));
    return found ? { path: found[0], build: found[1].build } : undefined;
  }

  /** The extension that runs the known build from `path`; undefined when another one does, it is disabled, or nobody knows. */
  async confirm(
    session: BrowserSession,
    path: string,
    folderTime: FolderTime,
    signal?: AbortSignal,
  ): Promise<LoadedExtension | undefined> {
    const [extensions, known] = await Promise.all([
      this.use(session, ({ connection }) => listExtensions(connection), signal),
      this.knownBuild(session, path, folderTime),
    ]);
    return known && extensions.find((extension) => extension.path === path && extension.enabled);
  }

  /** Records the build that was just verified to run from `path`. */
  recordBuild(session: BrowserSession, path: string, build: KnownBuild, folderTime: FolderTime): void {
    this.#of(session).builds.set(path, { build, state: this.#state(session, build, folderTime) });
  }

  /** The debuggers of a browser, which pushes take care of. */
  debuggersOf(session: BrowserSession): WorkerDebuggers {
    return this.#of(session).debuggers;
  }

  /** Has the errors of an extension that was just pushed, perhaps by another program, reported as long as there is a connection. */
  watchErrors(session: BrowserSession, extensionId: string, isByOther = false): void {
    const { link, watched } = this.#of(session);
    watched.add(extensionId);
    if (link?.isOpen) void link.watchErrors(extensionId, true, isByOther);
  }

  /** Drops the record of `path`: what runs there is no longer certain. */
  dropBuild(session: BrowserSession, path: string): void {
    this.#of(session).builds.delete(path);
  }

  /**
   * The folder for the next build at `path`, which is the caller's from now on; undefined when there is none. Of one that is not expected to
   * run any more, it is only good for being removed.
   */
  async takeSpare(session: BrowserSession, path: string): Promise<Spare | undefined> {
    const { spares } = this.#of(session);
    const spare = spares.get(path);
    spares.delete(path);
    return await spare;
  }

  /** Keeps a folder for the next build at `path`. `spare` must not reject. */
  keepSpare(session: BrowserSession, path: string, spare: Promise<Spare | undefined>): void {
    this.#of(session).spares.set(path, spare);
  }

  /** Closes the connection to a browser, so that the session can go to standby. */
  close(session: BrowserSession): void {
    close(this.#of(session));
  }

  dispose(): void {
    for (const browser of this.#browsers.values()) close(browser);
    this.#browsers.clear();
  }

  async #open(browser: BrowserState, session: BrowserSession, signal: AbortSignal | undefined): Promise<void> {
    // While there was no connection, the browser may have changed or restarted.
    browser.builds.clear();
    const { events } = this;
    const link = await BrowserLink.open(
      devToolsAddress(session.cdp_ws_url, this.service),
      {
        onLost: () => events.onLost?.(session),
        onExtensions: () => events.onExtensions?.(session),
        onPages: () => events.onPages?.(session),
        onWorker: (id) => events.onWorker?.(session, id),
        // Who takes no errors needs no connection for them.
        ...(events.onErrors && { onErrors: (report) => events.onErrors?.(session, report) }),
        onWorkerError: (error) => events.onWorkerError?.(session, error),
      },
      signal,
      browser.debuggers,
      this.parts,
    );
    browser.link = link;
    browser.session = session;
    // Developer mode is switched on at first contact, so that a reload can be requested as soon as the files are in place.
    void link.prepare();
    for (const id of browser.watched) void link.watchErrors(id, false);
  }

  /** Chromium's event of a load may come late; the folder's time shows new files at once, but not a load of the same files. */
  async #state(
    session: BrowserSession,
    { extensionId }: KnownBuild,
    folderTime: FolderTime,
  ): Promise<BuildState | undefined> {
    const [loads, time] = await Promise.all([
      this.use(session, (link) => link.loads(extensionId)).catch(() => undefined),
      folderTime(),
    ]);
    return loads === undefined || time === undefined ? undefined : { loads, time };
  }

  #of({ session_id }: BrowserSession): BrowserState {
    const browser = this.#browsers.get(session_id) ?? new BrowserState();
    this.#browsers.set(session_id, browser);
    return browser;
  }

  #closeWhenIdle(browser: BrowserState): void {
    const idleMs = this.idleMs();
    if (!Number.isFinite(idleMs)) return;
    const act = (): void => {
      close(browser);
    };
    browser.idle = this.parts.clock.after(idleMs, act).unref();
  }
}

function close(browser: BrowserState): void {
  browser.idle?.clear();
  browser.link?.close();
  browser.link = undefined;
}
