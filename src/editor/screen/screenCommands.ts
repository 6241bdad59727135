import * as l10n from '@vscode/l10n';
import { Uri } from 'vscode';
import type { RemoteScreen } from '../../devtools/screen/remoteScreen';
import { fieldOf, optionalText } from '../../base/fields';
import { COMMANDS } from '../../ids';
import type { HostMessage, Point } from '../../screen/protocol';
import { isSizeName, SIZES } from '../../screen/pageSizes';
import { isZoom, MAX_ZOOM, ZOOM_LEVELS, ZoomWheel } from '../../screen/zoom';
import type { BrowserService } from '../../service/browserService';
import type { Browser } from '../../service/model';
import type { BrowserWiring } from '../browsers/browserWiring';
import type { Handler } from '../commandRegistry';
import { UserError } from '../errorTexts';
import { browserLabel } from '../lists/labels';
import { askText, pick, showInformation } from '../notify';
import { doRequest, type BrowserRequest } from './screenRequests';
import type { ScrollChoices } from './scrollChoices';
import { askPoint } from './scrollQuestions';
import type { ScreenPanels } from './screenPanels';
import { wholeScreenProblem } from './serviceScreen';
import { openScreen, screenAddress } from './streamSource';
import { siteOf } from './viewMessage';

/** What a command does with the browser that it is for. */
export type BrowserAct = (browser: Browser, argument: unknown) => Promise<void>;

/** What the commands need of the panels. */
export interface ScreenAccess {
  /** A command for the browser of its argument, else the one of the active panel, else the push target, else one that the user picks. */
  on: (act: BrowserAct) => Handler;
  panels: ScreenPanels;
  /** Of the service in use. */
  choices: () => ScrollChoices;
}

/**
 * Commands for all that the screen can do, with or without its panel. Each takes an object with what it would ask for: `browser` (name or id),
 * `address`, `size` and `rotated`, `x` and `y`, `text`, `tab` (title or address, with `close`), `percent`, `accept`, `whole`, `record`, `file`.
 */
export class ScreenCommands {
  readonly #client = (): Promise<BrowserService> => this.wiring.connection.client();

  constructor(
    private readonly wiring: BrowserWiring,
    private readonly access: ScreenAccess,
  ) {}

  get handlers() {
    const { on } = this.access;
    return {
      [COMMANDS.screenBack]: on((browser) => this.#send(browser, [{ kind: 'history', by: -1 }])),
      [COMMANDS.screenForward]: on((browser) => this.#send(browser, [{ kind: 'history', by: 1 }])),
      [COMMANDS.screenReload]: on((browser) => this.#send(browser, [{ kind: 'history', by: 0 }])),
      [COMMANDS.screenNewTab]: on((browser) => this.#send(browser, [{ kind: 'newTab' }])),
      [COMMANDS.screenGo]: on((browser, argument) => this.#go(browser, argument)),
      [COMMANDS.screenSize]: on((browser, argument) => this.#resize(browser, argument)),
      [COMMANDS.screenClick]: on((browser, argument) => this.#click(browser, argument)),
      [COMMANDS.screenType]: on((browser, argument) => this.#type(browser, argument)),
      [COMMANDS.screenTab]: on((browser, argument) => this.#tab(browser, argument)),
      [COMMANDS.screenZoom]: on((browser, argument) => this.#zoom(browser, argument)),
      [COMMANDS.screenDescribe]: on((browser, argument) => this.#describe(browser, argument)),
      [COMMANDS.screenAnswer]: on((browser, argument) => this.#answer(browser, argument)),
      [COMMANDS.screenCloseSurface]: on((browser) => this.#send(browser, [{ kind: 'closeSurface' }])),
      [COMMANDS.screenWhole]: on((browser, argument) => this.#showWhole(browser, argument)),
      [COMMANDS.savePicture]: on((browser, argument) => this.#savePicture(browser, argument)),
      [COMMANDS.screenRecord]: on((browser, argument) => this.#record(browser, argument)),
    };
  }

  async #go(browser: Browser, argument: unknown): Promise<void> {
    const title = l10n.t('Go to Address');
    const prompt = l10n.t('Address to show in the browser, such as example.com');
    const text = optionalText(argument, 'address') ?? (await askText({ title, prompt }));
    if (text !== undefined && text !== '') await this.#send(browser, [{ kind: 'address', text }]);
  }

  /** Chooses a size in the screen of a browser, which is opened for it: the size ends with that. */
  async #resize(browser: Browser, argument: unknown): Promise<void> {
    // A browser without DevTools, or whose address is refused, has no sizes to choose from.
    await screenAddress(browser, this.#client);
    const named = fieldOf(argument, 'size');
    const choices = Object.entries(SIZES).map(([label, size]) => ({
      label,
      description: size ? `${size.width} × ${size.height}` : '',
    }));
    const placeHolder = l10n.t(
      'Size of the page, as long as its screen is open: “fit” is as large as the screen’s place',
    );
    const size = isSizeName(named) ? named : (await pick(choices, { placeHolder }))?.label;
    if (!isSizeName(size)) return;
    const panels = this.access.panels;
    await panels.reveal(browser);
    await panels.panelOf(browser.id)?.chooseSize(size, fieldOf(argument, 'rotated') === true);
  }

  async #click(browser: Browser, argument: unknown): Promise<void> {
    const point = pointOf(argument) ?? (await this.#askPoint(browser, l10n.t('Click at a Point')));
    if (!point) return;
    const stroke = { kind: 'mouse', layer: 'page', ...point, button: 0, modifiers: 0 } as const;
    await this.#send(browser, [
      { ...stroke, type: 'move', button: -1, buttons: 0, clicks: 0 },
      { ...stroke, type: 'down', buttons: 1, clicks: 1 },
      { ...stroke, type: 'up', buttons: 0, clicks: 1 },
    ]);
  }

  async #type(browser: Browser, argument: unknown): Promise<void> {
    const title = l10n.t('Type into the Page');
    const prompt = l10n.t('Text for the field that has the focus in the page');
    const text = optionalText(argument, 'text') ?? (await askText({ title, prompt }));
    if (text !== undefined && text !== '') await this.#send(browser, [{ kind: 'text', layer: 'page', text }]);
  }

  /** Shows or closes the tab that `tab` names by its title or address. */
  async #tab(browser: Browser, argument: unknown): Promise<void> {
    await this.#withScreen(browser, async (screen) => {
      const named = optionalText(argument, 'tab');
      const choices = screen.tabs.map(({ targetId, title, url }) => ({ label: title, description: url, targetId }));
      const chosen =
        named === undefined
          ? await pick(choices, { placeHolder: l10n.t('Select the tab') })
          : choices.find(({ label, description }) => label === named || description === named);
      if (named !== undefined && !chosen) {
        throw new UserError(l10n.t('No tab has the title or address "{0}". Leave out `tab` to select one.', named));
      }
      if (!chosen) return;
      const act = fieldOf(argument, 'close') === true ? 'close' : 'show';
      await this.#request(browser, screen, { kind: 'tab', act, id: chosen.targetId });
    });
  }

  async #zoom(browser: Browser, argument: unknown): Promise<void> {
    const given = fieldOf(argument, 'percent');
    const choices = ZOOM_LEVELS.map((level) => ({ label: l10n.t('Zoom {0} %', level), level }));
    const placeHolder = l10n.t('Zoom of the page and of its site in this browser');
    const percent = given ?? (await pick(choices, { placeHolder }))?.level;
    if (percent === undefined) return;
    if (!isZoom(percent)) {
      throw new UserError(l10n.t('Give the zoom as a number from {0} to {1}.', ZOOM_LEVELS[0], MAX_ZOOM));
    }
    await this.#send(browser, [{ kind: 'zoom', percent }]);
  }

  async #describe(browser: Browser, argument: unknown): Promise<void> {
    const point = pointOf(argument) ?? (await this.#askPoint(browser, l10n.t('Say What Is at a Point')));
    if (point) await this.#send(browser, [{ kind: 'describe', ...point }]);
  }

  /** Answers the dialog of a page by `accept` and `text`; asks for what is not given. */
  async #answer(browser: Browser, argument: unknown): Promise<void> {
    // Only a client that was there when a dialog was opened can answer it.
    const screen = this.access.panels.panelOf(browser.id)?.screen;
    const page = [screen?.page('surface'), screen?.page('page')].find((each) => each?.dialog);
    if (!page?.dialog) {
      const name = browserLabel(browser);
      throw new UserError(
        l10n.t('{0} has no dialog that can be answered. Its screen must be open before the dialog.', name),
      );
    }
    const { dialog } = page;
    const { type, url, message, prompt } = dialog;
    const asked = l10n.t('The page of {0} says: {1}', siteOf(url), message);
    const given = fieldOf(argument, 'accept');
    const choices = [
      { label: l10n.t('OK'), accept: true },
      { label: l10n.t('Cancel'), accept: false },
    ];
    const accept = typeof given === 'boolean' ? given : (await pick(choices, { placeHolder: asked }))?.accept;
    if (accept === undefined) return;
    const isAsked = accept && type === 'prompt' && given === undefined && optionalText(argument, 'text') === undefined;
    const title = l10n.t('Answer to the dialog of the page');
    const typed = isAsked
      ? await askText({ title, prompt: asked, value: prompt })
      : (optionalText(argument, 'text') ?? prompt);
    if (typed === undefined) return;
    // The page may show another one by now.
    const isAnswered = page.dialog === dialog && (await page.answer(accept, typed));
    if (!isAnswered)
      throw new UserError(
        l10n.t('The dialog was closed before it was answered. If the page shows another one, answer that.'),
      );
  }

  /** Shows the whole screen with `whole` true, the page with false, the other one without it. The screen is opened for it. */
  async #showWhole(browser: Browser, argument: unknown): Promise<void> {
    const problem = wholeScreenProblem(browser, this.wiring.connection.isEmbedded);
    if (problem !== undefined) throw new UserError(problem);
    const wanted = fieldOf(argument, 'whole');
    const panels = this.access.panels;
    await panels.reveal(browser);
    await panels.panelOf(browser.id)?.setWhole(typeof wanted === 'boolean' ? wanted : undefined);
  }

  async #savePicture(browser: Browser, argument: unknown): Promise<void> {
    const panel = this.access.panels.panelOf(browser.id);
    if (panel) {
      await panel.files.savePicture(fileOf(argument));
      return;
    }
    const { savePicture } = await import('./screenFiles');
    await savePicture(await (await this.#client()).screenshot(browser.id), browser, fileOf(argument));
  }

  /** Begins a recording with `record` true, for which the screen is opened, and ends it with false; without it one or the other. */
  async #record(browser: Browser, argument: unknown): Promise<void> {
    const wanted = fieldOf(argument, 'record');
    const act = typeof wanted === 'boolean' ? (wanted ? 'start' : 'stop') : 'toggle';
    const panels = this.access.panels;
    // The page of the screen records, as long as it is shown.
    if (act !== 'stop') await panels.reveal(browser);
    await panels.panelOf(browser.id)?.files.record(act, fileOf(argument));
  }

  #askPoint(browser: Browser, title: string): Promise<Point | undefined> {
    const prompt = l10n.t('X and Y in CSS pixels of the page, for example “640, 400”.');
    return askPoint(this.access.choices().pageOf(browser), { title, prompt });
  }

  async #send(browser: Browser, requests: readonly BrowserRequest[]): Promise<void> {
    await this.#withScreen(browser, (screen) => this.#request(browser, screen, ...requests));
  }

  async #request(browser: Browser, screen: RemoteScreen, ...requests: BrowserRequest[]): Promise<void> {
    const zoomWheel = new ZoomWheel();
    const post = (message: HostMessage): Promise<void> => {
      if (message.kind === 'notice') showInformation(message.message);
      if (message.kind === 'say') showInformation(message.text);
      return Promise.resolve();
    };
    const reach = (address: string): Promise<boolean> => this.wiring.localhost.reach(browser, address);
    for (const request of requests) await doRequest(request, { screen, zoomWheel, post, reach });
  }

  /** By the panel of the browser, else over a connection that ends afterwards. */
  async #withScreen(browser: Browser, act: (screen: RemoteScreen) => Promise<void>): Promise<void> {
    const open = this.access.panels.panelOf(browser.id)?.screen;
    const nothing = (): void => undefined;
    const events = { onView: nothing, onFrame: nothing, onDialog: nothing, onLost: nothing };
    const screen = open ?? (await openScreen(this.wiring, browser, events, this.#client));
    try {
      await act(screen);
      // Input is sent without waiting for it: an answer of the same page comes after it.
      if (!open) await screen.page('page')?.history();
    } finally {
      if (!open) screen.close();
    }
  }
}

function pointOf(argument: unknown): Point | undefined {
  const [x, y] = [fieldOf(argument, 'x'), fieldOf(argument, 'y')];
  return typeof x === 'number' && typeof y === 'number' && x >= 0 && y >= 0 ? { x, y } : undefined;
}

/** The file that `file` of an argument names by its path. */
function fileOf(argument: unknown): Uri | undefined {
  const path = optionalText(argument, 'file');
  return path === undefined || path === '' ? undefined : Uri.file(path);
}
