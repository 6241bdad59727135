import * as l10n from '@vscode/l10n';
import { Disposable, EventEmitter, window, type TreeDataProvider, type TreeItem, type TreeView } from 'vscode';
import { LatestRun } from '../../base/latestRun';
import type { Identified } from '../../service/operations/pagedRequest';
import { ServiceError } from '../../service/serviceErrors';
import { TokenMissingError } from '../errorTexts';
import { sentenceFor } from '../messages';
import { plainText } from '../plainText';
import type { ListViewOptions, Reach } from './listOptions';
import { ListRows } from './listRows';
import type { Node } from './nodes';
import { PagedList, type ReadPage } from './pagedList';
import { shortReason } from './reasons';
import { RowChanges } from './rowChanges';
import { RowChildren } from './rowChildren';
import { treeItemOf } from './treeItem';

/** After how many milliseconds VS Code may have drawn rows that it was given: usually at once, on a busy machine later. */
const DRAWN_MS = [200, 1000, 4000];

/**
 * A list of the service as a tree: loads its first page when it becomes visible and further ones on request, refreshes while it is
 * visible with one request in flight, keeps the last list when a refresh fails and says so, and draws only rows that have changed.
 */
export class ListView<T extends Identified> implements TreeDataProvider<Node<unknown>>, Disposable {
  readonly #changed = new EventEmitter<Node<unknown>[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #changes = new RowChanges<Node<unknown>>((rows) => this.#changed.fire(rows));
  readonly #loaded = new EventEmitter<void>();
  /** Fires when the items may have changed. */
  readonly onDidLoad = this.#loaded.event;
  readonly #view: TreeView<Node<unknown>>;
  readonly #subscriptions: Disposable;
  readonly #list = new PagedList<T>();
  readonly #children: RowChildren;
  readonly #rows = new ListRows<T>();
  readonly #drawing = new LatestRun(() => this.#draw());
  /** Whether the next drawing has VS Code ask for all rows, whatever they are. */
  #mustDrawAll = false;
  #query: string | undefined;
  #loadedAt: Date | undefined;
  /** Whether the first attempt to load is over; VS Code asks for the rows again after each. */
  #wasTried = false;
  /** Whether the service does not have the list, so that the items are those that the user has entered. */
  #isUnlisted = false;
  /** Whether the last refresh failed and may be repeated at once. */
  #canRetry = false;
  #loading: Promise<void> | undefined;
  /** Calls of VS Code for the rows that wait for the first load, and get them without an event. */
  #waiting = 0;
  #again = false;
  #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #measuring: NodeJS.Timeout[] = [];

  constructor(private readonly options: ListViewOptions<T>) {
    this.#children = new RowChildren(options.childrenOf ?? (() => undefined));
    this.#view = window.createTreeView(options.id, { treeDataProvider: this, showCollapseAll: false });
    this.#describe();
    this.#subscriptions = Disposable.from(
      this.#changes,
      this.#changed,
      this.#loaded,
      this.#view,
      this.#view.onDidChangeVisibility(() => {
        this.#schedule();
        // VS Code may have asked for the rows before it says that they are visible.
        if (this.#view.visible && !this.#loading) void this.refresh();
      }),
      this.#view.onDidExpandElement(({ element }) => this.#children.expand(element.id)),
      this.#view.onDidCollapseElement(({ element }) => {
        // VS Code keeps what was below the row, and would show it again without asking.
        if (this.#children.collapse(element.id)) this.#changes.some([element]);
        options.onCollapsed?.(element);
      }),
      options.connection.onDidChange(() => {
        this.#query = undefined;
        this.#forget();
        if (this.#view.visible) void this.refresh();
      }),
    );
  }

  get items(): readonly T[] {
    return this.#list.items;
  }

  /** Whether the list was loaded since the service is in use. */
  get isLoaded(): boolean {
    return this.#loadedAt !== undefined;
  }

  /** Whether the service does not have the list, so that the items are those that the user has entered. */
  get isUnlisted(): boolean {
    return this.#isUnlisted;
  }

  get isVisible(): boolean {
    return this.#view.visible;
  }

  /** The selected row. */
  get selection(): Node<unknown> | undefined {
    return this.#view.selection[0];
  }

  /** The text that the items are searched for. */
  get query(): string | undefined {
    return this.#query;
  }

  getTreeItem(node: Node<unknown>): TreeItem {
    return treeItemOf(node, { canExpand: this.#children.canExpand(node), view: this.options.id });
  }

  async getChildren(parent?: Node<unknown>): Promise<Node<unknown>[]> {
    if (parent) return await this.#children.of(parent);
    // The first call loads the list or waits for it: the view shows VS Code's progress instead of its welcome text meanwhile.
    if (!this.#wasTried) {
      this.#waiting += 1;
      await (this.#loading ?? this.refresh());
      this.#waiting -= 1;
    }
    if (this.#rows.shown.length > 0) this.#measureMessageSoon();
    return this.#rows.shown;
  }

  getParent(node: Node<unknown>): Node<unknown> | undefined {
    return this.#children.parentOf(node);
  }

  /** Loads the list again; a call during a load causes exactly one more. Never rejects: failures are shown in the view and logged. */
  async refresh(): Promise<void> {
    if (this.#loading) {
      this.#again = true;
      await this.#loading;
      return;
    }
    await this.#run((read) => this.#list.reload(read));
  }

  /** Loads the list unless that was done, or is being done. Never rejects. */
  async load(): Promise<void> {
    if (this.#loadedAt) return;
    await (this.#loading ?? this.refresh());
  }

  /** As `refresh`, and what is below the rows is read again, too. */
  async refreshAll(): Promise<void> {
    await this.refresh();
    await Promise.all(this.#rows.items.map(({ id }) => this.refreshChildren(id)));
  }

  /** Loads the next page, after what is being loaded. Never rejects. */
  async loadMore(): Promise<void> {
    // Another call may have waited for the same load.
    while (this.#loading) await this.#loading;
    const known = this.#rows.items.length;
    await this.#run((read) => this.#list.readMore(read));
    // The focus would stay on the row that has moved to the end. VS Code reveals only rows that it has asked for since.
    this.#changes.flush();
    const first = this.#rows.items[known];
    if (first && this.#view.visible) await this.#view.reveal(first, { select: true, focus: true });
  }

  /** Shows only the items that the service finds for `query`; undefined shows all again. */
  async search(query: string | undefined): Promise<void> {
    this.#query = query;
    this.#forget();
    await this.refresh();
  }

  /** Redraws the rows from the current items, for example after the push target has changed. */
  redraw(): void {
    void this.#show();
  }

  /** Reads again what is below an item, if it is shown. Never rejects. */
  async refreshChildren(id: string): Promise<void> {
    this.#changes.some(await this.#children.readAgain(id, this.#view.visible));
  }

  /** Draws again what is below an item, of what was read, if that changes anything. Never rejects. */
  async redrawChildren(id: string): Promise<void> {
    this.#changes.some(await this.#children.outdated(id));
  }

  /** Removes the row of an item that no longer exists, without a request. */
  remove(id: string): void {
    this.#list.remove(id);
    // What was below it is not read again.
    this.#children.collapse(id);
    void this.#show();
    this.#loaded.fire();
  }

  dispose(): void {
    this.#abort.abort();
    clearTimeout(this.#timer);
    this.#measuring.forEach(clearTimeout);
    this.#subscriptions.dispose();
  }

  async #run(act: (read: ReadPage<T>) => Promise<void>): Promise<void> {
    this.#loading = this.#load(act).finally(() => {
      this.#loading = undefined;
    });
    if (!this.#loadedAt && this.#waiting === 0) this.#changes.all();
    await this.#loading;
    this.#schedule();
  }

  async #load(first: (read: ReadPage<T>) => Promise<void>): Promise<void> {
    const { connection, hold, load } = this.options;
    let next = first;
    do {
      const act = next;
      // Whoever asks meanwhile wants the list, not what began the load.
      next = (read) => this.#list.reload(read);
      this.#again = false;
      const abort = this.#abort;
      if (hold.waitMs(Date.now()) > 0) {
        await this.#showHold();
        continue;
      }
      try {
        const client = await connection.client();
        await act((offset) => load(client, this.#query, offset, abort.signal));
        if (abort.signal.aborted) continue;
        const isFirst = this.#loadedAt === undefined;
        this.#loadedAt = new Date();
        this.#canRetry = false;
        this.#isUnlisted = false;
        this.options.onReached?.('reached');
        await this.#show(isFirst);
        if (abort.signal.aborted) continue;
        this.#setMessage('');
        this.#loaded.fire();
      } catch (error) {
        if (abort.signal.aborted) continue;
        if (error instanceof ServiceError && error.kind === 'unsupported') await this.#showEntered();
        else await this.#fail(error);
      }
    } while (this.#again);
    this.#wasTried = true;
  }

  /** Shows what the user has entered: the service does not have the list, and is not asked for it again. */
  async #showEntered(): Promise<void> {
    const { entered, log, id, onReached, unlistedText } = this.options;
    if (!this.#isUnlisted) log.info(`${id}: the service does not have this list`);
    const items = await entered().catch((error: unknown) => {
      log.warn(`${id}: ${sentenceFor(error) ?? String(error)}`);
      return this.#list.items;
    });
    const isFirst = this.#loadedAt === undefined || !this.#isUnlisted;
    await this.#list.reload(() => Promise.resolve({ items, next: undefined }));
    this.#loadedAt = new Date();
    this.#canRetry = false;
    this.#isUnlisted = true;
    onReached?.('unlisted');
    await this.#show(isFirst);
    // An empty tree shows its welcome text only while there is no message.
    this.#setMessage(items.length === 0 ? '' : plainText(unlistedText()));
    this.#loaded.fire();
  }

  async #fail(error: unknown): Promise<void> {
    const { hold, log, id, onReached } = this.options;
    hold.note(error, Date.now());
    if (error instanceof TokenMissingError) {
      onReached?.('needsToken');
      return;
    }
    log.warn(`${id}: ${sentenceFor(error) ?? String(error)}`);
    if (hold.waitMs(Date.now()) > 0) {
      await this.#showHold();
      return;
    }
    await this.#showFailure(shortReason(error), reachOf(error));
  }

  /** The service must not be asked now. */
  async #showHold(): Promise<void> {
    const { hold } = this.options;
    if (hold.isRefused) {
      // The welcome text offers to set the token; it is shown only while there are no rows.
      this.#list.clear();
      this.#canRetry = false;
      this.options.onReached?.('tokenRefused');
      await this.#show();
      this.#setMessage('');
      return;
    }
    const end = hold.pauseEnd(Date.now());
    if (end === undefined) return;
    const why = l10n.t('the service asks to wait until {0}', new Date(end).toLocaleTimeString());
    await this.#showFailure(why, 'rateLimited');
  }

  async #showFailure(why: string, reach: Reach): Promise<void> {
    // While the service asks to wait, another attempt would do nothing.
    this.#canRetry = this.options.hold.waitMs(Date.now()) === 0;
    this.options.onReached?.(reach);
    await this.#show();
    const isEmpty = this.#rows.items.length === 0;
    // An empty tree shows its welcome text, with its links, only while there is no message.
    if (this.options.welcomeSaysWhy === true && (isEmpty || !this.#loadedAt)) this.#setMessage('');
    else if (!this.#loadedAt) this.#setMessage(plainText(l10n.t('The list could not be loaded: {0}', why)));
    else this.#setMessage(plainText(l10n.t('Not refreshed since {0}: {1}', this.#loadedAt.toLocaleTimeString(), why)));
  }

  /** Resolves when the rows show the items as they are now. `isFirst`: VS Code asks for them, whatever has changed. */
  #show(isFirst = false): Promise<void> {
    this.#mustDrawAll ||= isFirst;
    return this.#drawing.run();
  }

  async #draw(): Promise<void> {
    const actions = { canRetry: this.#canRetry, hasMore: this.#list.hasMore };
    const rowOf = (item: T): Node<T> => this.options.node(item, this.#isUnlisted);
    const changed = await this.#rows.update(this.#list.items, rowOf, actions);
    const mustDrawAll = this.#mustDrawAll;
    this.#mustDrawAll = false;
    // A call that waits gets the rows at once; an event would make VS Code ask again.
    if (this.#waiting > 0) return;
    if (mustDrawAll || !changed) this.#changes.all();
    else this.#changes.some(changed);
  }

  /** Clears the list before that of another service, or the result of another search, is loaded. */
  #forget(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#loadedAt = undefined;
    this.#wasTried = false;
    this.#isUnlisted = false;
    this.#canRetry = false;
    this.#setMessage('');
    this.#list.clear();
    this.#children.clear();
    this.#describe();
    const hadRows = this.#rows.shown.length > 0;
    this.#rows.clear();
    if (hadRows && this.#waiting === 0) this.#changes.all();
    this.#loaded.fire();
    if (this.#loading) this.#again = true;
  }

  /** Sets the line above the rows. VS Code counts the same text again as an event, and debounces the next one. */
  #setMessage(text: string): void {
    if (this.#view.message !== text) this.#view.message = text;
  }

  /**
   * Has VS Code measure the line above the rows once they are drawn. As long as it shows the welcome text instead of rows, it takes the height of
   * the line for 0; the rows are then too high by as much, and when the focus comes back to one of them, the line is scrolled out of sight.
   */
  #measureMessageSoon(): void {
    const measure = (): void => {
      const { message } = this.#view;
      // VS Code lays the view out again also for the same text.
      if (message) this.#view.message = message;
    };
    this.#measuring.forEach(clearTimeout);
    this.#measuring = DRAWN_MS.map((ms) => setTimeout(measure, ms));
  }

  #describe(): void {
    const texts = [this.options.description?.(), this.#query && l10n.t('search: {0}', this.#query)];
    this.#view.description = plainText(texts.filter(Boolean).join(' · '));
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    const ms = this.#view.visible ? this.options.hold.refreshMs(Date.now()) : undefined;
    if (ms === undefined) return;
    this.#timer = setTimeout(() => {
      if (!this.#isUnlisted) {
        void this.refresh();
        return;
      }
      // The service is not asked; the ages in the rows go on.
      void this.#show();
      this.#schedule();
    }, ms);
  }
}

/** What an error of a load says about the service. Whatever is no error of it, such as a local service that does not start, is no answer. */
function reachOf(error: unknown): Reach {
  if (!(error instanceof ServiceError)) return 'unreachable';
  if (error.kind === 'rateLimited') return 'rateLimited';
  return error.kind === 'unreachable' || error.kind === 'timeout' ? 'unreachable' : 'failed';
}
