import * as l10n from '@vscode/l10n';
import { ROWS } from '../../ids';
import type { PushRecord } from '../../push/known/pushRecords';
import type { Browser, Profile, StoredExtension } from '../../service/model';
import { shortened, sizeText } from '../../base/units';
import { agoText, ageText, secondsText, spokenAgo } from './ages';
import { agoFact, errorsFact, fact, rowTexts, type Fact } from './facts';
import { browserLabel, modeText, recordLabel } from './labels';

/** Longest reason of a failure in a tooltip, in characters. */
const REASON_LENGTH = 400;

/** A row of a list as plain data: its texts, its icon and the item that it shows. */
export interface Node<T> {
  /** Unique in its list; for an item of the service its id, so that a row keeps its selection over a refresh. */
  id: string;
  label: string;
  description: string;
  tooltip: string;
  /** Id of a theme icon. */
  icon: string;
  /** The row as one phrase, for a screen reader. */
  spoken: string;
  contextValue: string;
  item: T;
}

/** The role of a browser in pushes that do not ask: `target` is the only one they go to, `pinned` one of several. */
export type PushRole = 'target' | 'pinned' | 'none';

/** What a row says of the last push to a browser. */
export type LastPush = Omit<PushRecord, 'label'>;

/** What is known of a browser besides its record. */
export interface BrowserRowState {
  role: PushRole;
  push?: LastPush | undefined;
  /** How many errors the pushed extensions have had, each since its own push. */
  errors?: number;
  /** Whether the row shows an id that the user has entered, because the service lists no browsers. */
  isEntered?: boolean;
  /** Milliseconds since the epoch. */
  now: number;
}

/** The row of a browser: its role first, since rows are cut off at their end, then what the last push did, its mode, age, profile and pool. */
export function browserNode(browser: Browser, state: BrowserRowState): Node<Browser> {
  const { role, push, errors = 0, now } = state;
  const label = browserLabel(browser);
  const facts = [
    ...roleFacts(role),
    ...(browser.deletedAt ? [fact(l10n.t('ended'))] : push ? [pushFact(push, now)] : []),
    ...(!browser.deletedAt && push?.state === 'running' && errors > 0 ? [errorsFact(errors)] : []),
    ...modeFacts(browser),
    ...startedFacts(browser, now),
    ...profileFacts(browser),
    ...(browser.pool ? [fact(l10n.t('from the pool {0}', recordLabel(browser.pool)))] : []),
    ...(browser.devToolsUrl === '' ? [fact(l10n.t('without DevTools'))] : []),
  ];
  return {
    ...rowTexts({ label, name: l10n.t('Browser {0}', label) }, facts, [
      ...(push?.reason ? [shortened(push.reason, REASON_LENGTH)] : []),
      ...(browser.timeoutSeconds === undefined
        ? []
        : [l10n.t('ends after {0} without use', secondsText(browser.timeoutSeconds))]),
      ...(browser.viewport ? [l10n.t('screen {0} × {1}', browser.viewport.width, browser.viewport.height)] : []),
      l10n.t('id {0}', browser.id),
    ]),
    id: browser.id,
    icon: iconOf(role, browser.headless),
    contextValue: contextOf(state, browser),
    item: browser,
  };
}

/** The words for the last push to a browser. */
function pushFact(push: LastPush, now: number): Fact {
  switch (push.state) {
    case 'failed':
      return fact(l10n.t('last push failed'));
    case 'unverified':
      return fact(l10n.t('delivered, not verified'));
    case 'stopped':
      return fact(l10n.t('extension stopped'));
    case 'running': {
      const { name, version, at } = push;
      if (push.byOther === true) {
        return {
          shown: l10n.t('{0} running · by another program {1}', version ?? '', agoText(at, now)),
          spoken: l10n.t('version {0} running, pushed by another program {1}', version ?? '', spokenAgo(at, now)),
        };
      }
      return version === undefined
        ? {
            shown: l10n.t('running · {0}', agoText(at, now)),
            spoken: l10n.t('extension running, pushed {0}', spokenAgo(at, now)),
          }
        : {
            shown: l10n.t('{0} running · {1}', version, agoText(at, now)),
            spoken:
              name === undefined
                ? l10n.t('version {0} running, pushed {1}', version, spokenAgo(at, now))
                : l10n.t('{0} {1} running, pushed {2}', name, version, spokenAgo(at, now)),
          };
    }
  }
}

function roleFacts(role: PushRole): Fact[] {
  if (role === 'target') return [{ shown: l10n.t('target'), spoken: l10n.t('push target') }];
  return role === 'pinned' ? [{ shown: l10n.t('pinned'), spoken: l10n.t('pinned push target') }] : [];
}

function modeFacts({ headless }: Browser): Fact[] {
  return headless === undefined ? [] : [fact(modeText({ headless }))];
}

function startedFacts({ createdAt }: Browser, now: number): Fact[] {
  if (createdAt === undefined) return [];
  const started = Date.parse(createdAt);
  return [{ shown: ageText(started, now), spoken: l10n.t('started {0}', spokenAgo(started, now)) }];
}

/** Its profile, and whether its state will be saved to it, which replaces what the profile holds. */
function profileFacts({ profile, profileSaveChanges: saves }: Browser): Fact[] {
  if (!profile) return [];
  const name = recordLabel(profile);
  return [fact(saves ? l10n.t('saves to {0}', name) : l10n.t('profile {0}', name))];
}

function iconOf(role: PushRole, isHeadless: boolean | undefined): string {
  if (role === 'pinned') return 'pinned';
  if (role === 'target') return 'target';
  return isHeadless ? 'server-process' : 'browser';
}

/** What a browser has and lacks are suffixes, which `when` clauses match. */
function contextOf({ role, isEntered = false }: BrowserRowState, browser: Browser): string {
  return [
    role === 'pinned' ? ROWS.pinnedBrowser : ROWS.browser,
    browser.liveViewUrl ? ROWS.withLiveView : '',
    browser.devToolsUrl === '' ? ROWS.withoutDevTools : '',
    isEntered ? ROWS.entered : '',
  ].join('');
}

/** What is known of a profile or a stored extension besides its record. */
export interface RecordRowState {
  /** As in `BrowserRowState`. */
  isEntered?: boolean;
  now: number;
}

/** The row of a profile; `users` are the browsers that it is loaded in, as far as they are known. */
export function profileNode(
  profile: Profile,
  users: readonly Browser[],
  { isEntered = false, now }: RecordRowState,
): Node<Profile> {
  const label = recordLabel(profile);
  const names = users.map(userText).join(', ');
  const used =
    users.length > 0
      ? fact(l10n.t('in use by {0}', shortened(names, REASON_LENGTH)))
      : isEntered
        ? undefined
        : lastUse(profile.lastUsedAt, now);
  return {
    ...rowTexts({ label, name: l10n.t('Profile {0}', label) }, used ? [used] : [], [
      ...(profile.createdAt === undefined
        ? []
        : [l10n.t('created {0}', spokenAgo(Date.parse(profile.createdAt), now))]),
      l10n.t('id {0}', profile.id),
    ]),
    id: profile.id,
    icon: 'account',
    contextValue: isEntered ? `${ROWS.profile}${ROWS.entered}` : ROWS.profile,
    item: profile,
  };
}

/** A browser that uses a profile, and whether it will replace what the profile holds. */
function userText(browser: Browser): string {
  const label = browserLabel(browser);
  return browser.profileSaveChanges ? l10n.t('{0} (saves to it)', label) : label;
}

/** The row of an extension that is stored on the account. */
export function extensionNode(
  extension: StoredExtension,
  { isEntered = false, now }: RecordRowState,
): Node<StoredExtension> {
  const label = recordLabel(extension);
  const facts = [...sizeFacts(extension), ...storedFacts(extension, now)];
  return {
    ...rowTexts({ label, name: l10n.t('Stored extension {0}', label) }, facts, [
      ...(isEntered ? [] : [lastUse(extension.lastUsedAt, now).spoken]),
      l10n.t('id {0}', extension.id),
    ]),
    id: extension.id,
    icon: 'package',
    contextValue: isEntered ? `${ROWS.extension}${ROWS.entered}` : ROWS.extension,
    item: extension,
  };
}

function sizeFacts({ sizeBytes: size }: StoredExtension): Fact[] {
  return size === undefined ? [] : [fact(sizeText(size))];
}

function storedFacts({ createdAt }: StoredExtension, now: number): Fact[] {
  if (createdAt === undefined) return [];
  const stored = Date.parse(createdAt);
  return [agoFact(stored, now, (ago) => l10n.t('stored {0}', ago))];
}

function lastUse(lastUsed: string | null | undefined, now: number): Fact {
  if (!lastUsed) return fact(l10n.t('not used yet'));
  return agoFact(Date.parse(lastUsed), now, (ago) => l10n.t('used {0}', ago));
}

/** The row that loads the next page of a list. */
export function moreNode(): Node<null> {
  return actionNode(ROWS.more, 'ellipsis', l10n.t('Load More…'), l10n.t('Loads the next rows from the service'));
}

/** The row that tries again after a refresh has failed. */
export function retryNode(): Node<null> {
  return actionNode(ROWS.retry, 'refresh', l10n.t('Try Again'), l10n.t('Loads the list again'));
}

/** A row that stands for no item and does something when it is clicked. */
function actionNode(row: string, icon: string, label: string, tooltip: string): Node<null> {
  return plainNode({ id: `sideload.${row}`, icon, label, tooltip, contextValue: row });
}

/** A row that stands for no item. */
export function plainNode(node: Omit<Node<null>, 'description' | 'spoken' | 'item'>): Node<null> {
  return { ...node, description: '', spoken: node.label, item: null };
}
