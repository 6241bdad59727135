import type { DevToolsAddress } from '../service/devToolsAddress';
import type { ForwardOptions } from './forward';

/** What a bridge needs to know. */
export interface BridgeOptions {
  /** The address of the browser's DevTools now; undefined when the browser has ended for good. */
  address: () => Promise<DevToolsAddress | undefined>;
  /** The ports of this machine that the browser may reach. */
  ports: readonly number[];
  /** The extensions that may ask, besides the pages of the ports themselves. */
  extensionIds: readonly string[];
  /** The folder of the requests that carry websockets, when code that runs already knows it; a new one by itself. */
  folder?: string;
  /**
   * Whether code of the browser is debugged now: its workers are left alone then, source maps stay in what is answered, and a page whose code asks for
   * nothing may stand at a breakpoint.
   */
  isDebugged?: () => boolean;
  /** Awaited before a message of a server's websocket is handed over: the files that it speaks of must have arrived in the browser. */
  beforeMessage?: () => Promise<void>;
  log: { debug: (text: string) => void };
  forward?: ForwardOptions;
}
