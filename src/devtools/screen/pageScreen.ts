import { succeeds } from '../../base/succeeds';
import { realClock, type Clock, inTime } from '../../base/clock';
import type { ShownSize } from '../../screen/pageSizes';
import type { KeyStroke, MouseStroke } from '../../screen/strokes';
import { selectedText } from '../inPage/pageCalls';
import { attach } from '../protocol/attach';
import { onDisconnected, type CDPSession, type Connection, type Protocol } from '../protocol/connect';
import { peek } from '../protocol/evaluate';
import { callOf } from '../protocol/pageCall';
import { readFileField } from '../pages/fileField';
import type { FileField, PageDialog, PageEvents, PageHistory, PictureSize } from '../pages/pageModel';
import { PageSize } from './pageSize';
import { zoomOf } from './pageZoom';
import { keyEvent, mouseEvent } from './screenInput';
import { Screencast } from './screencast';

/** How long a page may take for one turn of the wheel, or a press, in milliseconds: behind a dialog it never answers (C-PAGE-DIALOG). */
const INPUT_LIMIT_MS = 1000;

/**
 * How long the answer to a setting of a page is waited for, in milliseconds: behind a dialog it never comes (C-PAGE-DIALOG-BEFORE). What is sent after it
 * comes after it in any case.
 */
const SETTING_LIMIT_MS = 300;

/** A page that is attached to, for its picture and for input. All of it ends with `close`, also a size that was set. */
export class PageScreen {
  /**
   * Ends when what was last chosen in its list or picker, or the end of that, or what was pasted or cut, has been sent. Inputs that were made after it
   * wait for that: a click that came before the keys of a choice would close the list, and Enter before a paste would send an empty form.
   */
  inputsWaitFor: Promise<unknown> = Promise.resolve();
  #isLoading = false;
  #document = '';
  #zoom = 100;
  readonly #size: PageSize;
  readonly #screencast: Screencast;
  #dialog: PageDialog | undefined;

  private constructor(
    readonly targetId: string,
    readonly session: CDPSession,
    private readonly events: PageEvents,
    private readonly clock: Clock,
  ) {
    this.#size = new PageSize(session, clock, () => void this.#screencast.renew());
    this.#screencast = new Screencast(session, clock, this.#size, (frame) => {
      const { scrollX, scrollY } = frame;
      events.onFrame({ ...frame, scrollX: this.toCss(scrollX), scrollY: this.toCss(scrollY) });
    });
    session.on('Page.screencastVisibilityChanged', ({ visible }: Protocol.Page.ScreencastVisibilityChangedEvent) => {
      if (!visible) events.onChange();
    });
    session.on('Page.javascriptDialogOpening', (dialog: Protocol.Page.JavascriptDialogOpeningEvent) => {
      const { type, url, message, defaultPrompt } = dialog;
      this.#dialog = { type, url, message, prompt: defaultPrompt ?? '' };
      events.onDialog(this.#dialog);
    });
    session.on('Page.javascriptDialogClosed', () => {
      this.#dialog = undefined;
      events.onDialog(undefined);
    });
    session.on('Page.frameNavigated', ({ frame }: Protocol.Page.FrameNavigatedEvent) => {
      if (frame.parentId !== undefined) return;
      this.#document = frame.loaderId;
      events.onChange();
    });
    session.on('Page.navigatedWithinDocument', ({ frameId }: Protocol.Page.NavigatedWithinDocumentEvent) => {
      if (frameId === targetId) events.onChange();
    });
    session.on('Page.frameStartedLoading', ({ frameId }: Protocol.Page.FrameStartedLoadingEvent) => {
      this.#setLoading(frameId, true);
    });
    session.on('Page.frameStoppedLoading', ({ frameId }: Protocol.Page.FrameStoppedLoadingEvent) => {
      this.#setLoading(frameId, false);
    });
    session.on('Page.fileChooserOpened', ({ backendNodeId, mode }: Protocol.Page.FileChooserOpenedEvent) => {
      events.onFileChooser?.({ backendNodeId, isMultiple: mode === 'selectMultiple' });
    });
    onDisconnected(session, () => events.onChange());
  }

  /** Rejects when the page was closed meanwhile. */
  static async attach(
    connection: Connection,
    targetId: string,
    events: PageEvents,
    clock: Clock = realClock,
  ): Promise<PageScreen> {
    const session = await attach(connection, targetId);
    if (!session) throw new Error('the page is gone');
    const page = new PageScreen(targetId, session, events, clock);
    const settings: Promise<unknown>[] = [session.send('Page.enable')];
    if (events.onFileChooser) settings.push(session.send('Page.setInterceptFileChooserDialog', { enabled: true }));
    await inTime(Promise.all(settings), SETTING_LIMIT_MS, clock);
    return page;
  }

  /** Whether the page is being loaded. */
  get isLoading(): boolean {
    return this.#isLoading;
  }

  /** Identifies the document that the tab has navigated to last; empty for the one that was there before. */
  get document(): string {
    return this.#document;
  }

  /** The dialog that the page shows; undefined for none, and for one from before the page was attached to. */
  get dialog(): PageDialog | undefined {
    return this.#dialog;
  }

  /** By how much the browser zoomed the page when it was asked last, in percent. */
  get zoom(): number {
    return this.#zoom;
  }

  /** Asks the browser for the zoom, by which all points are converted from then on. Never rejects. */
  async readZoom(): Promise<void> {
    this.#zoom = (await zoomOf(this.session, this.clock)) ?? this.#zoom;
  }

  /** A length of the picture in CSS pixels of the page. */
  toCss(length: number): number {
    return (length * 100) / this.#zoom;
  }

  /** A length in CSS pixels of the page as one of the picture. */
  fromCss(length: number): number {
    return (length * this.#zoom) / 100;
  }

  /** Sends pictures from now on, none larger than `largest` in device pixels; again with another size while it does. */
  async start(largest: PictureSize): Promise<void> {
    await inTime(this.#screencast.start(largest), SETTING_LIMIT_MS, this.clock);
  }

  /** A frame of this stream was drawn, so that the browser may send another one. */
  acknowledge(stream: number): void {
    this.#screencast.acknowledge(stream);
  }

  /**
   * Moves the mouse, or presses or releases a button, after the input before it. Resolves when the page has handled it, or after a time limit,
   * for which nothing needs to wait. Never rejects.
   */
  async mouse(stroke: MouseStroke): Promise<void> {
    await this.#handled(this.session.send('Input.dispatchMouseEvent', mouseEvent(this.#inView(stroke))));
  }

  /** Presses or releases a key, as `mouse`. */
  async key(stroke: KeyStroke): Promise<void> {
    await this.#handled(this.session.send('Input.dispatchKeyEvent', keyEvent(stroke)));
  }

  /** Types a text at once, as an input method does with what it has finished. */
  type(text: string): void {
    this.session.send('Input.insertText', { text }).catch(() => undefined);
  }

  /** Shows what an input method is composing, until it is typed. */
  compose(text: string): void {
    const end = { selectionStart: text.length, selectionEnd: text.length };
    this.session.send('Input.imeSetComposition', { text, ...end }).catch(() => undefined);
  }

  /** The selected text; empty where there is none, it is a password, or the page does not answer. */
  async selectedText(): Promise<string> {
    const text = await peek(this.session, callOf(selectedText), this.clock);
    return typeof text === 'string' ? text : '';
  }

  /** Turns the wheel at a point by CSS pixels; resolves when the page has handled it, or after a time limit. Rejects when the page is gone. */
  async turn(wheel: { x: number; y: number; right: number; down: number; modifiers: number }): Promise<void> {
    const { x, y, right, down, modifiers } = this.#inView(wheel);
    const event = { type: 'mouseWheel', x, y, deltaX: right, deltaY: down, modifiers } as const;
    const turned = this.session.send('Input.dispatchMouseEvent', event);
    await inTime(turned, INPUT_LIMIT_MS, this.clock);
  }

  /** Shows an address. Resolves to Chromium's reason when it cannot be shown. */
  async navigate(url: string): Promise<string | undefined> {
    return (await this.session.send('Page.navigate', { url })).errorText;
  }

  /** Goes back or forward by one page, where there is one, or reloads. */
  async go(by: -1 | 0 | 1): Promise<void> {
    if (by === 0) {
      await this.session.send('Page.reload');
      return;
    }
    const { entries, currentIndex } = await this.session.send('Page.getNavigationHistory');
    const entry = entries[currentIndex + by];
    if (entry) await this.session.send('Page.navigateToHistoryEntry', { entryId: entry.id });
  }

  async history(): Promise<PageHistory> {
    const { entries, currentIndex } = await this.session.send('Page.getNavigationHistory');
    const entry = entries[currentIndex];
    return {
      url: entry?.url ?? '',
      title: entry?.title ?? '',
      canGoBack: currentIndex > 0,
      canGoForward: currentIndex < entries.length - 1,
    };
  }

  /** Answers the dialog that is open; false when none is open, or one that was opened before the page was attached to. */
  async answer(accept: boolean, promptText: string): Promise<boolean> {
    return await succeeds(this.session.send('Page.handleJavaScriptDialog', { accept, promptText }));
  }

  /** What a field of the page takes; undefined when it is gone or no field for files. */
  async fileField(backendNodeId: number): Promise<FileField | undefined> {
    return await readFileField(this.session, backendNodeId);
  }

  /** Gives files on the browser's machine to a field. */
  async setFiles(backendNodeId: number, files: string[]): Promise<void> {
    await this.session.send('DOM.setFileInputFiles', { backendNodeId, files });
  }

  /** Shows the page in another size than its window's, until `close`; in the window's again for undefined. */
  async resize(size: ShownSize | undefined): Promise<void> {
    await inTime(this.#size.set(size), SETTING_LIMIT_MS, this.clock);
  }

  /** A PNG of what the page shows, in device pixels. */
  async picture(): Promise<Uint8Array> {
    const { data } = await this.session.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  }

  /** Ends all of it. Never rejects. */
  async close(): Promise<void> {
    this.#screencast.end();
    this.#size.dispose();
    await this.session.detach().catch(() => undefined);
  }

  /** Waits until the page has handled an input, but not too long, and not for one that is gone. */
  async #handled(input: Promise<unknown>): Promise<void> {
    await inTime(
      input.catch(() => undefined),
      INPUT_LIMIT_MS,
      this.clock,
    );
  }

  /** An input at a point of the picture, as Chromium takes it: by the view of the page. */
  #inView<T extends { x: number; y: number }>(input: T): T {
    return { ...input, x: this.toCss(input.x) * this.#size.scale, y: this.toCss(input.y) * this.#size.scale };
  }

  #setLoading(frameId: string, isLoading: boolean): void {
    if (frameId !== this.targetId || isLoading === this.#isLoading) return;
    this.#isLoading = isLoading;
    this.events.onChange();
  }
}
