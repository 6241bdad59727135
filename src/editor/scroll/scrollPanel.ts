import * as l10n from '@vscode/l10n';
import { Disposable, Uri, ViewColumn, window, type WebviewPanel } from 'vscode';
import type { RemoteScreen } from '../../devtools/remoteScreen';
import { SCROLL_PANEL } from '../../ids';
import { isPageMessage, type End, type HostMessage, type PageMessage } from '../../scroll/protocol';
import type { ScreenPageMessage } from '../../scroll/screenMessages';
import { ZoomWheel } from '../../scroll/zoom';
import { ServiceError } from '../../service/errors';
import type { BrowserSession } from '../../service/model';
import { browserLabel } from '../lists/labels';
import type { Log } from '../log';
import { sentenceFor } from '../messages';
import type { ServiceConnection } from '../service/connection';
import type { LastEditor } from './lastEditor';
import { panelPage } from './panelPage';
import type { PushTexts } from './pushTexts';
import { screenOf, type ScrollChoices } from './scrollChoices';
import { goToEnd, turnWheel } from './scrolling';
import { doRequest, type BrowserRequest } from './screenRequests';
import { Recordings, savePicture } from './screenFiles';
import { ScreenStream } from './screenStream';
import { StillPicture } from './stillPicture';

export interface ScrollPanelOptions {
  session: BrowserSession;
  connection: ServiceConnection;
  log: Log;
  extensionUri: Uri;
  /** Where recordings are until they are saved. */
  storage: Uri;
  choices: ScrollChoices;
  lastEditor: LastEditor;
  /** Asks for another browser; undefined when the user backs out. */
  choose: () => Promise<BrowserSession | undefined>;
  onClosed: () => void;
  /** The page was created and shows the browser; again when it was hidden meanwhile. */
  onShown: () => void;
}

/**
 * The screen of one browser: a page that asks, and this host that does it over DevTools, or through the service where DevTools cannot be
 * reached. The page names no command or file; what it may ask for is `PageMessage`, and anything else is dropped.
 */
export class ScrollPanel implements Disposable {
  readonly #panel: WebviewPanel;
  readonly #options: ScrollPanelOptions;
  readonly #subscriptions: Disposable;
  readonly #stream: ScreenStream;
  readonly #still: StillPicture;
  readonly #recordings: Recordings;
  readonly #zoomWheel = new ZoomWheel();
  #session: BrowserSession;
  #isGone = false;

  constructor(options: ScrollPanelOptions) {
    this.#options = options;
    this.#session = options.session;
    this.#panel = window.createWebviewPanel(
      SCROLL_PANEL,
      this.#title(),
      { viewColumn: ViewColumn.Beside, preserveFocus: false },
      {
        enableScripts: true,
        localResourceRoots: [Uri.joinPath(options.extensionUri, 'dist'), Uri.joinPath(options.extensionUri, 'media')],
      },
    );

    const { connection, log } = options;
    this.#stream = new ScreenStream({
      connection,
      log,
      session: () => this.#session,
      isVisible: () => this.#panel.visible,
      post: (message) => this.#post(message),
      onGone: () => this.#showGone(),
      onStill: () => this.#still.take(),
    });
    this.#still = new StillPicture({
      isWanted: () => !this.#isGone && this.#panel.visible && this.#stream.state === 'still',
      take: async () => {
        const png = await (await connection.client()).screenshot(this.#session.session_id);
        await this.#post({ kind: 'picture', bytes: new Uint8Array(png) });
      },
      onFailure: (error) => this.#tellFailure(error),
    });
    this.#recordings = new Recordings(options.storage, () => this.#session);
    this.#subscriptions = Disposable.from(
      this.#stream,
      this.#still,
      this.#recordings,
      this.#panel.onDidChangeViewState(() => {
        this.#stream.visibilityChanged();
      }),
      this.#panel.webview.onDidReceiveMessage((message: unknown) => {
        this.#receive(message);
      }),
      this.#panel.onDidDispose(() => {
        this.#subscriptions.dispose();
        options.onClosed();
      }),
    );
    this.#panel.webview.html = panelPage(this.#panel.webview, options.extensionUri);
  }

  /** The browser that it shows. */
  get session(): BrowserSession {
    return this.#session;
  }

  /** Whether it is the active editor of the window. */
  get isActive(): boolean {
    return this.#panel.active;
  }

  reveal(): void {
    this.#panel.reveal();
  }

  /** The live connection to the browser; undefined while there is none. */
  get screen(): RemoteScreen | undefined {
    return this.#stream.screen;
  }

  /** Shows what the browser shows now, when something outside the panel may have changed it. */
  refresh(): void {
    this.#stream.look();
    this.#still.takeSoon();
  }

  /** Shows what a push to the browser has done, or what runs there. */
  showPush({ mark, line }: PushTexts): void {
    this.refresh();
    void this.#post({ kind: 'build', text: mark, line });
  }

  /** The browser has left the list: looks whether it has ended. */
  lookForGone(): void {
    if (this.#isGone) return;
    this.#stream.lookForGone().catch((error: unknown) => {
      this.#options.log.debug(`Screen: ${sentenceFor(error) ?? String(error)}`);
    });
  }

  /** Does in the browser what the page could ask for. Rejects where there is no live connection. */
  async request(request: BrowserRequest): Promise<void> {
    const { screen } = this.#stream;
    const zoomWheel = this.#zoomWheel;
    if (screen) await doRequest(request, { screen, zoomWheel, post: (message) => this.#post(message) });
  }

  /** Shows the point and the keys after they were set outside of the page. */
  async showChoice(): Promise<void> {
    if (!this.#isGone) await this.#showReady();
  }

  /** Lets the user choose another browser for this panel. */
  async choose(): Promise<void> {
    const session = await this.#options.choose();
    if (!session) return;
    this.#session = session;
    this.#isGone = false;
    this.#panel.title = this.#title();
    await this.#showSession();
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #title(): string {
    return l10n.t('Screen of {0}', browserLabel(this.#session));
  }

  #receive(message: unknown): void {
    if (!isPageMessage(message)) {
      this.#options.log.debug('The page of the screen sent something that is not of its protocol; it is dropped.');
      return;
    }
    this.#answer(message).catch((error: unknown) => {
      this.#options.log.error(`Screen: ${sentenceFor(error) ?? String(error)}`);
    });
  }

  async #answer(message: PageMessage): Promise<void> {
    switch (message.kind) {
      case 'hello':
        await this.#showSession();
        return;
      case 'scroll':
        await this.#scroll(message);
        return;
      case 'refresh':
        await this.#still.take();
        return;
      case 'leave':
        await this.#options.lastEditor.focus();
        return;
      case 'jump':
        await this.#jump(message.to);
        return;
      case 'chosen':
        this.#options.choices.set(this.#session, message);
        return;
      case 'choose':
        await this.choose();
        return;
      default:
        await this.#answerLive(message);
    }
  }

  async #answerLive(message: ScreenPageMessage): Promise<void> {
    switch (message.kind) {
      case 'drawn':
        this.#stream.drawn(message.id);
        return;
      case 'look':
        this.#stream.look();
        return;
      case 'area':
        await this.#stream.showIn(message);
        return;
      case 'savePicture':
        await this.savePicture();
        return;
      case 'recorded':
        await this.#recordings.add(message.bytes, message.isLast);
        return;
      default:
        this.#stream.look();
        await this.request(message);
    }
  }

  /** Asks for a file and saves a picture of what the browser shows. */
  async savePicture(): Promise<void> {
    const live = this.#stream.screen?.page('page');
    const client = await this.#options.connection.client();
    const png = await (live?.picture() ?? client.screenshot(this.#session.session_id));
    await savePicture(png, this.#session);
  }

  async #showSession(): Promise<void> {
    await this.#showReady();
    this.#options.onShown();
    await this.#stream.begin();
  }

  async #showReady(): Promise<void> {
    const session = this.#session;
    const { point, hold } = this.#options.choices.get(session);
    await this.#post({ kind: 'ready', browser: browserLabel(session), screen: screenOf(session), point, hold });
  }

  async #scroll({ id, x, y, hold, ...ticks }: Extract<PageMessage, { kind: 'scroll' }>): Promise<void> {
    const started = performance.now();
    try {
      const client = await this.#options.connection.client();
      await turnWheel(client, this.#session, { point: { x, y }, hold }, ticks);
      await this.#post({ kind: 'scrolled', id, milliseconds: performance.now() - started });
      this.#still.takeSoon();
    } catch (error) {
      await this.#post({ kind: 'failed', id, message: sentenceFor(error) ?? String(error) });
      await this.#tellGone(error);
    }
  }

  async #jump(to: End): Promise<void> {
    try {
      await goToEnd(await this.#options.connection.client(), this.#session, to);
      await this.#post({ kind: 'jumped', to });
      this.#still.takeSoon();
    } catch (error) {
      await this.#tellFailure(error);
    }
  }

  async #tellFailure(error: unknown): Promise<void> {
    if (await this.#tellGone(error)) return;
    const message = sentenceFor(error) ?? String(error);
    this.#options.log.warn(`Screen: ${message}`);
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
    const message = l10n.t('The browser {0} is gone. Choose another.', browserLabel(this.#session));
    await this.#post({ kind: 'notice', message, gone: true });
  }

  async #post(message: HostMessage): Promise<void> {
    await this.#panel.webview.postMessage(message);
  }
}
