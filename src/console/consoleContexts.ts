import * as l10n from '@vscode/l10n';
import type { Protocol } from '../devtools/protocol/connect';
import { pathInExtension } from '../devtools/protocol/extensionUrl';
import { fieldOf } from '../base/fields';
import { shortened } from '../base/units';
import { urlOf } from '../base/url';

type TargetInfo = Protocol.Target.TargetInfo;

/** Longest name of a context, in characters: hosts and paths are those of others. */
const NAME_LENGTH = 100;

/** Whose messages are shown, and what own pages are for. */
export interface ContextNames {
  extensionId: string;
  /** What an own page is for, by its path. */
  pageName: (path: string) => string | undefined;
}

interface Context {
  origin: string;
  isIsolated: boolean;
  frameId: unknown;
  /** Depth of `console.group`. */
  group: number;
}

/** The execution contexts of a page or worker: which of them run the extension, and what they are called. */
export class ConsoleContexts extends Map<number, Context> {
  readonly #origin: string;

  constructor(private readonly names: ContextNames) {
    super();
    this.#origin = `chrome-extension://${names.extensionId}`;
  }

  add({ id, origin, auxData }: Protocol.Runtime.ExecutionContextDescription): void {
    const isIsolated = fieldOf(auxData, 'type') === 'isolated';
    this.set(id, { origin, isIsolated, frameId: fieldOf(auxData, 'frameId'), group: 0 });
  }

  groupOf(id: number): number {
    return this.get(id)?.group ?? 0;
  }

  changeGroup(id: number, change: 1 | -1): void {
    const context = this.get(id);
    if (context) context.group = Math.max(0, context.group + change);
  }

  /**
   * The name of the context of a message; undefined when the message is not the extension's. `url` is that of the script that has written it:
   * the context of a script in the main world is the page's own.
   */
  nameOf(target: TargetInfo, id: number | undefined, url: string): string | undefined {
    if (this.isOwn(target)) return this.#targetName(target);
    const context = id === undefined ? undefined : this.get(id);
    if (context?.origin === this.#origin) {
      return context.isIsolated ? this.#contentName(target, context.frameId) : this.#targetName(target);
    }
    if (!url.startsWith(`${this.#origin}/`)) return undefined;
    return context ? l10n.t('main world · {0}', hostOf(context.origin)) : this.#contentName(target, undefined);
  }

  /** The same for a message without a context, which `isOwn` when it is about the extension wherever it is written. */
  nameOfEntry(target: TargetInfo, { isOwn }: { isOwn: boolean }): string | undefined {
    if (this.isOwn(target)) return this.#targetName(target);
    return isOwn ? this.#contentName(target, undefined) : undefined;
  }

  /** Whether a target is a page or worker of the extension; a worker that a page has started from a text has a URL of its own kind. */
  isOwn({ url }: TargetInfo): boolean {
    return url.startsWith(`${this.#origin}/`) || url.startsWith(`blob:${this.#origin}/`);
  }

  #targetName({ type, url }: TargetInfo): string {
    if (type === 'service_worker') return l10n.t('worker');
    const path = pathInExtension(url, this.names.extensionId) ?? '';
    const name = this.names.pageName(path);
    if (name !== undefined) return name;
    if (type === 'background_page')
      return path.startsWith('_generated') ? l10n.t('background page') : l10n.t('offscreen');
    return shortened(path === '' ? l10n.t('web worker') : path, NAME_LENGTH);
  }

  /** A content script is named after the host of the page in its frame. */
  #contentName({ url }: TargetInfo, frameId: unknown): string {
    const page = [...this.values()].find((one) => one.frameId === frameId && frameId !== undefined && !one.isIsolated);
    return l10n.t('content · {0}', hostOf(page?.origin ?? url));
  }
}

function hostOf(url: string): string {
  const address = urlOf(url);
  return shortened(address?.host === '' || !address ? (address?.protocol ?? url) : address.host, NAME_LENGTH);
}
