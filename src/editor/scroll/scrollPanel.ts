import * as l10n from '@vscode/l10n';
import { randomBytes } from 'node:crypto';
import { commands, Disposable, env, Uri, ViewColumn, window, type WebviewPanel } from 'vscode';
import { SCROLL_PANEL } from '../../ids';
import { scrollPage } from '../../scroll/page';
import { isPageMessage, KEYSYMS, type HostMessage, type PageMessage } from '../../scroll/protocol';
import { scrollTexts } from '../../scroll/texts';
import { ServiceError } from '../../service/errors';
import { DEFAULT_VIEWPORT, type BrowserSession } from '../../service/model';
import { browserLabel } from '../lists/labels';
import type { Log } from '../log';
import { sentenceFor } from '../messages';
import type { ServiceConnection } from '../service/connection';

/** How long after the last scroll the picture is taken, so that smooth scrolling has come to rest, in milliseconds. */
const SETTLE_MS = 150;

export interface ScrollPanelOptions {
  session: BrowserSession;
  connection: ServiceConnection;
  log: Log;
  extensionUri: Uri;
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

  reveal(): void {
    this.#panel.reveal();
  }

  /** Something outside the panel scrolled this browser. */
  refresh(): void {
    this.#pictureSoon();
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
        await commands.executeCommand('workbench.action.focusActiveEditorGroup');
        return;
      case 'choose': {
        const session = await this.#options.choose();
        if (!session) return;
        this.#session = session;
        this.#isGone = false;
        this.#panel.title = this.#title();
        await this.#showSession();
        return;
      }
      default:
        message satisfies never;
    }
  }

  async #showSession(): Promise<void> {
    const { width, height } = this.#session.viewport ?? DEFAULT_VIEWPORT;
    await this.#post({ kind: 'ready', browser: browserLabel(this.#session), screen: { width, height } });
    await this.#takePicture();
  }

  async #scroll({ id, x, y, right, down, hold }: Extract<PageMessage, { kind: 'scroll' }>): Promise<void> {
    const started = performance.now();
    try {
      const client = await this.#options.connection.client();
      await client.scroll(this.#session.session_id, {
        x,
        y,
        delta_x: right,
        delta_y: down,
        ...(hold.length > 0 ? { hold_keys: hold.map((key) => KEYSYMS[key]) } : {}),
      });
      await this.#post({ kind: 'scrolled', id, milliseconds: performance.now() - started });
      this.#pictureSoon();
    } catch (error) {
      await this.#post({ kind: 'failed', id, message: sentenceFor(error) ?? String(error) });
      await this.#tellGone(error);
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
      const sentence = sentenceFor(error) ?? String(error);
      this.#options.log.warn(`Scroll controls: no picture: ${sentence}`);
      if (!(await this.#tellGone(error))) await this.#post({ kind: 'notice', message: sentence, gone: false });
    } finally {
      this.#picturing = false;
    }
  }

  #mayRepeat(): boolean {
    return this.#pictureAgain && this.#panel.visible;
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
