import { ROWS } from '../../ids';
import type { Browser, Profile, StoredExtension } from '../../service/model';
import type { BrowserExtension, BrowserTab } from './browserContents';
import type { Node } from './nodes';

/** The rows that stand for each kind of item, without their suffixes. */
const ROWS_OF: Record<keyof Items, readonly string[]> = {
  browser: [ROWS.browser, ROWS.pinnedBrowser],
  profile: [ROWS.profile],
  extension: [ROWS.extension],
  browserExtension: [ROWS.browserExtension],
  browserTab: [ROWS.browserTab, ROWS.extensionPage, ROWS.extensionFrame],
  localhost: [ROWS.localhost],
  extensionWorker: [ROWS.runningWorker, ROWS.stoppedWorker],
};

/** What each kind of row stands for. */
interface Items {
  browser: Browser;
  profile: Profile;
  extension: StoredExtension;
  browserExtension: BrowserExtension;
  browserTab: BrowserTab;
  localhost: Browser;
  extensionWorker: BrowserExtension;
}

const SUFFIXES = new RegExp(
  `(?:${[ROWS.withLiveView, ROWS.without, ROWS.workerRuns, ROWS.workerStopped, ROWS.entered].join('|')}).*$`,
);

/** The item of a row of kind `kind`; undefined when a command was run without such a row. */
export function itemOf<K extends keyof Items>(argument: unknown, kind: K): Items[K] | undefined {
  return isNode(argument, kind) ? argument.item : undefined;
}

/** VS Code passes rows as the objects that they were, so their kind determines their item. */
function isNode<K extends keyof Items>(value: unknown, kind: K): value is Node<Items[K]> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'contextValue' in value &&
    typeof value.contextValue === 'string' &&
    ROWS_OF[kind].includes(value.contextValue.replace(SUFFIXES, '')) &&
    'item' in value
  );
}
