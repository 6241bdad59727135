import * as l10n from '@vscode/l10n';
import { commands } from 'vscode';
import { COMMANDS, CONTEXT, VIEWS } from '../../ids';
import type { Browser, Profile, StoredExtension } from '../../service/model';
import type { Identified } from '../../service/operations/pagedRequest';
import type { Reach } from '../lists/listOptions';
import { ListView } from '../lists/listView';
import { browserNode, extensionNode, profileNode, type Node, type PushRole } from '../lists/nodes';
import { ProfileUsers } from '../lists/profileUsers';
import { RequestHold } from '../lists/requestHold';
import { itemOf } from '../lists/row';
import { TabScripts } from '../lists/tabScripts';
import { askText } from '../notify';
import type { ServiceConnection } from '../service/connection';
import { serviceName } from '../service/serviceName';
import { readContents, readContexts, type ContentWiring } from './readContents';
import { removeIfGone } from './gone';
import { listRunning } from './pickBrowser';
import { enteredRecords } from './pickRecord';
import type { PushPins } from '../targets/pins';
import { isChosen, type PushTarget } from '../targets/target';

type ListWiring = ContentWiring & { target: PushTarget; pins: PushPins };

/** Events of a browser within this time are answered by one reading, in milliseconds. */
const COALESCE_MS = 100;

/** The three lists of the sidebar: browsers, profiles and stored extensions. They load when they become visible. */
export class ServiceLists {
  readonly browsers: ListView<Browser>;
  readonly profiles: ListView<Profile>;
  readonly extensions: ListView<StoredExtension>;
  readonly handlers = {
    [COMMANDS.refresh]: () => this.#refreshByHand(),
    [COMMANDS.loadMore]: (id: unknown) => this.#loadMore(id),
    [COMMANDS.searchBrowsers]: () =>
      search(this.browsers, l10n.t('Search Browsers'), l10n.t('Part of the name or the id'), CONTEXT.browsersSearched),
    [COMMANDS.searchProfiles]: () =>
      search(this.profiles, l10n.t('Search Profiles'), l10n.t('Part of the name or the id'), CONTEXT.profilesSearched),
    [COMMANDS.clearBrowserSearch]: () => setQuery(this.browsers, undefined, CONTEXT.browsersSearched),
    [COMMANDS.clearProfileSearch]: () => setQuery(this.profiles, undefined, CONTEXT.profilesSearched),
  };
  readonly #hold = new RequestHold();
  readonly #scripts = new TabScripts();
  /** Of the browsers that are listed. */
  #users = new ProfileUsers([]);
  /** By the id of a browser that has reported a change. */
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** How the last attempt to load the browsers ended; undefined before the first one with the service. */
  #reach: Reach | undefined;

  constructor(private readonly wiring: ListWiring) {
    const { connection, log, target, pins, records, devTools, localhost } = wiring;
    // Before the lists, which load again then.
    const reconnected = connection.onDidChange(() => {
      this.#hold.clear();
      setContext(CONTEXT.browsersSearched, false);
      setContext(CONTEXT.profilesSearched, false);
      this.#noteReach(undefined);
      void resetReach(connection);
    });
    const shared = { connection, log, hold: this.#hold };
    this.browsers = new ListView<Browser>({
      ...shared,
      id: VIEWS.browsers,
      load: (client, query, offset, signal) => client.pageOfBrowsers(queryOf(query), offset, signal),
      node: (browser, isEntered) =>
        browserNode(browser, {
          role: roleOf(browser, pins, target),
          push: records.get(browser.id),
          errors: records.errorsIn(browser.id),
          isEntered,
          now: Date.now(),
        }),
      entered: () => listRunning(connection),
      unlistedText: () => l10n.t('This service does not list browsers. Shown are those whose ids were entered.'),
      childrenOf: (row) => {
        const browser = itemOf(row, 'browser');
        const extension = itemOf(row, 'browserExtension');
        if (browser?.devToolsUrl === '') return undefined;
        if (browser) {
          const onFailure = (): unknown => removeIfGone({ ...wiring, lists: this }, browser);
          return () => readContents(wiring, browser, this.#scripts, onFailure);
        }
        if (extension?.extension.enabled !== true) return undefined;
        return (isWanted) =>
          readContexts(wiring, extension, (tabs) => {
            const { id } = extension.browser;
            // What was read for a row that was collapsed meanwhile would be shown on, since nothing is read for it any more.
            if (isWanted() && this.#scripts.note(extension, tabs)) void this.browsers.redrawChildren(id);
          });
      },
      onCollapsed: (row) => this.#forgetScripts(row),
      description: serviceName,
      welcomeSaysWhy: true,
      onReached: (reach) => {
        showReach(reach);
        this.#noteReach(reach);
        setContext(CONTEXT.browsersUnlisted, reach === 'unlisted');
      },
    });
    this.profiles = new ListView<Profile>({
      ...shared,
      id: VIEWS.profiles,
      load: async (client, query, offset, signal) => {
        // Rows say which browsers use a profile. A list in sight loads itself: while the service is down, it would be asked twice as often.
        if (!this.browsers.isVisible) void this.browsers.load();
        return await client.pageOfProfiles(queryOf(query), offset, signal);
      },
      node: (profile, isEntered) => this.#profileNode(profile, isEntered),
      entered: () => Promise.resolve(enteredRecords(connection, 'profile')),
      unlistedText: () => l10n.t('This service does not list profiles. Shown are those that were entered.'),
      onReached: (reach) => setContext(CONTEXT.profilesUnlisted, reach === 'unlisted'),
    });
    this.extensions = new ListView<StoredExtension>({
      ...shared,
      id: VIEWS.extensions,
      load: (client, query, offset, signal) => client.pageOfExtensions(queryOf(query), offset, signal),
      node: (extension, isEntered) => extensionNode(extension, { isEntered, now: Date.now() }),
      entered: () => Promise.resolve(enteredRecords(connection, 'extension')),
      unlistedText: () => l10n.t('This service does not list stored extensions. Shown are those that were entered.'),
      onReached: (reach) => setContext(CONTEXT.extensionsUnlisted, reach === 'unlisted'),
    });
    const redraw = (): void => this.browsers.redraw();
    const readAgain = ({ id }: Browser): void => this.#readSoon(id);
    wiring.own(
      { dispose: () => this.#timers.forEach((timer) => clearTimeout(timer)) },
      reconnected,
      connection.entered.onDidChange((kind) => {
        const list = { browser: this.browsers, profile: this.profiles, extension: this.extensions }[kind];
        if (list.isUnlisted) void list.refresh();
      }),
      target.onDidChange(redraw),
      pins.onDidChange(redraw),
      records.onDidChange((id) => {
        this.browsers.redraw();
        void this.browsers.refreshChildren(id);
      }),
      devTools.onExtensions(readAgain),
      localhost.onDidChange(() => {
        for (const { id } of this.browsers.items) void this.browsers.redrawChildren(id);
      }),
      devTools.onPages(readAgain),
      devTools.onWorker(({ browser }) => readAgain(browser)),
      this.browsers.onDidLoad(() => {
        const { items } = this.browsers;
        void target.follow(items);
        void pins.follow(items);
        records.follow(items);
        this.profiles.redraw();
        this.#showWhetherNone();
      }),
      this.browsers,
      this.profiles,
      this.extensions,
    );
    void resetReach(connection);
  }

  #noteReach(reach: Reach | undefined): void {
    this.#reach = reach;
    // What was loaded is not in place yet.
    if (reach !== 'reached') this.#showWhetherNone();
  }

  /** The welcome text says that no browser runs only where the service has just said so. */
  #showWhetherNone(): void {
    setContext(CONTEXT.noBrowsers, this.#reach === 'reached' && this.browsers.items.length === 0);
  }

  /** Loads all lists again. Never rejects: each list shows its own failure. */
  async refresh(): Promise<void> {
    await Promise.all([this.browsers.refresh(), this.profiles.refresh(), this.extensions.refresh()]);
  }

  /** Nothing is read any more below a row that is collapsed. */
  #forgetScripts(row: Node<unknown>): void {
    const extension = itemOf(row, 'browserExtension');
    const id = itemOf(row, 'browser')?.id ?? extension?.browser.id;
    if (id !== undefined && this.#scripts.forget(id, extension?.extension.id)) void this.browsers.redrawChildren(id);
  }

  /** Reads what is in a browser once for the events of one change: a reload of an extension causes about ten. */
  #readSoon(id: string): void {
    if (this.#timers.has(id)) return;
    const read = (): void => {
      this.#timers.delete(id);
      void this.browsers.refreshChildren(id);
    };
    this.#timers.set(id, setTimeout(read, COALESCE_MS));
  }

  /** As `refresh`, with what is below the rows, and with another attempt for a token that was refused. */
  async #refreshByHand(): Promise<void> {
    this.#hold.retry();
    (await this.wiring.connection.client().catch(() => undefined))?.forgetMissing();
    await Promise.all([this.browsers.refreshAll(), this.profiles.refreshAll(), this.extensions.refreshAll()]);
  }

  /** The next page of the list `id`; by the command palette, of each visible list. */
  async #loadMore(id: unknown): Promise<void> {
    const lists = {
      [VIEWS.browsers]: this.browsers,
      [VIEWS.profiles]: this.profiles,
      [VIEWS.extensions]: this.extensions,
    };
    const chosen = Object.entries(lists).filter(([view, list]) =>
      typeof id === 'string' ? id === view : list.isVisible,
    );
    await Promise.all(chosen.map(([, list]) => list.loadMore()));
  }

  #profileNode(profile: Profile, isEntered: boolean): Node<Profile> {
    const { items } = this.browsers;
    if (this.#users.browsers !== items) this.#users = new ProfileUsers(items);
    return profileNode(profile, this.#users.of(profile), { isEntered, now: Date.now() });
  }
}

function queryOf(query: string | undefined): { query?: string } {
  return query === undefined ? {} : { query };
}

/** Asks for a text and shows only what the service finds for it; an empty text shows all again. */
async function search<T extends Identified>(
  list: ListView<T>,
  title: string,
  prompt: string,
  context: string,
): Promise<void> {
  const text = await askText({
    title,
    prompt,
    value: list.query ?? '',
    placeHolder: l10n.t('Empty shows all'),
  });
  if (text === undefined) return;
  await setQuery(list, text.trim() === '' ? undefined : text.trim(), context);
}

async function setQuery<T extends Identified>(
  list: ListView<T>,
  query: string | undefined,
  context: string,
): Promise<void> {
  setContext(context, query !== undefined);
  // What was found says nothing about what is searched for now.
  if (context === CONTEXT.browsersSearched) setContext(CONTEXT.noBrowsers, false);
  await list.search(query);
}

/** While browsers are pinned, the single target is not used. */
function roleOf({ id }: Browser, pins: PushPins, target: PushTarget): PushRole {
  if (pins.has(id)) return 'pinned';
  return isChosen({ pins, target }, id) ? 'target' : 'none';
}

/** Sets the context keys that select the welcome text of an empty view. */
function showReach(reach: Reach): void {
  setContext(CONTEXT.needsToken, reach === 'needsToken');
  setContext(CONTEXT.tokenRefused, reach === 'tokenRefused');
  setContext(CONTEXT.rateLimited, reach === 'rateLimited');
  setContext(CONTEXT.unreachable, reach === 'unreachable');
  setContext(CONTEXT.serviceFailed, reach === 'failed');
}

/** Sets them before the first attempt with a service. */
async function resetReach(connection: ServiceConnection): Promise<void> {
  showReach((await connection.needsToken().catch(() => true)) ? 'needsToken' : 'reached');
}

/** Sets a context key of `when` clauses. */
export function setContext(key: string, value: boolean): void {
  void commands.executeCommand('setContext', key, value);
}
