import type { ConsoleHost } from './consoleTarget';
import { LINES_A_SECOND, StormLimit } from './stormLimit';

/** Longest message that waits until the end of a second, in characters. */
const MAX_WAITING = 64 * 1024;

const LINES = ['Runtime.consoleAPICalled', 'Runtime.exceptionThrown', 'Log.entryAdded'];

/** The events of requests that are needed. */
const REQUESTS = ['Network.requestWillBeSent', 'Network.responseReceived', 'Network.loadingFailed'];

/**
 * Sorts out the messages of a browser before they are parsed, which takes most of their time: those that are about web pages alone, and
 * what is too much of a storm.
 */
export class ConsoleTraffic {
  /** The attached targets by their sessions. */
  readonly targets = new Map<string, { readonly isOwn: boolean }>();
  readonly #origin: string;
  readonly #storm: StormLimit<string>;
  #pass: (message: string) => void = () => undefined;

  constructor(host: ConsoleHost) {
    this.#origin = `chrome-extension://${host.extensionId}/`;
    this.#storm = new StormLimit({
      ...LINES_A_SECOND,
      mayWait: ({ length }) => length <= MAX_WAITING,
      pass: (message) => {
        this.#pass(message);
      },
      onDropped: host.addDropped,
    });
  }

  /** Decides about a message: `pass` is called with it at once, later, or never. */
  readonly filter = (message: string, pass: (message: string) => void): void => {
    this.#pass = pass;
    const [, method = ''] = /^\{"method":"([\w.]+)"/.exec(message) ?? [];
    if (LINES.includes(method)) {
      if (!this.#isForeign(message)) this.#storm.push(message);
    } else if (!method.startsWith('Network.')) {
      pass(message);
    } else if (REQUESTS.includes(method) && !(method === REQUESTS[0] && this.#isForeign(message))) {
      pass(message);
    }
  };

  dispose(): void {
    this.#storm.dispose();
  }

  /** In a web page, a message of the extension names one of its scripts, or a file of it. */
  #isForeign(message: string): boolean {
    const [, session = ''] = /"sessionId":"(\w+)"\}$/.exec(message.slice(-60)) ?? [];
    return this.targets.get(session)?.isOwn !== true && !message.includes(this.#origin);
  }
}
