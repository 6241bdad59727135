import * as l10n from '@vscode/l10n';
import type { ContextPage, ContextWorker, ExtensionContexts, PageKind } from '../../devtools/extensions/contexts';
import { ROWS } from '../../ids';
import { agoText, spokenAgo } from './ages';
import { cut, noteNode, pathOf, type BrowserExtension, type BrowserTab } from './browserContents';
import { fact, rowTexts, shownFacts, spokenFacts, type Fact } from './facts';
import type { Node } from './nodes';

/** A page that is not in a tab of its own: tabs have rows below the browser. */
interface OwnPage extends ContextPage {
  kind: Exclude<PageKind, 'tab'>;
}

const ICONS: Record<OwnPage['kind'], string> = {
  popup: 'preview',
  sidePanel: 'layout-sidebar-right',
  options: 'settings-gear',
  offscreen: 'eye-closed',
  background: 'server-process',
  frame: 'multiple-windows',
  page: 'preview',
};

/**
 * The rows below an extension: its worker, and its pages that are not in tabs. The rows of tabs, which are below the browser, say of which
 * extension a page is and which content scripts run in it.
 */
export function contextNodes(
  of: BrowserExtension,
  { worker, pages, contentScriptTabs }: ExtensionContexts,
  now: number,
): Node<unknown>[] {
  const above = rowId(of);
  const rows: Node<unknown>[] = [
    ...(worker ? [workerNode(of, worker, now)] : []),
    ...pages.filter(isOwnPage).map((page) => pageNode(of, page)),
  ];
  if (rows.length > 0) return rows;
  const isInTabs = pages.length + contentScriptTabs.length > 0;
  return [noteNode(above, 'info', isInTabs ? l10n.t('It runs in tabs only') : l10n.t('Nothing of it runs now'), '')];
}

function isOwnPage(page: ContextPage): page is OwnPage {
  return page.holder !== 'tab' && page.kind !== 'tab';
}

/** The row below an extension whose parts could not be read; `why` is a short sentence, `detail` all that is known. */
export function unreadableContexts(of: BrowserExtension, why: string, detail: string): Node<unknown> {
  return noteNode(rowId(of), 'warning', why, detail);
}

function rowId({ browser, extension }: BrowserExtension): string {
  return `${browser.id}/extension/${extension.id}`;
}

function workerNode(of: BrowserExtension, worker: ContextWorker, now: number): Node<BrowserExtension> {
  return {
    ...rowTexts({ label: l10n.t('Service worker') }, [workerFact(worker, now)], workerHint(worker)),
    id: `${rowId(of)}/worker`,
    icon: worker.status === 'failed' ? 'error' : 'server-process',
    contextValue: workerContext(worker),
    item: of,
  };
}

function workerContext({ status }: ContextWorker): string {
  return {
    starting: ROWS.runningWorker,
    running: ROWS.runningWorker,
    asleep: ROWS.stoppedWorker,
    stopped: ROWS.stoppedWorker,
    failed: ROWS.note,
  }[status];
}

function workerFact({ status, since }: ContextWorker, now: number): Fact {
  const ago = since === undefined ? '' : agoText(since, now);
  const spoken = since === undefined ? '' : spokenAgo(since, now);
  switch (status) {
    case 'starting':
      return fact(l10n.t('starting'));
    case 'running':
      if (ago === '') return fact(l10n.t('running'));
      return { shown: l10n.t('running · {0}', ago), spoken: l10n.t('running, started {0}', spoken) };
    case 'asleep':
      if (ago === '') return fact(l10n.t('asleep'));
      return { shown: l10n.t('asleep · {0}', ago), spoken: l10n.t('fell asleep {0}', spoken) };
    case 'stopped':
      return { shown: l10n.t('stopped · {0}', ago), spoken: l10n.t('stopped {0}', spoken) };
    case 'failed':
      return fact(l10n.t('failed to start'));
  }
}

function workerHint({ status }: ContextWorker): string[] {
  if (status === 'failed') return [l10n.t('Its script has failed. Correct it and push again.')];
  const isOff = status === 'asleep' || status === 'stopped';
  return isOff ? [l10n.t('The next event of the extension starts it again.')] : [];
}

function pageNode({ browser, extension }: BrowserExtension, page: OwnPage): Node<BrowserTab> {
  const { kind, holder, targetId, url, title } = page;
  const path = pathOf(url);
  const name = kindName(kind);
  // Pages in frames have no kind as a name, so the title identifies them.
  const isNamed = !['frame', 'page'].includes(kind);
  const label = isNamed || title === '' || title === url ? (isNamed ? name : path) : cut(title);
  const facts = isNamed ? [fact(path)] : [...(label === path ? [] : [fact(path)]), fact(name)];
  return {
    id: `${rowId({ browser, extension })}/page/${targetId}`,
    label,
    description: shownFacts(facts),
    tooltip: [...new Set([name, cut(title), cut(url)])].filter(Boolean).join('\n'),
    icon: ICONS[kind],
    spoken: spokenFacts(label, facts),
    contextValue: {
      tab: ROWS.browserTab,
      frame: ROWS.extensionFrame,
      own: ROWS.extensionPage,
      none: ROWS.extensionPage,
    }[holder],
    item: { browser, tab: { targetId, url, title } },
  };
}

function kindName(kind: OwnPage['kind']): string {
  return {
    popup: l10n.t('Popup'),
    sidePanel: l10n.t('Side panel'),
    options: l10n.t('Options'),
    offscreen: l10n.t('Offscreen document'),
    background: l10n.t('Background page'),
    frame: l10n.t('page in a frame'),
    page: l10n.t('popup or side panel'),
  }[kind];
}
