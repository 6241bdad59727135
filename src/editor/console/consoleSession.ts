import * as l10n from '@vscode/l10n';
import { posix } from 'node:path';
import { realClock, type Clock } from '../../base/clock';
import type { BrowserConsole } from '../../console/browserConsole';
import type { ConsoleFeed } from '../../console/consoleFeed';
import type { BrowserService } from '../../service/browserService';
import type { Browser } from '../../service/model';
import type { Log } from '../channelLog';
import { pagesOf, readManifest } from '../../manifest/namedPages';
import type { BuildFolders } from '../../console/errorSpots';
import type { ConsoleOutput } from './consoleOutput';

/** Pauses before each attempt to connect again, in milliseconds; the last is repeated. */
const RETRY_MS = [250, 500, 1000, 2000, 5000, 10_000];

/** Where two connections in a row were lost within this time, the next one is made only after as long a pause, in milliseconds. */
const SHORT_LIFE_MS = 1000;

/** What pages are for, by the keys of the manifest that name them. */
const PAGE_NAMES: Readonly<Record<string, () => string>> = {
  'action.default_popup': () => l10n.t('popup'),
  'browser_action.default_popup': () => l10n.t('popup'),
  'page_action.default_popup': () => l10n.t('popup'),
  'options_ui.page': () => l10n.t('options'),
  options_page: () => l10n.t('options'),
  'side_panel.default_path': () => l10n.t('side panel'),
  devtools_page: () => l10n.t('DevTools page'),
};

/** What a console uses of the window. */
interface SessionWiring {
  connection: { key: string; client: () => Promise<Pick<BrowserService, 'baseUrl' | 'findBrowser'>> };
  log: Pick<Log, 'debug'>;
}

/** The build that a console is of, and the browser that runs it. */
export interface ConsoleBuild extends BuildFolders {
  browser: Browser;
}

/** The console of the pushed extension in one browser, from its start to its end. */
export class ConsoleSession {
  #pages = new Map<string, string>();
  #console: BrowserConsole | undefined;
  #feed: ConsoleFeed | undefined;
  #isFollowing = false;
  /** Whether the user has chosen the extension, of several in the browser. */
  #isChosen = false;
  /** Identifies the service of the browser. */
  readonly #service: string;
  readonly #end = new AbortController();
  readonly #shown = new Map<string, number>();

  /** `onEnd` is called once, however it ends. */
  constructor(
    private readonly wiring: SessionWiring,
    private readonly output: Pick<ConsoleOutput, 'note' | 'prefixOf' | 'setAttached' | 'write'>,
    private build: ConsoleBuild,
    private readonly onEnd: () => void,
    private readonly clock: Clock = realClock,
  ) {
    this.#service = wiring.connection.key;
  }

  get browser(): Browser {
    return this.build.browser;
  }

  /**
   * Whether it is of the browser with this id of the service in use, and of this extension there: another service may have one of the same id,
   * and other extensions in the browser are not shown.
   */
  isOf(browserId: string, extensionId = this.build.extensionId): boolean {
    const isInUse = this.wiring.connection.key === this.#service;
    return isInUse && this.browser.id === browserId && this.build.extensionId === extensionId;
  }

  /**
   * Attaches to the browser, unless it is stopped meanwhile.
   * @throws DevToolsError, or an error of the service; the console has ended then
   */
  async start(): Promise<void> {
    try {
      await this.#open(this.browser);
    } catch (error) {
      // It was stopped meanwhile, which `stop` has said.
      if (this.#end.signal.aborted) return;
      this.#finish();
      throw error;
    }
    if (this.#end.signal.aborted) return;
    this.output.note(
      this.browser,
      'warn',
      l10n.t(
        'The console is started. It keeps the service worker of the extension awake. "Sideload: Stop Console" ends it.',
      ),
    );
    void this.#watch();
  }

  /** The service describes the browser like this now: what is written from now on has its present name. */
  describe(browser: Browser): void {
    this.build = { ...this.build, browser };
  }

  /** The user has chosen the extension of this build: pushes of others do not change which one is shown. */
  choose(build: ConsoleBuild): void {
    this.#isChosen = true;
    if (build.extensionId !== this.build.extensionId) this.#take(build);
  }

  /** A push has put another build into the browser. */
  follow(build: ConsoleBuild): void {
    if (this.#isChosen && build.extensionId !== this.build.extensionId) return;
    this.#take(build);
  }

  #take(build: ConsoleBuild): void {
    const { extensionId } = this.build;
    this.build = build;
    if (build.extensionId === extensionId) {
      void this.#readBuild();
      return;
    }
    this.#isFollowing = true;
    this.#console?.close();
  }

  /** Ends it and writes why; by itself, that somebody has stopped it. */
  stop(reason = l10n.t('The console is stopped.')): void {
    if (this.#end.signal.aborted) return;
    this.#feed?.flush();
    this.#finish();
    this.output.note(this.browser, 'warn', reason);
  }

  #finish(): void {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    this.#console?.close();
    this.#feed?.dispose();
    this.output.setAttached(this, false);
    this.onEnd();
  }

  /** Connects again whenever the connection is lost, as long as the browser exists; while another service is in use, it waits. */
  async #watch(): Promise<void> {
    const { signal } = this.#end;
    let shortLives = 0;
    while (!signal.aborted) {
      const began = this.clock.now();
      await this.#console?.ended;
      if (signal.aborted) return;
      this.output.setAttached(this, false);
      const isLost = !this.#isFollowing;
      this.#isFollowing = false;
      if (isLost) {
        this.output.note(
          this.browser,
          'warn',
          l10n.t('The browser has restarted or the connection was lost. The console connects again by itself.'),
        );
      }
      shortLives = isLost && this.clock.now() - began < SHORT_LIFE_MS ? shortLives + 1 : 0;
      if (shortLives > 1) await this.clock.delay(SHORT_LIFE_MS, { ref: false, signal }).catch(() => undefined);
      await this.#openAgain();
      if (isLost && !signal.aborted) this.output.note(this.browser, 'info', l10n.t('Connected again.'));
    }
  }

  async #openAgain(): Promise<void> {
    const { signal } = this.#end;
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        const browser = await this.#find();
        if (!browser) {
          this.stop(l10n.t('The browser has ended, and so has its console. Run the extension in another one.'));
          return;
        }
        this.describe(browser);
        await this.#open(browser);
        return;
      } catch (error) {
        this.wiring.log.debug(`The console of ${this.browser.id} is not connected yet: ${String(error)}`);
        const pauseMs = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 0;
        await this.clock.delay(pauseMs, { ref: false, signal }).catch(() => undefined);
      }
    }
  }

  /**
   * The browser as its service describes it now; undefined when it has ended.
   * @throws Error while another service is in use, which does not know the browser, or may have one of the same id; ServiceError and others
   */
  async #find(): Promise<Browser | undefined> {
    this.#requireService();
    const client = await this.wiring.connection.client();
    const browser = await client.findBrowser(this.browser.id, this.#end.signal);
    this.#requireService();
    return browser;
  }

  #requireService(): void {
    if (this.wiring.connection.key !== this.#service) throw new Error('another service is in use');
  }

  async #open(browser: Browser): Promise<void> {
    const { signal } = this.#end;
    const [client, { devToolsAddress }, { BrowserConsole }, { ConsoleFeed }] = await Promise.all([
      this.wiring.connection.client(),
      import('../../service/devToolsAddress'),
      import('../../console/browserConsole'),
      import('../../console/consoleFeed'),
    ]);
    signal.throwIfAborted();
    const address = devToolsAddress(browser.devToolsUrl, client.baseUrl);
    this.#feed ??= new ConsoleFeed((line) => this.output.write(this.browser, line));
    const feed = this.#feed;
    await this.#readBuild();
    const { extensionId } = this.build;
    this.#console = await BrowserConsole.open(
      address,
      {
        extensionId,
        pageName: (path) => this.#pages.get(path),
        push: feed.push,
        addDropped: feed.addDropped,
        shown: this.#shown,
      },
      signal,
    );
    // It may have ended, or another build may have come, while it was connected.
    if (signal.aborted || this.build.extensionId !== extensionId) this.#console.close();
    else this.output.setAttached(this, true);
  }

  /** Reads what the files of the build say: they may differ from those of the build before. */
  async #readBuild(): Promise<void> {
    const { extensionId, folder, root } = this.build;
    const [{ SourceLocations }, manifest] = await Promise.all([
      import('../../console/sourceLocations'),
      readManifest(folder).catch(() => undefined),
    ]);
    this.#feed?.useLocations(new SourceLocations(extensionId, this.build, this.output.prefixOf(root)));
    const named = pagesOf(manifest).flatMap(({ key, path }): [string, string][] => {
      const name = PAGE_NAMES[key]?.();
      return name === undefined ? [] : [[pathOf(path), name]];
    });
    this.#pages = new Map(named);
  }
}

/** A path of the manifest as it stands in the address of the page. */
function pathOf(path: string): string {
  const [file = ''] = path.split(/[?#]/, 1);
  return posix.normalize(file).replace(/^\//, '');
}
