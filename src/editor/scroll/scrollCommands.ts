import * as l10n from '@vscode/l10n';
import { Disposable } from 'vscode';
import { fieldOf } from '../../fields';
import { COMMANDS } from '../../ids';
import type { End } from '../../scroll/protocol';
import { DEFAULT_TICKS, parsePoint } from '../../scroll/state';
import { NOTCHES_PER_PAGE, type Ticks } from '../../scroll/wheel';
import type { BrowserSession } from '../../service/model';
import type { BrowserParts } from '../browsers/browserParts';
import { pickBrowser } from '../browsers/pickBrowser';
import { findRunning } from '../browsers/target';
import { UserError } from '../errors';
import { itemOf } from '../lists/row';
import { chosenBrowser } from './chosenBrowser';
import { LastEditor } from './lastEditor';
import { pushTexts } from './pushTexts';
import { ScrollChoices, screenOf } from './scrollChoices';
import { goToEnd, turnWheel } from './scrolling';
import { ScreenCommands } from './screenCommands';
import { ScrollPanel } from './scrollPanel';
import { askKeys, askPoint, askTicks } from './scrollQuestions';

/**
 * Scroll controls: one panel per browser, and commands that do without it all that the panel can do. They act on the browser of the
 * active panel, else on the push target, else on one that the user picks.
 */
export class ScrollCommands implements Disposable {
  readonly #screenCommands = new ScreenCommands({
    client: () => this.#parts.connection.client(),
    browser: (argument) => this.#browserOf(argument),
    panelOf: (sessionId) => this.#panelOf(sessionId),
  });
  readonly handlers = {
    [COMMANDS.openScroll]: (row: unknown) => this.open(row),
    [COMMANDS.scrollUp]: () => this.turn({ right: 0, down: -DEFAULT_TICKS }),
    [COMMANDS.scrollDown]: () => this.turn({ right: 0, down: DEFAULT_TICKS }),
    [COMMANDS.scrollLeft]: () => this.turn({ right: -DEFAULT_TICKS, down: 0 }),
    [COMMANDS.scrollRight]: () => this.turn({ right: DEFAULT_TICKS, down: 0 }),
    [COMMANDS.scrollPageUp]: () => this.turn({ right: 0, down: -NOTCHES_PER_PAGE }),
    [COMMANDS.scrollPageDown]: () => this.turn({ right: 0, down: NOTCHES_PER_PAGE }),
    [COMMANDS.scrollToTop]: () => this.goToEnd('top'),
    [COMMANDS.scrollToBottom]: () => this.goToEnd('bottom'),
    [COMMANDS.scrollBy]: (argument: unknown) => this.turnBy(argument),
    [COMMANDS.setScrollPoint]: (argument: unknown) => this.setPoint(argument),
    [COMMANDS.holdScrollKeys]: () => this.holdKeys(),
    [COMMANDS.refreshPicture]: () => this.refreshPicture(),
    ...this.#screenCommands.handlers,
  };
  readonly #parts: BrowserParts;
  readonly #panels = new Set<ScrollPanel>();
  readonly #choices = new ScrollChoices();
  readonly #lastEditor = new LastEditor();
  readonly #subscriptions: Disposable;
  /** The time of the push that the panel of each browser has marked last. */
  readonly #marked = new Map<string, number>();
  /** The browsers of the list when it was loaded last. */
  #listed: ReadonlySet<string> = new Set();

  constructor(parts: BrowserParts) {
    this.#parts = parts;
    this.#subscriptions = Disposable.from(
      this.#lastEditor,
      // After a push one wants to see the page.
      parts.records.onDidChange((sessionId) => {
        this.#showPush(sessionId);
      }),
      parts.lists.browsers.onDidLoad(() => {
        this.#lookForGone();
      }),
    );
  }

  /** Opens the panel of the row's browser, else of the push target, else of one that the user picks. */
  async open(argument: unknown): Promise<void> {
    const session = await this.#browserOf(argument);
    if (session) this.#open(session);
  }

  /** Turns the wheel at the chosen point with the chosen keys held. */
  async turn(ticks: Ticks): Promise<void> {
    const session = await this.#browser();
    if (session) await this.#turn(session, ticks);
  }

  /** Turns the wheel by the ticks `right` and `down` of the argument, else by what the user is asked for. */
  async turnBy(argument?: unknown): Promise<void> {
    const session = await this.#browserOf(argument);
    const ticks = session && (ticksOf(argument) ?? (await askTicks()));
    if (ticks) await this.#turn(session, ticks);
  }

  /** Presses Home or End in the browser. */
  async goToEnd(end: End): Promise<void> {
    const session = await this.#browser();
    if (!session) return;
    await goToEnd(await this.#parts.connection.client(), session, end);
    this.#panelOf(session.session_id)?.refresh();
  }

  /** Sets the point at which the wheel of a browser is turned from now on: `x` and `y` of the argument, else what the user is asked for. */
  async setPoint(argument?: unknown): Promise<void> {
    const session = await this.#browserOf(argument);
    if (!session) return;
    const screen = screenOf(session);
    const given = parsePoint(`${String(fieldOf(argument, 'x'))}, ${String(fieldOf(argument, 'y'))}`, screen);
    const point = given ?? (await askPoint(screen, this.#choices.get(session).point));
    if (!point) return;
    this.#choices.set(session, { point });
    await this.#panelOf(session.session_id)?.showChoice();
  }

  /** Asks for the keys that are held from now on while the wheel of a browser is turned. */
  async holdKeys(): Promise<void> {
    const session = await this.#browser();
    const hold = session && (await askKeys(this.#choices.get(session).hold));
    if (!hold) return;
    this.#choices.set(session, { hold });
    await this.#panelOf(session.session_id)?.showChoice();
  }

  /** Takes a new picture in the panel of the browser, which is opened if necessary. */
  async refreshPicture(): Promise<void> {
    const session = await this.#browser();
    if (!session) return;
    const panel = this.#panelOf(session.session_id);
    if (panel) panel.refresh();
    else this.#open(session);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    for (const panel of [...this.#panels]) panel.dispose();
  }

  #open(session: BrowserSession): void {
    const open = this.#panelOf(session.session_id);
    if (open) {
      open.reveal();
      return;
    }
    const { connection, log, context } = this.#parts;
    const panel: ScrollPanel = new ScrollPanel({
      session,
      connection,
      log,
      extensionUri: context.extensionUri,
      choices: this.#choices,
      lastEditor: this.#lastEditor,
      choose: () => this.#chooseFor(panel),
      onClosed: () => this.#panels.delete(panel),
      onShown: () => {
        this.#showPush(panel.session.session_id);
      },
      storage: context.globalStorageUri,
    });
    this.#panels.add(panel);
  }

  async #turn(session: BrowserSession, ticks: Ticks): Promise<void> {
    const client = await this.#parts.connection.client();
    await turnWheel(client, session, this.#choices.get(session), ticks);
    this.#panelOf(session.session_id)?.refresh();
  }

  /** Another browser for a panel; undefined when it has a panel already, which is shown instead. */
  async #chooseFor(panel: ScrollPanel): Promise<BrowserSession | undefined> {
    const session = await this.#pick();
    const other = session && this.#panelOf(session.session_id);
    if (!other || other === panel) return session;
    other.reveal();
    panel.dispose();
    return undefined;
  }

  /** A panel whose browser has left the list notices by its next picture when that browser has ended. */
  #lookForGone(): void {
    const listed = new Set(this.#parts.lists.browsers.items.map(({ session_id }) => session_id));
    for (const panel of this.#panels) {
      const id = panel.session.session_id;
      if (this.#listed.has(id) && !listed.has(id)) panel.lookForGone();
    }
    this.#listed = listed;
  }

  /** Shows in the panel of a browser what its last push has done; marks the picture once for each push. */
  #showPush(sessionId: string): void {
    const panel = this.#panelOf(sessionId);
    if (!panel) return;
    const { records } = this.#parts;
    const record = records.get(sessionId);
    const isNew = record !== undefined && this.#marked.get(sessionId) !== record.at && !records.isPushing(sessionId);
    panel.showPush(pushTexts(record, records.isPushing(sessionId), isNew));
    if (isNew) this.#marked.set(sessionId, record.at);
  }

  #panelOf(sessionId: string): ScrollPanel | undefined {
    return [...this.#panels].find(({ session }) => session.session_id === sessionId);
  }

  async #browser(): Promise<BrowserSession | undefined> {
    const active = [...this.#panels].find(({ isActive }) => isActive);
    return active?.session ?? (await chosenBrowser(this.#parts)) ?? (await this.#pick());
  }

  /** The browser of a row, or the one that `browser` of a command's argument names; without both the one that commands act on. */
  async #browserOf(argument: unknown): Promise<BrowserSession | undefined> {
    const named = fieldOf(argument, 'browser');
    if (typeof named !== 'string') return itemOf(argument, 'browser') ?? (await this.#browser());
    const session = await findRunning(await this.#parts.connection.client(), named);
    if (!session) throw new UserError(l10n.t('No browser with the name or id "{0}" runs.', named));
    return session;
  }

  #pick(): Promise<BrowserSession | undefined> {
    return pickBrowser(this.#parts.connection, l10n.t('Select the browser to scroll'));
  }
}

/** Whole ticks of a command's argument; undefined without any. */
function ticksOf(argument: unknown): Ticks | undefined {
  const [right = 0, down = 0] = ['right', 'down'].map((name) => fieldOf(argument, name) ?? 0).filter(Number.isInteger);
  return typeof right === 'number' && typeof down === 'number' && (right !== 0 || down !== 0)
    ? { right, down }
    : undefined;
}
