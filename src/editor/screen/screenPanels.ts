import * as l10n from '@vscode/l10n';
import { commands, ViewColumn, window, type WebviewView } from 'vscode';
import { fieldOf, optionalText } from '../../base/fields';
import { CONTEXT, VIEWS } from '../../ids';
import type { Browser } from '../../service/model';
import type { BrowserWiring } from '../browsers/browserWiring';
import { pickBrowser } from '../browsers/pickBrowser';
import { keyInService } from '../service/keyInService';
import { chosenBrowser } from './chosenBrowser';
import { GivenFiles } from './givenFiles';
import { LastEditor } from './lastEditor';
import { pushTexts } from './pushTexts';
import type { AllChoices } from './scrollChoices';
import { editorHost, viewHost, type PanelHost } from './panelHost';
import { ScrollPanel } from './screenPanel';

/** Where a screen can be opened: beside the active editor, in its group, or in the sidebar. */
export const SCREEN_PLACES = ['beside', 'tab', 'sidebar'] as const;
export type ScreenPlaceName = (typeof SCREEN_PLACES)[number];

/** Which browser the view of the sidebar shows: its id, and its service by `ServiceConnection.key`. */
const VIEW_KEY = 'screenViewOf';

/** The screens that are open: one editor tab for each browser, and the view of the sidebar, which shows one of them. */
export class ScreenPanels {
  readonly #open = new Set<ScrollPanel>();
  readonly #given: GivenFiles;
  readonly #lastEditor = new LastEditor();
  /** The time of the push that the panels of each browser have marked last, by `keyInService`. */
  readonly #marked = new Map<string, number>();
  /** The browsers of the list when it was loaded last. */
  #listed: ReadonlySet<string> = new Set();
  #view: ScrollPanel | undefined;
  /** The browser that the view is to show when VS Code creates it. */
  #forView: Browser | undefined;

  constructor(
    private readonly wiring: BrowserWiring,
    private readonly choices: AllChoices,
  ) {
    this.#given = new GivenFiles({
      folder: (browser) => this.#uploadsFolder(browser),
      isLocal: () => wiring.connection.isLocal,
      log: wiring.log,
    });
    wiring.own(
      this.#lastEditor,
      // After a push one wants to see the page.
      wiring.records.onDidChange((browserId) => this.#showPush(browserId)),
      wiring.lists.browsers.onDidLoad(() => {
        this.#checkGone();
        this.#followAgain();
      }),
      window.registerWebviewViewProvider(VIEWS.screen, {
        resolveWebviewView: (view) => this.#createView(view),
      }),
      { dispose: () => this.#open.forEach((panel) => panel.end()) },
    );
  }

  /** Shows the screen of a browser, in its editor tab where it has one unless another place is wanted. */
  async show(browser: Browser, place: ScreenPlaceName = 'beside'): Promise<void> {
    void commands.executeCommand('setContext', CONTEXT.hasShownScreen, true);
    if (place === 'sidebar') {
      await this.#showInView(browser);
      return;
    }
    const open = this.#editorOf(browser.id);
    if (open) {
      open.place.reveal();
      return;
    }
    const column = place === 'tab' ? ViewColumn.Active : ViewColumn.Beside;
    this.#create(editorHost(column, this.wiring.context.extensionUri), browser);
  }

  /** Shows the screen that a browser has, else opens one beside the active editor. */
  async reveal(browser: Browser): Promise<void> {
    const panel = this.panelOf(browser.id);
    if (panel) panel.place.reveal();
    else await this.show(browser);
  }

  /** The screen of a browser: its editor tab, else the view. Undefined when neither shows it. */
  panelOf(browserId: string): ScrollPanel | undefined {
    return this.#editorOf(browserId) ?? [...this.#open].find((panel) => panel.shows(browserId));
  }

  /**
   * The browser of the screen that is the active editor.
   * @throws UserError when it is one of another service
   */
  get active(): Browser | undefined {
    const panel = [...this.#open].find(({ place }) => place.isActive);
    panel?.requireService();
    return panel?.browser;
  }

  /** Asks for a browser; undefined when the user cancels. */
  pick(): Promise<Browser | undefined> {
    return pickBrowser(this.wiring.connection, l10n.t('Select the browser to show'));
  }

  #editorOf(browserId: string): ScrollPanel | undefined {
    return [...this.#open].find((panel) => panel.place.kind === 'editor' && panel.shows(browserId));
  }

  /** A folder on a browser's machine for files that are given to pages. */
  async #uploadsFolder({ id }: Browser): Promise<string> {
    const { connection, engines } = this.wiring;
    const [client, engine] = await Promise.all([connection.client(), engines.load()]);
    const machines = engine.machinesOf(client);
    if (!machines.isCertain) await machines.list(client, id);
    return machines.uploads;
  }

  #create(place: PanelHost, first?: Browser): ScrollPanel {
    const panel: ScrollPanel = new ScrollPanel(this.wiring, {
      place,
      first,
      browser: () => this.#browserOfView(),
      choices: this.choices,
      lastEditor: this.#lastEditor,
      choose: () => this.#chooseFor(panel),
      onClosed: () => {
        this.#open.delete(panel);
        if (this.#view === panel) this.#view = undefined;
      },
      onShown: (shown, service) => {
        this.#showPush(shown.id);
        const view = { service, browser: shown.id };
        if (place.kind === 'view') void this.wiring.context.workspaceState.update(VIEW_KEY, view);
      },
      given: this.#given,
    });
    this.#open.add(panel);
    return panel;
  }

  #createView(view: WebviewView): void {
    this.#view = this.#create(viewHost(view, this.wiring.context.extensionUri));
  }

  async #showInView(browser: Browser): Promise<void> {
    this.#forView = browser;
    await commands.executeCommand(`${VIEWS.screen}.focus`);
    const view = this.#view;
    // Otherwise VS Code is about to create it.
    if (!view) return;
    this.#forView = undefined;
    if (!view.shows(browser.id)) await view.show(browser);
  }

  /** The browser that the view is opened for, else the one that it has shown last while that runs, else the one that pushes go to. */
  async #browserOfView(): Promise<Browser | undefined> {
    const wanted = this.#forView;
    this.#forView = undefined;
    if (wanted) return wanted;
    const { connection, context } = this.wiring;
    const view = context.workspaceState.get(VIEW_KEY);
    const last = fieldOf(view, 'service') === connection.key ? optionalText(view, 'browser') : undefined;
    const client = await connection.client();
    return (last === undefined ? undefined : await client.findBrowser(last)) ?? (await chosenBrowser(this.wiring));
  }

  /** Another browser for a panel; undefined when it has an editor tab already, which is shown instead. */
  async #chooseFor(panel: ScrollPanel): Promise<Browser | undefined> {
    const browser = await this.pick();
    const other = browser && this.#editorOf(browser.id);
    if (!other || other === panel || panel.place.kind === 'view') return browser;
    other.place.reveal();
    panel.dispose();
    return undefined;
  }

  /** A panel whose browser has left the list notices by its next picture when that browser has ended. */
  #checkGone(): void {
    const listed = new Set(this.wiring.lists.browsers.items.map(({ id }) => id));
    for (const panel of this.#open) {
      const id = panel.isOfService ? panel.browser?.id : undefined;
      if (id !== undefined && this.#listed.has(id) && !listed.has(id)) panel.checkGone();
    }
    this.#listed = listed;
  }

  /** A panel whose browser has ended shows the one of the same name that Sideload has started in its place, not one of somebody else. */
  #followAgain(): void {
    const { lists, ownBrowsers } = this.wiring;
    const own = lists.browsers.items.filter(({ id }) => ownBrowsers.wasStarted(id));
    for (const panel of this.#open) {
      const name = panel.isGone && panel.isOfService ? panel.browser?.name : undefined;
      const again = name === undefined || name === '' ? undefined : own.find((browser) => browser.name === name);
      if (!again || again.id === panel.browser?.id) continue;
      if (panel.place.kind === 'view' || !this.#editorOf(again.id)) void panel.show(again);
    }
  }

  /** Shows in the panels of a browser what its last push has done; marks the picture once for each push. */
  #showPush(browserId: string): void {
    const panels = [...this.#open].filter((panel) => panel.shows(browserId));
    if (panels.length === 0) return;
    const { connection, records } = this.wiring;
    const record = records.get(browserId);
    const key = keyInService(connection.key, browserId);
    const isNew = record !== undefined && this.#marked.get(key) !== record.at && !records.isPushing(browserId);
    for (const panel of panels) panel.showPush(pushTexts(record, records.isPushing(browserId), isNew));
    if (isNew) this.#marked.set(key, record.at);
  }
}
