import * as l10n from '@vscode/l10n';
import { extensionOf, pathInExtension } from '../devtools/protocol/extensionUrl';
import { isHiddenPage } from '../devtools/protocol/hiddenPage';
import { fieldOf, objectOf, textField } from '../base/fields';

/** A target as Chromium describes it. */
export interface RelayTarget {
  targetId: string;
  type: string;
  title: string;
  url: string;
  /** Of the profile, or of its incognito windows. */
  contextId: string;
  /** Whether a page has opened it and gets no access to it, as by `noopener`. */
  isApart: boolean;
}

/** Which targets belong to the extension that is debugged. */
export interface TargetFilter {
  extensionId: string;
  /** Whether a content script of the extension can run in the page with this address. */
  matches: (url: string) => boolean;
}

/**
 * What a target is to the extension: its worker; a page of it; a web page that its content scripts can run in; or one that shows nothing
 * yet, and may become any of these.
 */
export type TargetKind = 'worker' | 'page' | 'tab' | 'blank' | 'foreign';

/** The types that are attached to by themselves. Popups, side panels and offscreen documents are of type `other` when they are created. */
export const ATTACHED_TYPES = ['service_worker', 'page', 'background_page', 'other'].map((type) => ({ type }));

/** The types that a target attaches to of its own: an extension page would report the worker a second time. */
export const CHILD_FILTER = [
  { type: 'service_worker', exclude: true },
  { type: 'browser', exclude: true },
  { type: 'tab', exclude: true },
  {},
];

const BLANK = /^(?:about:blank(?:[?#]|$)|$)/;

/** Reads the `targetInfo` of an event. */
export function targetOf(params: unknown): RelayTarget {
  const info = fieldOf(params, 'targetInfo');
  return {
    targetId: textField(info, 'targetId'),
    type: textField(info, 'type'),
    title: textField(info, 'title'),
    url: textField(info, 'url'),
    contextId: textField(info, 'browserContextId'),
    isApart: textField(info, 'openerId') !== '' && fieldOf(info, 'canAccessOpener') === false,
  };
}

/**
 * Whether a page that has just been attached to answers nothing before it is let go (C-ATTACH-SILENT): one that is opened apart from its opener, or
 * restored, which has the title that it had.
 */
export function isSilentAtFirst({ type, title, isApart }: RelayTarget, isWaiting: boolean): boolean {
  return type === 'page' && isWaiting && (isApart || title !== '');
}

/** What a target is to the extension. */
export function kindOf({ type, url }: RelayTarget, { extensionId, matches }: TargetFilter): TargetKind {
  const isOurs = extensionOf(url) === extensionId;
  if (type === 'service_worker') return isOurs ? 'worker' : 'foreign';
  // Hidden pages of DevTools clients keep this type; all others have it only as long as they have no address.
  if (type === 'other') return url === '' ? 'blank' : 'foreign';
  if (isOurs) return isHiddenPage(url) ? 'foreign' : 'page';
  if (type !== 'page') return 'foreign';
  if (BLANK.test(url)) return 'blank';
  return matches(url) ? 'tab' : 'foreign';
}

/** The type by which the debugger knows a target: it ignores all but a few. */
function shownType(type: string): string {
  return type === 'background_page' || type === 'other' ? 'page' : type;
}

/** The name of a target in the Call Stack. */
function shownTitle({ type, title, url }: RelayTarget, extensionId: string): string {
  const path = pathInExtension(url, extensionId);
  if (type === 'service_worker') return path === undefined ? title : l10n.t('Service worker');
  if (path !== undefined) return path;
  return title === '' ? url : title;
}

/** The information about a target that the debugger gets: `info` as Chromium sent it, with a type and a title that the debugger knows. */
export function shownInfo(target: RelayTarget, info: unknown, extensionId: string): object {
  return {
    ...objectOf(info),
    targetId: target.targetId,
    url: target.url,
    type: shownType(target.type),
    title: shownTitle(target, extensionId),
    attached: true,
    canAccessOpener: false,
  };
}
