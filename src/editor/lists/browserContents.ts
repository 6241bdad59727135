import * as l10n from '@vscode/l10n';
import type { LoadedExtension } from '../../devtools/protocol/loadedExtensions';
import { extensionOf } from '../../devtools/protocol/extensionUrl';
import type { Tab } from '../../devtools/pages/tabs';
import { ROWS } from '../../ids';
import type { Browser } from '../../service/model';
import { durationText, shortened } from '../../base/units';
import { urlOf } from '../../base/url';
import { plainText } from '../plainText';
import { agoFact, fact, rowTexts, shownFacts, spokenFacts, type Fact } from './facts';
import { plainNode, type LastPush, type Node } from './nodes';

/** Longest label of a row in a browser, in characters: titles and names are those of others. */
const LABEL_LENGTH = 100;

/** An extension that a browser has loaded. */
export interface BrowserExtension {
  browser: Browser;
  extension: LoadedExtension;
}

/** A tab of a browser. */
export interface BrowserTab {
  browser: Browser;
  tab: Tab;
}

/** The names of the extensions that run content scripts in the tab with that id, as far as it is known. */
export type ScriptsIn = (targetId: string) => readonly string[];

/** What DevTools of a browser reports. */
export interface BrowserContents {
  extensions: readonly LoadedExtension[];
  tabs: readonly Tab[];
  /** The state of the workers by the id of their extension, as far as it is known. */
  workers?: ReadonlyMap<string, 'runs' | 'stopped'>;
}

/**
 * The rows below a browser: its extensions, the pushed one first, then its tabs, each with what of extensions runs in it; of content scripts, as
 * far as `scriptsIn` knows.
 */
export function contentNodes(
  browser: Browser,
  { extensions, tabs, workers }: BrowserContents,
  push: LastPush | undefined,
  now: number,
  scriptsIn: ScriptsIn = () => [],
): Node<unknown>[] {
  const isPushed = ({ id }: LoadedExtension): boolean => id === push?.extensionId;
  const sorted = [...extensions.filter(isPushed), ...extensions.filter((extension) => !isPushed(extension))];
  const rows: Node<unknown>[] = [
    ...sorted.map((extension) =>
      loadedNode({ browser, extension }, extensions, {
        push: isPushed(extension) ? push : undefined,
        worker: workers?.get(extension.id),
        now,
      }),
    ),
    ...tabs.map((tab) => tabNode({ browser, tab }, extensions, scriptsIn(tab.targetId))),
  ];
  return rows.length > 0 ? rows : [noteNode(browser.id, 'info', l10n.t('No extension and no tab'), '')];
}

/** What is known of a loaded extension besides what the browser lists. */
interface ExtensionState {
  /** The last push, if it was pushed by this window. */
  push: LastPush | undefined;
  worker: 'runs' | 'stopped' | undefined;
  now: number;
}

function loadedNode(
  { browser, extension }: BrowserExtension,
  all: readonly LoadedExtension[],
  { push, worker, now }: ExtensionState,
): Node<BrowserExtension> {
  const { id, name, version, path, enabled } = extension;
  const label = cut(name);
  const copies = all.filter((other) => other.name === name).length;
  const facts = [
    { shown: version, spoken: l10n.t('version {0}', version) },
    ...(enabled ? [] : [fact(l10n.t('disabled'))]),
    ...(copies > 1 ? [fact(l10n.t('{0} copies', copies))] : []),
    ...pushedFacts(push, now),
  ];
  return {
    ...rowTexts({ label, name: l10n.t('Extension {0}', label) }, facts, [
      l10n.t('id {0}', id),
      l10n.t('loaded from {0}', path),
    ]),
    id: `${browser.id}/extension/${id}`,
    icon: 'extensions',
    contextValue: extensionContext(push, worker),
    item: { browser, extension },
  };
}

/** What the pushed build lacks, and the state of its worker, are suffixes, which `when` clauses match. */
function extensionContext(push: LastPush | undefined, worker: ExtensionState['worker']): string {
  return [
    ROWS.browserExtension,
    ...(push?.lacks ?? []).map((aspect) => `${ROWS.without}${aspect}`),
    ...(worker === undefined ? [] : [worker === 'runs' ? ROWS.workerRuns : ROWS.workerStopped]),
  ].join('');
}

function pushedFacts(push: LastPush | undefined, now: number): Fact[] {
  if (!push) return [];
  const took = push.ms === undefined ? undefined : durationText(push.ms);
  return [
    agoFact(push.at, now, (ago) =>
      took === undefined ? l10n.t('pushed {0}', ago) : l10n.t('pushed {0} in {1}', ago, took),
    ),
  ];
}

function tabNode(
  { browser, tab }: BrowserTab,
  extensions: readonly LoadedExtension[],
  scripts: readonly string[],
): Node<BrowserTab> {
  const owner = extensions.find(({ id }) => id === extensionOf(tab.url));
  const { label, facts } = owner ? ownTabTexts(tab, owner) : webTabTexts(tab, scripts);
  return {
    id: `${browser.id}/tab/${tab.targetId}`,
    label,
    description: shownFacts(facts),
    tooltip: [
      label,
      cut(tab.url),
      ...(owner ? [cut(owner.name)] : scriptFacts(scripts).map(({ spoken }) => spoken)),
    ].join('\n'),
    // In a narrow sidebar the words are cut off.
    icon: owner ? 'preview' : scripts.length > 0 ? 'code' : 'window',
    spoken: spokenFacts(l10n.t('Tab {0}', label), facts),
    contextValue: ROWS.browserTab,
    item: { browser, tab },
  };
}

/** Of a page of an extension. */
function ownTabTexts({ title, url }: Tab, { name }: LoadedExtension): { label: string; facts: Fact[] } {
  const path = pathOf(url);
  const label = isAddress(title, url) ? path : cut(title);
  return { label, facts: [...(label === path ? [] : [fact(path)]), fact(cut(name))] };
}

function webTabTexts(tab: Tab, scripts: readonly string[]): { label: string; facts: Fact[] } {
  const { label, place } = tabTexts(tab);
  return { label, facts: [...(place === '' ? [] : [fact(place)]), ...scriptFacts(scripts)] };
}

function scriptFacts(scripts: readonly string[]): Fact[] {
  return scripts.length === 0 ? [] : [fact(l10n.t('content script of {0}', scripts.map(cut).join(', ')))];
}

/** The path of a page in its extension, with what it was opened with. */
export function pathOf(url: string): string {
  return cut(url.replace(/^[^:]*:\/\/[^/]*\//, ''));
}

/** The title of a tab, and where its page is from: a host, or the page of the browser. */
export function tabTexts({ title, url }: Tab): { label: string; place: string } {
  // While a blank page is loaded again, it has no address.
  const address = urlOf(url === '' ? 'about:blank' : url);
  switch (address?.protocol) {
    case 'about:':
      return { label: l10n.t('Blank page'), place: '' };
    case 'chrome:':
      return /^(newtab|new-tab-page.*)$/.test(address.hostname)
        ? { label: l10n.t('New tab'), place: '' }
        : { label: cut(title || address.hostname), place: cut(`chrome://${address.hostname}`) };
    case 'file:':
      return { label: cut(title || address.pathname), place: l10n.t('a file') };
    case 'data:':
    case 'blob:':
      return { label: cut(isAddress(title, url) ? l10n.t('Page without a title') : title), place: address.protocol };
    case 'chrome-extension:':
      return { label: cut(title || address.pathname), place: l10n.t('page of an extension') };
    default:
      return { label: cut(title || (address?.host ?? url)), place: cut(address?.host ?? '') };
  }
}

/** Whether a title is the beginning of the address, as of a page without one (C-TITLE-ADDRESS). */
function isAddress(title: string, url: string): boolean {
  return title === '' || url.startsWith(title);
}

/** The only row below the row `above`, which says why there is no other. */
export function noteNode(above: string, icon: string, label: string, detail: string): Node<null> {
  return plainNode({ id: `${above}/note`, icon, label, tooltip: detail || label, contextValue: ROWS.note });
}

/** A text that somebody else has written, for a row. */
export function cut(text: string): string {
  return shortened(plainText(text), LABEL_LENGTH);
}
