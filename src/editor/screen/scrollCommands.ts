import { fieldOf } from '../../base/fields';
import { COMMANDS } from '../../ids';
import type { End } from '../../screen/protocol';
import { DEFAULT_TICKS, parsePoint } from '../../screen/rememberedState';
import { NOTCHES_PER_PAGE, type Ticks } from '../../screen/wheel/wheel';
import type { Browser } from '../../service/model';
import type { BrowserWiring } from '../browsers/browserWiring';
import { givenBrowser } from '../browsers/namedBrowser';
import { chosenBrowser } from './chosenBrowser';
import { ScrollChoices } from './scrollChoices';
import { goToEnd, turnWheel } from './scrolling';
import { ScreenCommands } from './screenCommands';
import { SCREEN_PLACES, ScreenPanels, type ScreenPlaceName } from './screenPanels';
import { askKeys, askScrollPoint, askTicks } from './scrollQuestions';

/**
 * Scroll controls: one panel per browser, and commands that do without it all that the panel can do. They act on the browser of a row or
 * of `browser` in their argument, else on that of the active panel, else on the push target, else on one that the user picks.
 */
export class ScrollCommands {
  readonly #choices = new ScrollChoices();
  readonly #panels: ScreenPanels;

  constructor(private readonly wiring: BrowserWiring) {
    this.#panels = new ScreenPanels(wiring, this.#choices);
  }

  get handlers() {
    return {
      [COMMANDS.openScroll]: (row: unknown) => this.open(row),
      [COMMANDS.openScreenInSidebar]: (row: unknown) => this.open(row, 'sidebar'),
      [COMMANDS.scrollUp]: (argument: unknown) => this.turn(argument, { right: 0, down: -DEFAULT_TICKS }),
      [COMMANDS.scrollDown]: (argument: unknown) => this.turn(argument, { right: 0, down: DEFAULT_TICKS }),
      [COMMANDS.scrollLeft]: (argument: unknown) => this.turn(argument, { right: -DEFAULT_TICKS, down: 0 }),
      [COMMANDS.scrollRight]: (argument: unknown) => this.turn(argument, { right: DEFAULT_TICKS, down: 0 }),
      [COMMANDS.scrollPageUp]: (argument: unknown) => this.turn(argument, { right: 0, down: -NOTCHES_PER_PAGE }),
      [COMMANDS.scrollPageDown]: (argument: unknown) => this.turn(argument, { right: 0, down: NOTCHES_PER_PAGE }),
      [COMMANDS.scrollToTop]: (argument: unknown) => this.goToEnd(argument, 'top'),
      [COMMANDS.scrollToBottom]: (argument: unknown) => this.goToEnd(argument, 'bottom'),
      [COMMANDS.scrollBy]: (argument: unknown) => this.turnBy(argument),
      [COMMANDS.setScrollPoint]: (argument: unknown) => this.setPoint(argument),
      [COMMANDS.holdScrollKeys]: (argument: unknown) => this.holdKeys(argument),
      [COMMANDS.refreshPicture]: (argument: unknown) => this.refreshPicture(argument),
      ...new ScreenCommands(this.wiring, {
        browser: (argument) => this.#browserOf(argument),
        panels: () => this.#panels,
        choices: this.#choices,
      }).handlers,
    };
  }

  /**
   * Opens the screen of the row's browser, else of the push target, else of one that the user picks. `place` of the argument says where: `beside`
   * the active editor, which is usual, in its group as a `tab`, or in the `sidebar`.
   */
  async open(argument: unknown, usual: ScreenPlaceName = 'beside'): Promise<void> {
    const browser = await this.#browserOf(argument);
    const named = fieldOf(argument, 'place');
    const place = SCREEN_PLACES.find((known) => known === named) ?? usual;
    if (browser) await this.#panels.show(browser, place);
  }

  /** Turns the wheel at the chosen point with the chosen keys held. */
  async turn(argument: unknown, ticks: Ticks): Promise<void> {
    const browser = await this.#browserOf(argument);
    if (browser) await this.#turn(browser, ticks);
  }

  /** Turns the wheel by the ticks `right` and `down` of the argument, else by what the user is asked for. */
  async turnBy(argument?: unknown): Promise<void> {
    const browser = await this.#browserOf(argument);
    const ticks = browser && (ticksOf(argument) ?? (await askTicks()));
    if (ticks) await this.#turn(browser, ticks);
  }

  /** Presses Home or End in the browser. */
  async goToEnd(argument: unknown, end: End): Promise<void> {
    const browser = await this.#browserOf(argument);
    if (!browser) return;
    await goToEnd(await this.wiring.connection.client(), browser, end);
    this.#panels.panelOf(browser.id)?.refresh();
  }

  /** Sets the point at which the wheel of a browser is turned from now on: `x` and `y` of the argument, else what the user is asked for. */
  async setPoint(argument?: unknown): Promise<void> {
    const browser = await this.#browserOf(argument);
    if (!browser) return;
    const screen = this.#choices.screenOf(browser);
    const given = parsePoint(`${String(fieldOf(argument, 'x'))}, ${String(fieldOf(argument, 'y'))}`, screen);
    const point = given ?? (await askScrollPoint(screen, this.#choices.get(browser).point));
    if (!point) return;
    this.#choices.set(browser, { point });
    await this.#panels.panelOf(browser.id)?.showChoice();
  }

  /** Asks for the keys that are held from now on while the wheel of a browser is turned. */
  async holdKeys(argument?: unknown): Promise<void> {
    const browser = await this.#browserOf(argument);
    const hold = browser && (await askKeys(this.#choices.get(browser).hold));
    if (!hold) return;
    this.#choices.set(browser, { hold });
    await this.#panels.panelOf(browser.id)?.showChoice();
  }

  /** Takes a new picture in the panel of the browser, which is opened if necessary. */
  async refreshPicture(argument?: unknown): Promise<void> {
    const browser = await this.#browserOf(argument);
    if (!browser) return;
    const panel = this.#panels.panelOf(browser.id);
    if (panel) panel.refresh();
    else await this.#panels.show(browser);
  }

  async #turn(browser: Browser, ticks: Ticks): Promise<void> {
    const client = await this.wiring.connection.client();
    await turnWheel(client, browser, this.#choices.get(browser), ticks);
    this.#panels.panelOf(browser.id)?.refresh();
  }

  /** The browser of a row, or the one that `browser` of a command's argument names; without both the one that commands act on. */
  async #browserOf(argument: unknown): Promise<Browser | undefined> {
    const { connection } = this.wiring;
    const given = (await givenBrowser(connection, argument)) ?? this.#panels.active;
    return given ?? (await chosenBrowser(this.wiring)) ?? (await this.#panels.pick());
  }
}

/** Whole ticks of a command's argument; undefined without any. */
function ticksOf(argument: unknown): Ticks | undefined {
  const [right = 0, down = 0] = ['right', 'down'].map((name) => fieldOf(argument, name) ?? 0).filter(Number.isInteger);
  return typeof right === 'number' && typeof down === 'number' && (right !== 0 || down !== 0)
    ? { right, down }
    : undefined;
}
