import { type Clock, repeat, type Timer } from '../../base/clock';
import { LatestRun } from '../../base/latestRun';
import type { ShownSize } from '../../screen/pageSizes';
import type { Layer } from '../../screen/strokes';
import type { DevToolsAddress } from '../../service/devToolsAddress';
import {
  connectDevTools,
  connectionLost,
  onDisconnected,
  realWiring,
  type Connection,
  type ConnectionWiring,
  type Protocol,
} from '../protocol/connect';
import { isPopup } from '../inPage/surfaceCalls';
import { peek } from '../protocol/evaluate';
import { extensionOf } from '../protocol/extensionUrl';
import { isHiddenPage } from '../protocol/hiddenPage';
import { callOf } from '../protocol/pageCall';
import { isTurnPrevented, setZoom, untilZoomed } from './pageZoom';
import { ActivePages } from '../pages/activeTabs';
import type { FileChooser, PageDialog, PageEvents, PageFrame, PageHistory, PictureSize } from '../pages/pageModel';
import { PageScreen } from './pageScreen';
import { closeTab, HeldPage, isInWindow, listTabs, showTab, type Tab } from '../pages/tabs';
import type { HiddenTargets } from '../protocol/hiddenTargets';
import { Targets } from '../protocol/targets';

/** How long changes of pages are collected before they are shown, in milliseconds. */
const COALESCE_MS = 30;

/** How often the browser is asked whether another tab came to the front, which it does not report while another client emulates the focus (C-TAB-EMULATED). */
const FRONT_POLL_MS = 1000;

const NEW_TAB = 'chrome://newtab/';

/** What a browser shows. */
export interface ScreenView {
  tabs: readonly Tab[];
  /** The target of the tab in front; undefined when there is no tab. */
  front: string | undefined;
  history: PageHistory;
  isLoading: boolean;
  /** Identifies the document of the tab in front: another one after a reload, too. */
  document: string;
  /** By how much the browser zooms the tab in front, in percent. */
  zoom: number;
  /** The popup or side panel that is open. */
  surface: 'popup' | 'sidePanel' | undefined;
}

/** What a screen reports by itself. */
export interface ScreenEvents {
  onView: (view: ScreenView) => void;
  onFrame: (layer: Layer, frame: PageFrame) => void;
  /** Undefined when the dialog was closed. */
  onDialog: (layer: Layer, dialog: PageDialog | undefined) => void;
  /** A page asks for files; without this, the browser itself answers it. */
  onFileChooser?: (page: PageScreen, chooser: FileChooser) => void;
  /** The browser has ended or restarted, or the connection broke; not called after `close`. */
  onLost: () => void;
}

const NO_HISTORY: PageHistory = { url: '', title: '', canGoBack: false, canGoForward: false };

/**
 * What a browser shows, over a DevTools connection of its own, so that its pictures delay no push: the tab in front, and the popup or side panel
 * of an extension. Follows the browser when another tab comes to the front. While it is open, a cloud browser does not go to standby.
 */
export class RemoteScreen {
  readonly #targets: Targets;
  readonly #layers = new Map<Layer, PageScreen>();
  readonly #activePages: ActivePages;
  #frontTimer: Pick<Timer, 'clear'> | undefined;
  #tabs: readonly Tab[] = [];
  #surfaceKind: 'popup' | 'sidePanel' | undefined;
  #largest: PictureSize | undefined;
  #size: ShownSize | undefined;
  #isOpen = true;
  /** The tab that was brought to the front since the last reading. */
  #brought: string | undefined;
  readonly #readings = new LatestRun(async () => {
    const brought = this.#brought;
    this.#brought = undefined;
    // The connection is lost, or a page was closed meanwhile, of which there is an event.
    if (this.#isOpen) await this.#read(brought).catch(() => undefined);
  });

  private constructor(
    private readonly connection: Connection,
    private readonly events: ScreenEvents,
    private readonly clock: Clock,
  ) {
    this.#targets = new Targets(connection, () => void this.#update(), COALESCE_MS, clock);
    this.#activePages = new ActivePages(connection);
    onDisconnected(connection, () => {
      if (!this.#isOpen) return;
      this.#end();
      events.onLost();
    });
  }

  /**
   * Connects and finds the tab in front; without pictures until `start`. `hidden`: of the browser, which a debugger of this process asks.
   * @throws DevToolsError when it cannot be reached, or is lost meanwhile
   */
  static async open(
    address: DevToolsAddress,
    events: ScreenEvents,
    signal?: AbortSignal,
    { open, clock }: ConnectionWiring = realWiring,
    hidden?: HiddenTargets,
  ): Promise<RemoteScreen> {
    const connection = await connectDevTools(address, signal, undefined, open);
    hidden?.join(connection);
    const screen = new RemoteScreen(connection, events, clock);
    await screen.#update();
    if (!screen.isOpen) throw connectionLost();
    screen.#frontTimer = repeat(clock, FRONT_POLL_MS, () => void screen.#followFront());
    return screen;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get tabs(): readonly Tab[] {
    return this.#tabs;
  }

  /** What is shown on a layer; undefined when there is nothing. */
  page(layer: Layer): PageScreen | undefined {
    return this.#layers.get(layer);
  }

  /** Reports pictures from now on, none larger than `largest` in device pixels. */
  async start(largest: PictureSize): Promise<void> {
    this.#largest = largest;
    await Promise.all([...this.#layers.values()].map((page) => page.start(largest).catch(() => undefined)));
  }

  /** Brings a tab to the front; does nothing for one that is no longer there. */
  async show(targetId: string): Promise<void> {
    const tab = this.#tabs.find((known) => known.targetId === targetId);
    if (tab) await showTab(this.connection, tab);
    await this.#update(targetId);
  }

  /** Closes a tab; does nothing for one that is no longer there. */
  async closeTab(targetId: string): Promise<void> {
    const tab = this.#tabs.find((known) => known.targetId === targetId);
    if (tab) await closeTab(this.connection, tab);
  }

  /** Closes the popup or side panel. */
  async closeSurface(): Promise<void> {
    const surface = this.#layers.get('surface');
    if (surface) await this.connection.send('Target.closeTarget', { targetId: surface.targetId });
  }

  /** Opens a tab in front. */
  async newTab(): Promise<void> {
    const { targetId } = await this.connection.send('Target.createTarget', { url: NEW_TAB });
    await this.#update(targetId);
  }

  /**
   * Shows the tab in front, and each that comes to the front, in another size than its window's; undefined: in the window's again. A popup and
   * a side panel keep their size and sharpness (C-VIEW-POPUP).
   */
  async resize(size: ShownSize | undefined): Promise<void> {
    this.#size = size;
    await this.page('page')?.resize(size);
  }

  /** Zooms the tab in front, and with it its site, as the browser itself does it. False when this browser cannot be asked to. */
  async setZoom(percent: number): Promise<boolean> {
    const page = this.page('page');
    const url = (await page?.history())?.url;
    if (!page || url === undefined || !(await setZoom(this.connection, url, percent))) return false;
    await untilZoomed(page.session, percent, this.clock);
    await this.#update();
    return true;
  }

  /** Turns the wheel with Control held over the tab in front. False when the page has not handled that itself: then it means to zoom. */
  async turnWithControl(wheel: Parameters<PageScreen['turn']>[0]): Promise<boolean> {
    const page = this.page('page');
    if (!page) return true;
    const point = { x: page.toCss(wheel.x), y: page.toCss(wheel.y) };
    return await isTurnPrevented(page.session, point, () => page.turn(wheel), this.clock);
  }

  /** Ends all of it: sizes, pictures, the connection. */
  close(): void {
    this.#end();
    this.connection.dispose();
  }

  #end(): void {
    this.#isOpen = false;
    this.#frontTimer?.clear();
  }

  /** Shows the tab that came to the front, of which there may be no event. */
  async #followFront(): Promise<void> {
    if (await this.#hasOtherFront().catch(() => false)) await this.#update();
  }

  /** Whether the tab that is shown is no longer in front, as far as other clients may keep it from saying so: they are attached to other tabs, too. */
  async #hasOtherFront(): Promise<boolean> {
    const shown = this.page('page')?.targetId;
    const ids = this.#tabs.map(({ targetId }) => targetId);
    const isOfOthers = ({ targetId, attached }: Protocol.Target.TargetInfo): boolean =>
      attached && targetId !== shown && ids.includes(targetId);
    if (shown === undefined || !(await this.#targets.list()).some(isOfOthers)) return false;
    return (await this.#activePages.among(ids))?.has(shown) === false;
  }

  /** Reads what is in front. `front`: a tab that was brought there. One reading at a time; a change during one is followed by another. */
  async #update(front?: string): Promise<void> {
    this.#brought = front ?? this.#brought;
    await this.#readings.run();
  }

  async #read(brought: string | undefined): Promise<void> {
    this.#tabs = await listTabs({ connection: this.connection, targets: this.#targets });
    // One that was brought to the front may be gone by now.
    const isThere = this.#tabs.some(({ targetId }) => targetId === brought);
    const front = isThere ? brought : await this.#findFront();
    await this.#setLayer('page', front);
    const surface = await this.#findSurface();
    await this.#setLayer('surface', surface);
    const page = this.page('page');
    const [history] = await Promise.all([
      page?.history().catch(() => undefined),
      page?.readZoom(),
      this.page('surface')?.readZoom(),
    ]);
    if (!this.#isOpen) return;
    this.events.onView({
      tabs: this.#tabs,
      front,
      history: history ?? NO_HISTORY,
      isLoading: page?.isLoading ?? false,
      document: page?.document ?? '',
      zoom: page?.zoom ?? 100,
      surface: this.page('surface') && this.#surfaceKind,
    });
  }

  /**
   * The tab that is shown already, if it is still in front; else the one opened last of those that are in front in their windows. Where none says that
   * it is, one that says nothing, as behind a dialog.
   */
  async #findFront(): Promise<string | undefined> {
    const open = this.#tabs.map(({ targetId }) => targetId);
    const active = await this.#activePages.among(open);
    const ids = active ? open.filter((id) => active.has(id)) : open;
    if (ids.length === 1) return ids[0];
    const shown = this.page('page');
    const isThere = shown !== undefined && ids.includes(shown.targetId);
    if (isThere && (await isVisible(shown.session, this.clock)) !== false) return shown.targetId;
    const visible = await Promise.all(ids.map((targetId) => this.#isVisible(targetId)));
    const front = ids.findLast((_, at) => visible[at] === true) ?? ids.findLast((_, at) => visible[at] === undefined);
    return front ?? (isThere ? shown.targetId : ids.at(-1));
  }

  async #isVisible(targetId: string): Promise<boolean | undefined> {
    const held = await HeldPage.hold(this.connection, { targetId, url: '' }).catch(() => undefined);
    if (!held) return undefined;
    try {
      return await isVisible(held.session, this.clock);
    } finally {
      await held.release();
    }
  }

  async #findSurface(): Promise<string | undefined> {
    const pages = (await this.#targets.list()).filter(
      ({ type, url }) => type === 'page' && extensionOf(url) !== undefined && !isHiddenPage(url),
    );
    const isTab = await Promise.all(pages.map(({ targetId }) => isInWindow(this.connection, targetId)));
    return pages.findLast((_, at) => !isTab[at])?.targetId;
  }

  async #setLayer(layer: Layer, targetId: string | undefined): Promise<void> {
    const shown = this.page(layer);
    if (shown?.targetId === targetId) return;
    this.#layers.delete(layer);
    this.events.onDialog(layer, undefined);
    void shown?.close();
    if (targetId === undefined) return;
    const { onFileChooser } = this.events;
    const own: { page?: PageScreen } = {};
    /** What was under way when another page came in its place is nothing of that one. */
    const isShown = (): boolean => !own.page || this.#layers.get(layer) === own.page;
    const events: PageEvents = {
      onFrame: (frame) => {
        if (own.page && isShown()) this.events.onFrame(layer, frame);
      },
      onDialog: (dialog) => {
        if (isShown()) this.events.onDialog(layer, dialog);
      },
      ...(onFileChooser && {
        onFileChooser: (chooser: FileChooser) => {
          if (own.page && isShown()) onFileChooser(own.page, chooser);
        },
      }),
      onChange: () => void this.#update(),
    };
    const page = await PageScreen.attach(this.connection, targetId, events, this.clock);
    own.page = page;
    this.#layers.set(layer, page);
    if (layer === 'surface')
      this.#surfaceKind = (await peek(page.session, callOf(isPopup), this.clock)) === true ? 'popup' : 'sidePanel';
    if (layer === 'page' && this.#size) await page.resize(this.#size);
    if (this.#largest) await page.start(this.#largest);
  }
}

/** Whether a page is in front; undefined when it does not answer, as behind a dialog. */
async function isVisible(session: PageScreen['session'], clock: Clock): Promise<boolean | undefined> {
  const state = await peek(session, 'document.visibilityState', clock);
  return state === undefined ? undefined : state === 'visible';
}
