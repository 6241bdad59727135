import * as l10n from '@vscode/l10n';
import { commands, Disposable } from 'vscode';
import type { RemoteScreen } from '../../devtools/screen/remoteScreen';
import { COMMANDS } from '../../ids';
import { handle, type Handlers } from '../../screen/messageGuard';
import { isPageMessage, type HostMessage, type PageMessage } from '../../screen/protocol';
import type { SizeName } from '../../screen/pageSizes';
import { ZoomWheel } from '../../screen/zoom';
import type { BrowserService } from '../../service/browserService';
import { ServiceError } from '../../service/serviceErrors';
import type { Browser } from '../../service/model';
import type { BrowserWiring } from '../browsers/browserWiring';
import { UserError } from '../errorTexts';
import { browserLabel } from '../lists/labels';
import { localhostPort } from '../localhost/localhostAddress';
import { sentenceFor } from '../messages';
import type { GivenFiles } from './givenFiles';
import type { LastEditor } from './lastEditor';
import { PanelFiles } from './panelFiles';
import type { PushTexts } from './pushTexts';
import { panelPage, type PanelHost } from './panelHost';
import { doRequest, isBrowserRequest, type BrowserRequest } from './screenRequests';
import { PagePart } from './pagePart';
import type { AllChoices, ScrollChoices } from './scrollChoices';
import { ScreenStream } from './screenStream';
import { streamSource } from './streamSource';
import { ServiceScreen, wholeScreenProblem } from './serviceScreen';

/** What a panel with a screen needs besides the wiring. */
interface ScrollPanelOptions {
  place: PanelHost;
  /** The browser to show, where that is known already. */
  first: Browser | undefined;
  /** Otherwise it is asked for once the page can show it. Undefined when the user has not chosen any. */
  browser: () => Promise<Browser | undefined>;
  /** The files that pages have got. */
  given: GivenFiles;
  choices: AllChoices;
  lastEditor: LastEditor;
  /** Asks for another browser; undefined when the user backs out. */
  choose: () => Promise<Browser | undefined>;
  onClosed: () => void;
  /** The page was created and shows the browser of a service, by `ServiceConnection.key`; again when it was hidden meanwhile. */
  onShown: (browser: Browser, service: string) => void;
}

/**
 * The screen of one browser: a page that asks, and this host that does it over DevTools, or through the service where DevTools cannot be
 * reached or the user has chosen the whole screen. The page names no command or file; what it may ask for is `PageMessage`, and anything else is dropped.
 */
export class ScrollPanel implements Disposable {
  readonly place: PanelHost;
  readonly #subscriptions: Disposable;
  readonly #stream: ScreenStream<RemoteScreen>;
  readonly #service: ServiceScreen;
  /** Its pictures and recordings. */
  readonly files: PanelFiles;
  readonly #context = {
    zoomWheel: new ZoomWheel(),
    post: (message: HostMessage) => this.#post(message),
    reach: async (address: string) => {
      if (!this.#browser || localhostPort(address) === undefined) return true;
      this.requireService();
      return await this.wiring.localhost.reach(this.#browser, address);
    },
  };
  /** What is done with the messages of the page that are about the panel. */
  readonly #handlers: Handlers<Exclude<PageMessage, BrowserRequest>> = {
    hello: (message) => this.#greet(message),
    scroll: (message) =>
      this.#browser && this.#service.turn({ ...message, ...this.#choices.pixelAt(this.#browser, message) }),
    refresh: () => this.#service.still.take(),
    leave: () => this.options.lastEditor.focus(),
    jump: (message) => this.#browser && this.#service.jump(message),
    chosen: (message) => this.#browser && this.#choices.set(this.#browser, message),
    choose: () => this.choose(),
    drawn: ({ id }) => this.#stream.drawn(id),
    look: () => this.#stream.look(),
    area: (area) => this.#stream.showIn(area),
    size: async ({ size }) => {
      await this.#stream.resize(size === 'window' ? undefined : size);
      await this.#part.note(this.#stream.size);
    },
    whole: ({ isOn }) => this.setWhole(isOn),
    savePicture: () => this.files.savePicture(),
    openPopup: () => {
      this.requireService();
      return commands.executeCommand(COMMANDS.openPopup, { browser: this.#browser?.id });
    },
    recorded: (message) => this.files.recordings.add(message.bytes, message),
  };
  #browser: Browser | undefined;
  /** Identifies the service of that browser. */
  #serviceKey: string;
  #isGone = false;
  /** Whether the user wants the whole screen where the service can show it; undefined until that is known. */
  #isWhole: boolean | undefined;
  /** The size that was chosen outside of the page, until the page has it. */
  #chosenSize: Extract<HostMessage, { kind: 'size' }> | undefined;
  readonly #part = new PagePart({
    choices: () => this.#choices,
    browser: () => this.#browser,
    post: async (message) => {
      if (this.#page !== 0) await this.#post(message);
    },
  });
  /** The page that has said hello last. */
  #page = 0;

  constructor(
    private readonly wiring: BrowserWiring,
    private readonly options: ScrollPanelOptions,
  ) {
    const { connection, log, context } = wiring;
    const { place } = options;
    this.place = place;
    this.#browser = options.first;
    this.#serviceKey = connection.key;
    this.#showTitle();
    const client = async (): Promise<BrowserService> => await this.requireService().client();
    this.#stream = new ScreenStream({
      ...streamSource(wiring, client),
      log,
      isVisible: () => place.isVisible,
      isWhole: () => this.#isWhole === true && this.#offersWhole,
      post: async (message) => {
        await this.#post(message);
        if (message.kind === 'stream') await this.#part.note(this.#stream.size);
      },
      onGone: () => this.#showGone(),
      onFileChooser: (page, chooser) => {
        this.#run(this.files.give(page, chooser).catch((error: unknown) => this.#tellFailure(error)));
      },
      onStill: async (when) => (when === 'now' ? await this.#service.still.take() : this.#service.still.takeSoon()),
    });
    this.#service = new ServiceScreen({
      client,
      browser: () => this.#browser,
      isShown: () => !this.#isGone && place.isVisible && this.#stream.isByService && this.#stream.hasPictures,
      post: (message) => this.#post(message),
      onFailure: (error, how) => this.#tellFailure(error, how),
    });
    this.files = new PanelFiles({
      storage: context.globalStorageUri,
      client,
      given: options.given,
      browser: () => this.#browser,
      screen: () => this.screen,
      isByService: () => this.#stream.isByService,
      post: (message) => this.#post(message),
    });
    this.#subscriptions = Disposable.from(
      this.#stream,
      this.#service,
      this.files.recordings,
      place.onDidChangeVisibility(() => {
        this.#stream.visibilityChanged();
        this.#run(this.#part.note(this.#stream.size));
        if (place.isVisible) return;
        this.#service.drop();
        this.#run(this.files.hidden());
      }),
      place.webview.onDidReceiveMessage((message: unknown) => this.#receive(message)),
      place.onDidDispose(() => {
        this.#run(this.files.hidden());
        this.#subscriptions.dispose();
        this.#part.forget();
        options.onClosed();
      }),
    );
    place.webview.html = panelPage(place, context.extensionUri);
  }

  /** The browser that it shows; undefined while there is none. */
  get browser(): Browser | undefined {
    return this.#browser;
  }

  /** Whether its browser is one of the service in use: another service may have a browser of the same id. */
  get isOfService(): boolean {
    return this.wiring.connection.key === this.#serviceKey;
  }

  /** What connects to the service of its browser. @throws UserError while another service is in use */
  requireService(): BrowserWiring['connection'] {
    if (this.isOfService) return this.wiring.connection;
    throw new UserError(
      l10n.t('This screen is of a browser of another service. Choose that service again, or close the screen.'),
    );
  }

  /** Whether it shows the browser with this id of the service in use. */
  shows(browserId: string): boolean {
    return this.#browser?.id === browserId && this.isOfService;
  }

  /** The live connection to the browser; undefined while there is none. */
  get screen(): RemoteScreen | undefined {
    return this.#stream.screen;
  }

  /** Shows what the browser shows now, when something outside the panel may have changed it. */
  refresh(): void {
    this.#stream.look();
    this.#service.still.takeSoon();
  }

  /** Shows what a push to the browser has done, or what runs there. */
  showPush({ mark, line, isRunning }: PushTexts): void {
    this.refresh();
    void this.#post({ kind: 'build', text: mark, line, isRunning });
  }

  /** Whether the browser that it shows has ended. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** The browser has left the list: checks whether it has ended. */
  checkGone(): void {
    if (!this.#isGone) this.#run(this.#stream.checkGone());
  }

  /** Does in the browser what the page could ask for. Rejects where there is no live connection. */
  async request(request: BrowserRequest): Promise<void> {
    const { screen } = this.#stream;
    if (screen) await doRequest(request, { screen, ...this.#context });
  }

  /** Shows the whole screen, or the page; the other one without an argument. The browser's page alone where the service has no more. */
  async setWhole(isWhole = this.#isWhole !== true): Promise<void> {
    this.#isWhole = isWhole;
    this.#service.drop();
    await this.#postWhole();
    await this.#stream.restart();
  }

  /** Chooses a size of the page, which the page keeps. */
  async chooseSize(size: SizeName, isRotated: boolean): Promise<void> {
    this.#chosenSize = { kind: 'size', size, isRotated };
    if (this.#page !== 0) await this.#postSize();
  }

  /** Shows the point and the keys after they were set outside of the page. */
  async showChoice(): Promise<void> {
    if (!this.#isGone && this.#browser) await this.#showReady(this.#browser);
  }

  /** Lets the user choose another browser for this panel. */
  async choose(): Promise<void> {
    const service = this.wiring.connection.key;
    await this.show(await this.options.choose(), service);
  }

  /** Shows another browser, of the service with this key; nothing changes without one. */
  async show(browser: Browser | undefined, service = this.wiring.connection.key): Promise<void> {
    if (!browser) return;
    if (browser.id !== this.#browser?.id || service !== this.#serviceKey) await this.files.leave();
    this.#browser = browser;
    this.#serviceKey = service;
    this.#isGone = false;
    // A page that has not said hello yet shows it when it does.
    if (this.#page !== 0) await this.#showBrowser();
  }

  dispose(): void {
    this.place.dispose();
  }

  /** Disposes of the panel when the window ends, which can ask for no file any more. */
  end(): void {
    this.files.recordings.dispose();
    this.dispose();
  }

  #receive(message: unknown): void {
    if (!isPageMessage(message)) {
      this.wiring.log.debug('The page of the screen sent something that is not of its protocol; it is dropped.');
      return;
    }
    this.#run(this.#answer(message));
  }

  /** Shows what the person can do about a failure, and logs any other. */
  #run(task: Promise<unknown>): void {
    task.catch(async (error: unknown) => {
      this.wiring.log.error(`Screen: ${sentenceFor(error) ?? String(error)}`);
      if (error instanceof UserError) await this.#post({ kind: 'notice', message: error.message, gone: false });
    });
  }

  async #answer(message: PageMessage): Promise<void> {
    if (!isBrowserRequest(message)) {
      await handle(this.#handlers, message);
      return;
    }
    this.#stream.look();
    if (!this.#stream.isByService || !(await this.#service.input(message))) await this.request(message);
  }

  async #greet({ page, isWhole }: Extract<PageMessage, { kind: 'hello' }>): Promise<void> {
    this.#page = page;
    this.#isWhole ??= isWhole;
    const problem = this.#browser ? undefined : await this.#findBrowser();
    await this.#postSize();
    await this.#showBrowser(problem);
  }

  /** Asks for the browser to show; one that is chosen meanwhile stays. Resolves to a sentence when that fails. */
  async #findBrowser(): Promise<string | undefined> {
    this.#serviceKey = this.wiring.connection.key;
    try {
      const found = await this.options.browser();
      this.#browser ??= found;
      return undefined;
    } catch (error) {
      const message = sentenceFor(error) ?? String(error);
      this.wiring.log.warn(`Screen: ${message}`);
      return message;
    }
  }

  #showTitle(): void {
    const name = this.#browser ? browserLabel(this.#browser) : '';
    this.place.setTitle(name === '' ? l10n.t('Screen') : l10n.t('Screen of {0}', name), name);
  }

  /** `problem`: why there is no browser to show, where that is one. */
  async #showBrowser(problem?: string): Promise<void> {
    const browser = this.#browser;
    this.#showTitle();
    if (!browser) {
      const message = problem ?? l10n.t('Choose a browser to see its screen here.');
      await this.#post({ kind: 'notice', message, gone: true });
      return;
    }
    this.#service.drop();
    await this.#showReady(browser);
    await this.#postWhole();
    this.options.onShown(browser, this.#serviceKey);
    await this.#stream.begin(browser);
    await this.files.shown();
  }

  async #showReady(browser: Browser): Promise<void> {
    const { point, hold } = this.#choices.get(browser);
    const [label, screen] = [browserLabel(browser), this.#choices.screenOf(browser)];
    await this.#post({ kind: 'ready', page: this.#page, browser: label, screen, point, hold });
  }

  async #postSize(): Promise<void> {
    const size = this.#chosenSize;
    this.#chosenSize = undefined;
    if (size) await this.#post(size);
  }

  get #choices(): ScrollChoices {
    return this.options.choices.of(this.#serviceKey);
  }

  get #offersWhole(): boolean {
    const browser = this.#browser;
    if (browser === undefined || browser.devToolsUrl === '') return false;
    return wholeScreenProblem(browser, this.wiring.connection.isEmbedded) === undefined;
  }

  async #postWhole(): Promise<void> {
    await this.#post({ kind: 'whole', isOffered: this.#offersWhole, isOn: this.#isWhole === true });
  }

  async #tellFailure(error: unknown, { isTold } = { isTold: false }): Promise<void> {
    if ((await this.#tellGone(error)) || isTold) return;
    const message = sentenceFor(error) ?? String(error);
    this.wiring.log.warn(`Screen: ${message}`);
    if (error instanceof ServiceError && error.kind === 'unsupported' && error.operation === 'screenshot') {
      await this.#stream.showControls(message);
      return;
    }
    await this.#post({ kind: 'notice', message, gone: false });
  }

  /** Switches the page off when `error` says that the browser is no longer there. */
  async #tellGone(error: unknown): Promise<boolean> {
    if (!(error instanceof ServiceError) || error.kind !== 'notFound') return false;
    await this.#showGone();
    return true;
  }

  async #showGone(): Promise<void> {
    this.#isGone = true;
    this.#stream.end();
    const name = this.#browser ? browserLabel(this.#browser) : '';
    const message = l10n.t('The browser {0} is gone. Choose another.', name);
    await this.#post({ kind: 'notice', message, gone: true });
  }

  async #post(message: HostMessage): Promise<void> {
    await this.place.webview.postMessage(message);
  }
}
