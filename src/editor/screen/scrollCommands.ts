import { fieldOf } from '../../base/fields';
import { COMMANDS } from '../../ids';
import type { End } from '../../screen/protocol';
import { DEFAULT_TICKS, parsePoint } from '../../screen/rememberedState';
import { NOTCHES_PER_PAGE, type Ticks } from '../../screen/wheel/wheel';
import type { Browser } from '../../service/model';
import type { BrowserWiring } from '../browsers/browserWiring';
import { givenBrowser } from '../browsers/namedBrowser';
import type { Handler } from '../commandRegistry';
import { chosenBrowser } from './chosenBrowser';
import { AllChoices, type ScrollChoices } from './scrollChoices';
import { goToEnd, turnWheel } from './scrolling';
import { ScreenCommands, type BrowserAct } from './screenCommands';
import { SCREEN_PLACES, ScreenPanels, type ScreenPlaceName } from './screenPanels';
import { askKeys, askScrollPoint, askTicks } from './scrollQuestions';

/**
 * Scroll controls: one panel per browser, and commands that do without it all that the panel can do. They act on the browser of a row or
 * of `browser` in their argument, else on that of the active panel, else on the push target, else on one that the user picks.
 */
export class ScrollCommands {
  readonly #all = new AllChoices();
  readonly #panels: ScreenPanels;

  constructor(private readonly wiring: BrowserWiring) {
    this.#panels = new ScreenPanels(wiring, this.#all);
  }

  /** Those for the browsers of the service in use. */
  get #choices(): ScrollChoices {
    return this.#all.of(this.wiring.connection.key);
  }

  get handlers() {
    const turn = (right: number, down: number): Handler => this.#on((browser) => this.#turn(browser, { right, down }));
    const access = { on: (act: BrowserAct) => this.#on(act), panels: this.#panels, choices: () => this.#choices };
    return {
      [COMMANDS.openScroll]: this.#on((browser, argument) => this.#open(browser, argument, 'beside')),
      [COMMANDS.openScreenInSidebar]: this.#on((browser, argument) => this.#open(browser, argument, 'sidebar')),
      [COMMANDS.scrollUp]: turn(0, -DEFAULT_TICKS),
      [COMMANDS.scrollDown]: turn(0, DEFAULT_TICKS),
      [COMMANDS.scrollLeft]: turn(-DEFAULT_TICKS, 0),
      [COMMANDS.scrollRight]: turn(DEFAULT_TICKS, 0),
      [COMMANDS.scrollPageUp]: turn(0, -NOTCHES_PER_PAGE),
      [COMMANDS.scrollPageDown]: turn(0, NOTCHES_PER_PAGE),
      [COMMANDS.scrollToTop]: this.#on((browser) => this.#goToEnd(browser, 'top')),
      [COMMANDS.scrollToBottom]: this.#on((browser) => this.#goToEnd(browser, 'bottom')),
      [COMMANDS.scrollBy]: this.#on((browser, argument) => this.#turnBy(browser, argument)),
      [COMMANDS.setScrollPoint]: this.#on((browser, argument) => this.#setPoint(browser, argument)),
      [COMMANDS.holdScrollKeys]: this.#on((browser) => this.#holdKeys(browser)),
      [COMMANDS.refreshPicture]: this.#on((browser) => this.#refreshPicture(browser)),
      ...new ScreenCommands(this.wiring, access).handlers,
    };
  }

  /** A command for the browser that its argument names, or that the user picks. */
  #on(act: BrowserAct): Handler {
    return async (argument) => {
      const browser = await this.#browserOf(argument);
      if (browser) await act(browser, argument);
    };
  }

  /** Opens the screen of a browser. `place` of the argument says where: `beside` the active editor, in its group as a `tab`, or in the `sidebar`. */
  async #open(browser: Browser, argument: unknown, usual: ScreenPlaceName): Promise<void> {
    const named = fieldOf(argument, 'place');
    await this.#panels.show(browser, SCREEN_PLACES.find((known) => known === named) ?? usual);
  }

  /** Turns the wheel by the ticks `right` and `down` of the argument, else by what the user is asked for. */
  async #turnBy(browser: Browser, argument: unknown): Promise<void> {
    const ticks = ticksOf(argument) ?? (await askTicks());
    if (ticks) await this.#turn(browser, ticks);
  }

  /** Presses Home or End in the browser. */
  async #goToEnd(browser: Browser, end: End): Promise<void> {
    await goToEnd(await this.wiring.connection.client(), browser, end);
    this.#panels.panelOf(browser.id)?.refresh();
  }

  /** Sets the point at which the wheel of a browser is turned from now on: `x` and `y` of the argument, else what the user is asked for. */
  async #setPoint(browser: Browser, argument: unknown): Promise<void> {
    // Another service may be chosen meanwhile.
    const choices = this.#choices;
    const screen = choices.screenOf(browser);
    const given = parsePoint(`${String(fieldOf(argument, 'x'))}, ${String(fieldOf(argument, 'y'))}`, screen);
    const point = given ?? (await askScrollPoint(screen, choices.get(browser).point));
    if (!point) return;
    choices.set(browser, { point });
    await this.#panels.panelOf(browser.id)?.showChoice();
  }

  /** Asks for the keys that are held from now on while the wheel of a browser is turned. */
  async #holdKeys(browser: Browser): Promise<void> {
    const choices = this.#choices;
    const hold = await askKeys(choices.get(browser).hold);
    if (!hold) return;
    choices.set(browser, { hold });
    await this.#panels.panelOf(browser.id)?.showChoice();
  }

  /** Takes a new picture in the panel of the browser, which is opened if necessary. */
  async #refreshPicture(browser: Browser): Promise<void> {
    const panel = this.#panels.panelOf(browser.id);
    if (panel) panel.refresh();
    else await this.#panels.show(browser);
  }

  /** Turns the wheel at the chosen point with the chosen keys held. */
  async #turn(browser: Browser, ticks: Ticks): Promise<void> {
    const client = await this.wiring.connection.client();
    const { point, hold } = this.#choices.get(browser);
    await turnWheel(client, browser, { point: this.#choices.pixelAt(browser, point), hold }, ticks);
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
  const [right, down] = ['right', 'down'].map((name) => fieldOf(argument, name) ?? 0);
  const areWhole = isWhole(right) && isWhole(down);
  return areWhole && (right !== 0 || down !== 0) ? { right, down } : undefined;
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value);
}
