import * as l10n from '@vscode/l10n';
import { Disposable, EventEmitter, ThemeIcon, TreeItem, window, type TreeDataProvider, type TreeView } from 'vscode';
import type { ServiceClient } from '../../service/client';
import { ServiceError } from '../../service/errors';
import { TokenMissingError } from '../errors';
import type { Log } from '../log';
import { sentenceFor } from '../messages';
import { type ServiceConnection } from '../service/connection';
import type { Node } from './nodes';

/** Pause between two refreshes of a visible list, in milliseconds. */
const REFRESH_MS = 10_000;

export interface ListViewOptions<T> {
  id: string;
  connection: ServiceConnection;
  log: Log;
  load: (client: ServiceClient, signal: AbortSignal) => AsyncIterable<T>;
  node: (item: T) => Node<T>;
  /** Called after each attempt with whether the service answered. */
  onReached?: (isReached: boolean) => void;
}

/**
 * A list of the service as a tree: loads when it becomes visible, refreshes while it is visible with one request in flight, keeps
 * the last list when a refresh fails and says so, and fires only when a row has changed.
 */
export class ListView<T> implements TreeDataProvider<Node<T>>, Disposable {
  readonly #changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;

  readonly #options: ListViewOptions<T>;
  readonly #view: TreeView<Node<T>>;
  readonly #subscriptions: Disposable;
  #nodes: Node<T>[] = [];
  #items: readonly T[] = [];
  #loadedAt: Date | undefined;
  #loading: Promise<void> | undefined;
  #again = false;
  #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ListViewOptions<T>) {
    this.#options = options;
    this.#view = window.createTreeView(options.id, { treeDataProvider: this, showCollapseAll: false });
    this.#subscriptions = Disposable.from(
      this.#changed,
      this.#view,
      this.#view.onDidChangeVisibility(() => {
        this.#schedule();
        if (this.#view.visible) void this.refresh();
      }),
      options.connection.onDidChange(() => {
        this.#forget();
        if (this.#view.visible) void this.refresh();
      }),
    );
  }

  getTreeItem(node: Node<T>): TreeItem {
    const item = new TreeItem(node.label);
    item.id = node.id;
    item.description = node.description;
    item.tooltip = node.tooltip;
    item.iconPath = new ThemeIcon(node.icon);
    item.contextValue = node.contextValue;
    item.accessibilityInformation = { label: node.spoken };
    return item;
  }

  async getChildren(parent?: Node<T>): Promise<Node<T>[]> {
    if (parent) return [];
    // The first call waits for the list, so that the view shows VS Code's progress instead of its welcome text.
    if (!this.#loadedAt) await this.#loading;
    return this.#nodes;
  }

  /** Loads the list again; a call during a load causes exactly one more. Never rejects: failures are shown in the view and logged. */
  async refresh(): Promise<void> {
    if (this.#loading) {
      this.#again = true;
      await this.#loading;
      return;
    }
    this.#loading = this.#load().finally(() => {
      this.#loading = undefined;
    });
    if (!this.#loadedAt) this.#changed.fire(undefined);
    await this.#loading;
    this.#schedule();
  }

  /** Redraws the rows from the current items, for example after the push target has changed. */
  redraw(): void {
    this.#show(this.#items);
  }

  dispose(): void {
    this.#abort.abort();
    clearTimeout(this.#timer);
    this.#subscriptions.dispose();
  }

  async #load(): Promise<void> {
    do {
      this.#again = false;
      const abort = this.#abort;
      try {
        const client = await this.#options.connection.client();
        const items: T[] = [];
        for await (const item of this.#options.load(client, abort.signal)) items.push(item);
        if (abort.signal.aborted) continue;
        const isFirst = this.#loadedAt === undefined;
        this.#loadedAt = new Date();
        this.#setMessage('');
        this.#options.onReached?.(true);
        this.#show(items, isFirst);
      } catch (error) {
        if (!abort.signal.aborted) this.#fail(error);
      }
    } while (this.#again);
  }

  #fail(error: unknown): void {
    const isMissingToken = error instanceof TokenMissingError;
    if (!isMissingToken) {
      const why = sentenceFor(error) ?? String(error);
      this.#options.log.warn(`${this.#options.id}: ${why}`);
      const isUnauthorized = error instanceof ServiceError && error.kind === 'unauthorized';
      this.#setMessage(
        this.#loadedAt && !isUnauthorized
          ? l10n.t('List of {0}; not refreshed since: {1}', this.#loadedAt.toLocaleTimeString(), why)
          : why,
      );
    }
    this.#options.onReached?.(isMissingToken);
  }

  #setMessage(message: string): void {
    // An empty tree shows its welcome text, with its links, only while there is no message.
    this.#view.message = this.#nodes.length > 0 ? message : '';
  }

  #show(items: readonly T[], isFirst = false): void {
    const nodes = items.map(this.#options.node);
    const before = JSON.stringify(this.#nodes);
    this.#items = items;
    this.#nodes = nodes;
    if (isFirst || JSON.stringify(nodes) !== before) this.#changed.fire(undefined);
  }

  /** Another service is in use: the shown list is not its list. */
  #forget(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#loadedAt = undefined;
    this.#view.message = '';
    this.#show([]);
    if (this.#loading) this.#again = true;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#view.visible) return;
    this.#timer = setTimeout(() => void this.refresh(), REFRESH_MS);
  }
}
