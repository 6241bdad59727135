import { EventEmitter } from 'node:events';
import { realClock } from '../base/clock';
import { type BrowserKey, browserKey } from '../service/browserKey';
import { devToolsAddress, type DevToolsAddress } from '../service/devToolsAddress';
import type { Browser } from '../service/model';
import { ServiceError } from '../service/serviceErrors';
import { Bridge } from './bridge';
import type { BridgeOptions } from './bridgeOptions';
import { hostsOf, withSocketShim } from './socketShim';

/** How often, while a browser cannot be reached, its service is asked whether it has ended, in milliseconds. */
const ASK_MS = 3000;

/** How long a browser that restarts may take until it is answered again, in milliseconds. */
const CONNECT_LIMIT_MS = 10_000;

/** What the bridges of a process share. */
export interface BridgesOptions extends Pick<BridgeOptions, 'log' | 'forward'> {
  /** The folder of the requests that carry websockets: see {@link BridgeOptions.folder}. */
  folder: string;
  /** Whether code of a browser is debugged: see {@link BridgeOptions.isDebugged}. */
  isDebugged?: (browser: Browser) => boolean;
  /** Awaited before a message of a server's websocket is handed to a browser: see {@link BridgeOptions.beforeMessage}. */
  beforeMessage?: (browser: Browser) => Promise<void>;
}

/** What is needed of the service of a browser. */
export interface BridgedService {
  readonly baseUrl: URL;
  /** @throws ServiceError */
  getBrowser(id: string): Promise<Browser>;
}

/** A browser that reaches servers of this machine. */
export interface Bridged {
  readonly key: BrowserKey;
  readonly browser: Browser;
  readonly bridge: Bridge;
}

/** Servers of this machine that the browsers of a push may reach. */
export interface BridgeGrant {
  /** The script, changed so that its websockets to the servers are carried. */
  withSockets(script: string): string;
  /** Begins to answer a browser. @throws DevToolsError, ServiceError as {@link LocalhostBridges.open} */
  open(browser: Browser): Promise<void>;
  /** Answers the extension in this folder, too; resolves when it does, also after a restart of the browser. */
  allow(browser: Browser, folder: string): Promise<void>;
}

interface BridgesEvents {
  /** A bridge has begun, changed or ended, or its browser is answered again, or no longer, or a server listens, or no longer. */
  change: [];
}

/** The bridges of a process, at most one for each browser. */
export class LocalhostBridges {
  readonly events = new EventEmitter<BridgesEvents>();
  readonly #all = new Map<BrowserKey, Bridged>();
  readonly #starting = new Map<BrowserKey, Promise<Bridge>>();

  constructor(private readonly options: BridgesOptions) {}

  /** The browsers that reach servers of this machine now. */
  get all(): readonly Bridged[] {
    return [...this.#all.values()];
  }

  /** The bridge of a browser; undefined without one. */
  of(service: { baseUrl: URL }, { id }: Pick<Browser, 'id'>): Bridge | undefined {
    return this.#all.get(browserKey(service.baseUrl, id))?.bridge;
  }

  /** What a push takes that may let its browsers reach these ports. */
  grant(service: BridgedService, ports: readonly number[]): BridgeGrant {
    const shim = { hosts: hostsOf(ports), folder: this.options.folder };
    return {
      withSockets: (script) => withSocketShim(script, shim),
      open: async (browser) => {
        await this.open(service, browser, ports);
      },
      allow: async (browser, folder) => {
        const bridge = this.of(service, browser);
        bridge?.expect(folder);
        await bridge?.whenConnected(CONNECT_LIMIT_MS);
      },
    };
  }

  /**
   * Lets a browser reach these ports, too.
   * @throws DevToolsError when DevTools does not reach the browser; ServiceError for an address that must not be connected to
   */
  async open(service: BridgedService, browser: Browser, ports: readonly number[]): Promise<Bridge> {
    const key = browserKey(service.baseUrl, browser.id);
    const bridge = await (this.#all.get(key)?.bridge ?? this.#starting.get(key) ?? this.#start(key, service, browser));
    const all = [...new Set([...bridge.ports, ...ports])].sort((a, b) => a - b);
    if (all.length > bridge.ports.length) {
      await bridge.update({ ports: all });
      this.events.emit('change');
    }
    return bridge;
  }

  /** Ends all, also those that are being started. */
  closeAll(): void {
    for (const starting of this.#starting.values()) {
      void starting.then(
        (bridge) => bridge.close(),
        () => undefined,
      );
    }
    for (const { bridge } of this.all) bridge.close();
  }

  #start(key: BrowserKey, service: BridgedService, browser: Browser): Promise<Bridge> {
    const { beforeMessage, isDebugged, ...options } = this.options;
    const starting = Bridge.start({
      ...options,
      address: addressOf(service, browser),
      ports: [],
      extensionIds: [],
      ...(isDebugged && { isDebugged: () => isDebugged(browser) }),
      ...(beforeMessage && { beforeMessage: () => beforeMessage(browser) }),
    })
      .then((bridge) => {
        this.#all.set(key, { key, browser, bridge });
        bridge.events.once('end', () => {
          this.#all.delete(key);
          this.events.emit('change');
        });
        bridge.events.on('connection', () => this.events.emit('change'));
        bridge.requests.events.on('servers', () => this.events.emit('change'));
        this.events.emit('change');
        return bridge;
      })
      .finally(() => this.#starting.delete(key));
    this.#starting.set(key, starting);
    return starting;
  }
}

/** Gives the address of a browser, whose service is asked now and then whether it has ended. */
function addressOf(service: BridgedService, browser: Browser): () => Promise<DevToolsAddress | undefined> {
  let asked = realClock.now();
  let { devToolsUrl } = browser;
  return async () => {
    if (realClock.now() - asked >= ASK_MS) {
      asked = realClock.now();
      try {
        ({ devToolsUrl } = await service.getBrowser(browser.id));
      } catch (error) {
        if (error instanceof ServiceError && error.kind === 'notFound') return undefined;
      }
    }
    return devToolsAddress(devToolsUrl, service.baseUrl);
  };
}
