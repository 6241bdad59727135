import { AUTO_ATTACH } from '../devtools/protocol/attach';
import { connectDevTools, onDisconnected, type Connection, type Protocol } from '../devtools/protocol/connect';
import type { DevToolsAddress } from '../service/devToolsAddress';
import { ConsoleTarget, type ConsoleHost } from './consoleTarget';
import { ConsoleTraffic } from './consoleTraffic';

/** How often the objects of messages are freed in the browser, in milliseconds. */
const RELEASE_MS = 10_000;

/** The targets that the extension may run in. Popups, side panels and offscreen documents begin as `other`. */
const TARGETS = ['service_worker', 'page', 'background_page', 'other'].map((type) => ({ type }));

/** What a page may have besides: frames of other processes, and workers that it has started. */
const CHILDREN = ['iframe', 'worker'].map((type) => ({ type }));

/** Targets whose address is known from the beginning and never changes. */
const WORKERS = ['service_worker', 'worker'];

/**
 * The console of one extension in one browser, in all of its parts: over a connection of its own, because what is attached to automatically
 * is a state of the connection, which pushes change. While it is open, the extension's service worker does not go to sleep.
 */
export class BrowserConsole {
  /** By the ids of the targets. */
  readonly #targets = new Map<string, ConsoleTarget>();
  /** Resolves when the browser has ended or restarted, the connection broke, or `close` was called. */
  readonly ended: Promise<void>;

  private constructor(
    private readonly connection: Connection,
    private readonly traffic: ConsoleTraffic,
    private readonly host: ConsoleHost,
  ) {
    const release = setInterval(() => {
      for (const target of this.#targets.values()) target.releaseObjects();
    }, RELEASE_MS).unref();
    this.ended = new Promise((resolve) => {
      onDisconnected(connection, () => {
        clearInterval(release);
        traffic.dispose();
        resolve();
      });
    });
  }

  /**
   * Attaches to what runs and to what will.
   * @throws DevToolsError
   */
  static async open(address: DevToolsAddress, host: ConsoleHost, signal?: AbortSignal): Promise<BrowserConsole> {
    const traffic = new ConsoleTraffic(host);
    const opened = new BrowserConsole(await connectDevTools(address, signal, traffic.filter), traffic, host);
    try {
      await opened.#attach();
    } catch (error) {
      opened.close();
      throw error;
    }
    return opened;
  }

  close(): void {
    this.connection.dispose();
  }

  async #attach(): Promise<void> {
    const { connection } = this;
    connection.on('Target.attachedToTarget', this.#onAttached);
    connection.on('Target.targetInfoChanged', ({ targetInfo }: Protocol.Target.TargetInfoChangedEvent) => {
      this.#targets.get(targetInfo.targetId)?.update(targetInfo);
    });
    connection.on('Target.targetDestroyed', ({ targetId }: Protocol.Target.TargetDestroyedEvent) => {
      this.#targets.get(targetId)?.forget();
      this.#targets.delete(targetId);
    });
    await Promise.all([
      // For the addresses that targets come to have.
      connection.send('Target.setDiscoverTargets', { discover: true, filter: [...TARGETS, ...CHILDREN] }),
      connection.send('Target.setAutoAttach', { ...AUTO_ATTACH, filter: TARGETS }),
    ]);
  }

  readonly #onAttached = ({ sessionId, targetInfo }: Protocol.Target.AttachedToTargetEvent): void => {
    const session = this.connection.session(sessionId);
    if (!session) return;
    const target = new ConsoleTarget(session, targetInfo, this.host);
    const isWorker = WORKERS.includes(targetInfo.type);
    if (isWorker && !target.isOwn) {
      // Attached to, workers of other extensions would not go to sleep either.
      session.detach().catch(() => undefined);
      return;
    }
    this.#targets.set(targetInfo.targetId, target);
    this.traffic.targets.set(sessionId, target);
    onDisconnected(session, () => this.traffic.targets.delete(sessionId));
    target.enable();
    if (isWorker) {
      // Attached to, the target outlives the worker, and a debugger comes to its next start after the first statements.
      session.once('Inspector.targetCrashed', () => {
        session.detach().catch(() => undefined);
      });
      return;
    }
    session.on('Target.attachedToTarget', this.#onAttached);
    session.send('Target.setAutoAttach', { ...AUTO_ATTACH, filter: CHILDREN }).catch(() => undefined);
  };
}
