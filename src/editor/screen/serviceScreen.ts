import * as l10n from '@vscode/l10n';
import { env, type Disposable } from 'vscode';
import type { HostMessage, PageMessage } from '../../screen/protocol';
import type { ScreenPageMessage } from '../../screen/screenMessages';
import type { MouseStroke } from '../../screen/strokes';
import type { BrowserService } from '../../service/browserService';
import type { Browser, ComputerAction } from '../../service/model';
import { browserLabel } from '../lists/labels';
import { sentenceFor } from '../messages';
import { keyAction, MouseReader } from './computerActions';
import { ComputerQueue, perform } from './computerQueue';
import { END_KEYS, heldKeys } from './scrolling';
import { StillPicture } from './stillPicture';

/** How long the pointer must rest until the browser is shown it, in milliseconds: each movement is a request and a picture. */
const HOVER_MS = 150;

/** Longest text that the service types, in characters: it types key by key. */
const MAX_TYPED = 5000;

export interface ServiceScreenOptions {
  client: () => Promise<BrowserService>;
  browser: () => Browser | undefined;
  /** Whether the panel shows the pictures of the service now. */
  isShown: () => boolean;
  post: (message: HostMessage) => Promise<void>;
  /** A request failed. `isTold`: the page knows it already. */
  onFailure: (error: unknown, how?: { isTold: boolean }) => Promise<void>;
}

/** Why the service has no picture of more than the page of a browser, as a sentence; undefined when it may have. `isEmbedded`: the local service. */
export function wholeScreenProblem(browser: Browser, isEmbedded: boolean): string | undefined {
  const name = browserLabel(browser);
  if (browser.headless) {
    return l10n.t(
      '{0} runs without a window, so it has no toolbar and shows no prompts. Create a browser with a window.',
      name,
    );
  }
  return isEmbedded
    ? l10n.t('{0} runs on this machine. Its toolbar, menus and prompts are in its window on your own screen.', name)
    : undefined;
}

/**
 * A browser as the service shows it: still pictures of its screen, and mouse and keyboard through the service, in order and one request at a
 * time. Points are pixels of the picture. Nothing is sent without a cause.
 */
export class ServiceScreen implements Disposable {
  /** The pictures, where those of the service are shown. */
  readonly still: StillPicture;
  readonly #mouse = new MouseReader();
  readonly #queue = new ComputerQueue(async (actions) => {
    const browser = this.options.browser();
    if (browser) await perform(await this.options.client(), browser.id, actions);
  });
  #hover: NodeJS.Timeout | undefined;
  /** The paste that later inputs come after. */
  #pasting: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: ServiceScreenOptions) {
    this.still = new StillPicture({
      isWanted: options.isShown,
      take: async () => {
        const browser = options.browser();
        if (!browser) return;
        const bytes = new Uint8Array(await (await options.client()).screenshot(browser.id));
        // Another one may have been chosen meanwhile.
        if (options.browser() === browser) await options.post({ kind: 'picture', bytes });
      },
      onFailure: options.onFailure,
    });
  }

  /** Turns the wheel by whole ticks at a pixel of the browser's screen, and answers the page. */
  async turn({ id, x, y, right, down, hold }: Extract<PageMessage, { kind: 'scroll' }>): Promise<void> {
    const { post, onFailure } = this.options;
    const started = performance.now();
    try {
      this.#forgetHover();
      await this.#queue.send({ type: 'scroll', scroll: { x, y, deltaX: right, deltaY: down, ...heldKeys(hold) } });
      await post({ kind: 'scrolled', id, milliseconds: performance.now() - started });
      this.still.takeSoon();
    } catch (error) {
      await post({ kind: 'failed', id, message: sentenceFor(error) ?? String(error) });
      await onFailure(error, { isTold: true });
    }
  }

  /** Presses the key that goes to an end of the page, and answers the page. */
  async jump({ to }: Extract<PageMessage, { kind: 'jump' }>): Promise<void> {
    const isDone = await this.#do({ type: 'pressKey', pressKey: { keys: [END_KEYS[to]] } });
    if (isDone) await this.options.post({ kind: 'jumped', to });
  }

  /** Does the input that the page asks for; false for a request that is none for the service. Never rejects. */
  async input(request: ScreenPageMessage): Promise<boolean> {
    await this.#pasting;
    switch (request.kind) {
      case 'mouse':
        await this.#read(request);
        return true;
      case 'key': {
        const action = keyAction(request);
        if (action) await this.#do(action);
        return true;
      }
      case 'text':
        await this.#type(request.text);
        return true;
      case 'compose':
        // The service takes only what an input method has finished.
        return true;
      case 'clipboard':
        if (request.act !== 'paste') return false;
        await this.#paste();
        return true;
      default:
        return false;
    }
  }

  /** Forgets what is pressed and what waits, as when another browser is shown. */
  drop(): void {
    this.#forgetHover();
    this.#mouse.drop();
    this.#queue.drop();
  }

  dispose(): void {
    this.drop();
    this.still.dispose();
  }

  async #read(stroke: MouseStroke): Promise<void> {
    const action = this.#mouse.read(stroke);
    // What is done at a point moves the pointer there.
    if (action || stroke.type === 'down') this.#forgetHover();
    if (action?.type === 'moveMouse') this.#hover = setTimeout(() => void this.#do(action), HOVER_MS);
    else if (action) await this.#do(action);
  }

  async #paste(): Promise<void> {
    const pasting = env.clipboard.readText().then((text) => this.#type(text));
    this.#pasting = Promise.resolve(pasting).catch(() => undefined);
    await pasting;
  }

  async #type(text: string): Promise<void> {
    if (text.length > MAX_TYPED) {
      const message = l10n.t(
        'The service types at most {0} characters at once. Paste the text in shorter parts.',
        MAX_TYPED,
      );
      await this.options.post({ kind: 'notice', message, gone: false });
    } else if (text !== '') {
      await this.#do({ type: 'typeText', typeText: { text } });
    }
  }

  /** Resolves to false when the request failed, after the failure was reported. */
  async #do(action: ComputerAction): Promise<boolean> {
    try {
      await this.#queue.send(action);
      return true;
    } catch (error) {
      await this.options.onFailure(error);
      return false;
    } finally {
      this.still.takeSoon();
    }
  }

  #forgetHover(): void {
    clearTimeout(this.#hover);
  }
}
