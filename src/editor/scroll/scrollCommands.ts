import * as l10n from '@vscode/l10n';
import { Disposable } from 'vscode';
import { COMMANDS } from '../../ids';
import type { End } from '../../scroll/protocol';
import { DEFAULT_TICKS } from '../../scroll/state';
import { NOTCHES_PER_PAGE, type Ticks } from '../../scroll/wheel';
import type { BrowserSession } from '../../service/model';
import type { BrowserParts } from '../browsers/browserParts';
import { pickBrowser } from '../browsers/pickBrowser';
import { itemOf } from '../lists/row';
import { chosenBrowser } from './chosenBrowser';
import { LastEditor } from './lastEditor';
import { ScrollChoices, screenOf } from './scrollChoices';
import { goToEnd, turnWheel } from './scrolling';
import { ScrollPanel } from './scrollPanel';
import { askKeys, askPoint, askTicks } from './scrollQuestions';

/**
 * Scroll controls: one panel per browser, and commands that do without it all that the panel can do. They act on the browser of the
 * active panel, else on the push target, else on one that the user picks.
 */
export class ScrollCommands implements Disposable {
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
    [COMMANDS.scrollBy]: () => this.turnBy(),
    [COMMANDS.setScrollPoint]: () => this.setPoint(),
    [COMMANDS.holdScrollKeys]: () => this.holdKeys(),
    [COMMANDS.refreshPicture]: () => this.refreshPicture(),
  };
  readonly #parts: BrowserParts;
  readonly #panels = new Set<ScrollPanel>();
  readonly #choices = new ScrollChoices();
  readonly #lastEditor = new LastEditor();
  readonly #subscriptions: Disposable;
  /** The browsers of the list when it was loaded last. */
  #listed: ReadonlySet<string> = new Set();

  constructor(parts: BrowserParts) {
    this.#parts = parts;
    this.#subscriptions = Disposable.from(
      this.#lastEditor,
      // After a push one wants to see the page.
      parts.records.onDidChange((sessionId) => this.#panelOf(sessionId)?.refresh()),
      parts.lists.browsers.onDidLoad(() => {
        this.#lookForGone();
      }),
    );
  }

  /** Opens the panel of the row's browser, else of the push target, else of one that the user picks. */
  async open(argument: unknown): Promise<void> {
    const session = itemOf(argument, 'browser') ?? (await this.#browser());
    if (session) this.#open(session);
  }

  /** Turns the wheel at the chosen point with the chosen keys held. */
  async turn(ticks: Ticks): Promise<void> {
    const session = await this.#browser();
    if (session) await this.#turn(session, ticks);
  }

  /** Asks for the direction and the number of ticks, and turns the wheel. */
  async turnBy(): Promise<void> {
    const session = await this.#browser();
    const ticks = session && (await askTicks());
    if (ticks) await this.#turn(session, ticks);
  }

  /** Presses Home or End in the browser. */
  async goToEnd(end: End): Promise<void> {
    const session = await this.#browser();
    if (!session) return;
    await goToEnd(await this.#parts.connection.client(), session, end);
    this.#panelOf(session.session_id)?.refresh();
  }

  /** Asks for the point at which the wheel of a browser is turned from now on. */
  async setPoint(): Promise<void> {
    const session = await this.#browser();
    const point = session && (await askPoint(screenOf(session), this.#choices.get(session).point));
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
      if (this.#listed.has(id) && !listed.has(id)) panel.refresh();
    }
    this.#listed = listed;
  }

  #panelOf(sessionId: string): ScrollPanel | undefined {
    return [...this.#panels].find(({ session }) => session.session_id === sessionId);
  }

  async #browser(): Promise<BrowserSession | undefined> {
    const active = [...this.#panels].find(({ isActive }) => isActive);
    return active?.session ?? (await chosenBrowser(this.#parts)) ?? (await this.#pick());
  }

  #pick(): Promise<BrowserSession | undefined> {
    return pickBrowser(this.#parts.connection, l10n.t('Select the browser to scroll'));
  }
}
