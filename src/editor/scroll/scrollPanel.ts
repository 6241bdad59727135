import * as l10n from '@vscode/l10n';
import { randomBytes } from 'node:crypto';
import { Disposable, env, Uri, ViewColumn, window, type WebviewPanel } from 'vscode';
import { SCROLL_PANEL } from '../../ids';
import { scrollPage } from '../../scroll/page';
import { isPageMessage, type End, type HostMessage, type PageMessage } from '../../scroll/protocol';
import { scrollTexts } from '../../scroll/texts';
import { ServiceError } from '../../service/errors';
import type { BrowserSession } from '../../service/model';
import { browserLabel } from '../lists/labels';
import type { Log } from '../log';
import { sentenceFor } from '../messages';
import type { ServiceConnection } from '../service/connection';
import type { LastEditor } from './lastEditor';
import { screenOf, type ScrollChoices } from './scrollChoices';
import { goToEnd, turnWheel } from './scrolling';

/** How long after the last scroll the picture is taken, so that smooth scrolling has come to rest, in milliseconds. */
const SETTLE_MS = 150;

export interface ScrollPanelOptions {
  session: BrowserSession;
  connection: ServiceConnection;
  log: Log;
  extensionUri: Uri;
  choices: ScrollChoices;
  lastEditor: LastEditor;
  /** Asks for another browser; undefined when the user backs out. */
  choose: () => Promise<BrowserSession | undefined>;
  onClosed: () => void;
}

/**
 * The scroll controls of one browser: a page that asks, and this host that calls the service. The page names no command,
 * address or file; what it may ask for is `PageMessage`, and anything else is dropped.
 */
export class ScrollPanel implements Disposable {
  readonly #panel: WebviewPanel;
  readonly #options: ScrollPanelOptions;
  readonly #subscriptions: Disposable;
  #session: BrowserSession;
  #isGone = false;
  #settling: NodeJS.Timeout | undefined;
  #picturing = false;
  #pictureAgain = false;

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

    this.#subscriptions = Disposable.from(
      this.#panel.webview.onDidReceiveMessage((message: unknown) => {
        this.#receive(message);
      }),
      this.#panel.onDidDispose(() => {
        clearTimeout(this.#settling);
        this.#subscriptions.dispose();
        options.onClosed();
      }),
    );
    const { webview } = this.#panel;
    const address = (folder: string, file: string): string =>
      webview.asWebviewUri(Uri.joinPath(options.extensionUri, folder, file)).toString();
    webview.html = scrollPage({
      nonce: randomBytes(16).toString('hex'),
      scriptUri: address('dist', 'scroll.js'),
      styleUri: address('media', 'scroll.css'),
      cspSource: webview.cspSource,
      language: env.language,
      texts: scrollTexts(),
    });
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

  /** Takes a new picture after a moment, when something outside the panel has changed this browser. */
  refresh(): void {
    this.#pictureSoon();
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
    return l10n.t('Scroll {0}', browserLabel(this.#session));
  }

  #receive(message: unknown): void {
    if (!isPageMessage(message)) {
      this.#options.log.debug('The scroll page sent something that is not of its protocol; it is dropped.');
      return;
    }
    this.#answer(message).catch((error: unknown) => {
      this.#options.log.error(`Scroll controls: ${sentenceFor(error) ?? String(error)}`);
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
        await this.#takePicture();
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
        message satisfies never;
    }
  }

  async #showSession(): Promise<void> {
    await this.#showReady();
    await this.#takePicture();
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
      this.#pictureSoon();
    } catch (error) {
      await this.#post({ kind: 'failed', id, message: sentenceFor(error) ?? String(error) });
      await this.#tellGone(error);
    }
  }

  async #jump(to: End): Promise<void> {
    try {
      await goToEnd(await this.#options.connection.client(), this.#session, to);
      await this.#post({ kind: 'jumped', to });
      this.#pictureSoon();
    } catch (error) {
      await this.#tellFailure(error);
    }
  }

  #pictureSoon(): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      this.#takePicture().catch((error: unknown) => {
        this.#options.log.error(`Scroll controls: ${String(error)}`);
      });
    }, SETTLE_MS);
  }

  /** One picture at a time; a wish during one is fulfilled after it. None while the panel is hidden. */
  async #takePicture(): Promise<void> {
    if (this.#isGone || !this.#panel.visible) return;
    if (this.#picturing) {
      this.#pictureAgain = true;
      return;
    }
    this.#picturing = true;
    try {
      do {
        this.#pictureAgain = false;
        const client = await this.#options.connection.client();
        const png = await client.screenshot(this.#session.session_id);
        await this.#post({ kind: 'picture', base64: Buffer.from(png).toString('base64') });
      } while (this.#mayRepeat());
    } catch (error) {
      this.#options.log.warn(`Scroll controls: no picture: ${sentenceFor(error) ?? String(error)}`);
      await this.#tellFailure(error);
    } finally {
      this.#picturing = false;
    }
  }

  #mayRepeat(): boolean {
    return this.#pictureAgain && this.#panel.visible;
  }

  async #tellFailure(error: unknown): Promise<void> {
    if (await this.#tellGone(error)) return;
    await this.#post({ kind: 'notice', message: sentenceFor(error) ?? String(error), gone: false });
  }

  /** Switches the page off when `error` says that the browser is no longer there. */
  async #tellGone(error: unknown): Promise<boolean> {
    if (!(error instanceof ServiceError) || error.kind !== 'notFound') return false;
    this.#isGone = true;
    await this.#post({
      kind: 'notice',
      message: l10n.t('The browser {0} is gone. Choose another.', browserLabel(this.#session)),
      gone: true,
    });
    return true;
  }

  async #post(message: HostMessage): Promise<void> {
    await this.#panel.webview.postMessage(message);
  }
}
