import { Bridge } from '../../src/bridge/bridge';
import type { BridgedRequest } from '../../src/bridge/requestLog';
import type { ConnectionWiring } from '../../src/devtools/protocol/connect';
import { type Answering, DEV_SERVER_HOST, DevServer } from '../standins/devServer';
import { addressOf } from '../support/devToolsAddress';
import { eventually } from '../support/eventually';
import { DevTools, type Target } from './devtools';
import { ExtensionStage } from './extensionStage';

/** How long something may take, in milliseconds. */
export const SOON_MS = 20_000;

/** How long a server may take to answer, in milliseconds, until a request is answered without it. */
const ANSWER_LIMIT_MS = 5000;

/** A page of the browser, and what attaches to it. */
export interface OpenPage {
  targetId: string;
  page: Target;
}

/** A browser, an extension in it, and a development server that the browser only reaches by a bridge. */
export class BridgeStage {
  /** The bridge that was started last. */
  bridge: Bridge | undefined;
  /** The id of the extension that was loaded last, which may ask. */
  #id = '';

  private constructor(
    readonly extensions: ExtensionStage,
    readonly devtools: DevTools,
    readonly server: DevServer,
  ) {}

  static async start(answering?: Answering): Promise<BridgeStage> {
    const extensions = await ExtensionStage.start();
    const { devToolsUrl } = await extensions.client.getBrowser(extensions.browserId);
    return new BridgeStage(extensions, await DevTools.connect(devToolsUrl), await DevServer.start(answering));
  }

  /** Loads an extension, with a page `plain.html` without scripts; resolves to its id. */
  async load(keys: object = {}, worker = '', files: Record<string, string> = {}): Promise<string> {
    const all = { 'plain.html': '<title>Plain</title>', ...files };
    const { id } = await this.extensions.load(keys, worker, undefined, all);
    this.#id = id;
    return id;
  }

  /** Starts a bridge to the server; what the server has received before is forgotten. */
  async startBridge(
    options: { extensionIds?: string[]; wiring?: ConnectionWiring; answerLimitMs?: number } = {},
  ): Promise<Bridge> {
    const { devToolsUrl } = await this.extensions.client.getBrowser(this.extensions.browserId);
    this.bridge = await Bridge.start(
      {
        address: () => Promise.resolve(addressOf({ devToolsUrl })),
        ports: [this.server.port],
        extensionIds: options.extensionIds ?? [this.#id],
        log: { debug: () => undefined },
        forward: { host: DEV_SERVER_HOST, answerLimitMs: options.answerLimitMs ?? ANSWER_LIMIT_MS },
      },
      options.wiring,
    );
    this.server.received.length = 0;
    return this.bridge;
  }

  /** Closes the bridge. */
  stop(): void {
    this.bridge?.close();
    this.bridge = undefined;
  }

  /** Opens a page, and waits until it is loaded. */
  async open(url: string): Promise<OpenPage> {
    const targetId = String((await this.devtools.result('Target.createTarget', { url }))['targetId']);
    const page = await this.devtools.attachTo(targetId);
    const isLoaded = async (): Promise<unknown> =>
      page.evaluate(`location.href === ${JSON.stringify(url)} && document.readyState === 'complete'`);
    await eventually(`${url} is loaded`, async () => (await isLoaded()) === true, SOON_MS);
    return { targetId, page };
  }

  /** Opens the page of the extension that has no scripts. */
  plain(): Promise<OpenPage> {
    return this.open(`chrome-extension://${this.#id}/plain.html`);
  }

  /** What a request of a page gives: status and text of the answer, or the name of the error. */
  async ask(page: Target, path: string, options = ''): Promise<unknown> {
    return page.evaluate(
      `fetch('${this.server.origin}${path}'${options}).then(async (answer) => answer.status + ' ' + (await answer.text()), (error) => error.name)`,
    );
  }

  /** The requests that were refused or failed, by their paths. */
  refusals(): Record<string, BridgedRequest['outcome']> {
    return Object.fromEntries(
      (this.bridge?.requests.latest ?? [])
        .filter(({ outcome }) => typeof outcome === 'string')
        .map(({ address, outcome }) => [new URL(address).pathname, outcome]),
    );
  }

  async end(): Promise<void> {
    this.stop();
    this.devtools.close();
    await this.server.close();
    await this.extensions.end();
  }
}
