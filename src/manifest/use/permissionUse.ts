import type { JsonPath } from '../finding';
import type { JsonView } from '../json/jsonView';
import { isNamespace, proofOf, type PermissionProof } from './apiTable';
import type { HiddenWay, Spot } from './codeFacts';
import type { CodeFile, ExtensionCode } from './extensionCode';

/** A place in the code of an extension, or in its manifest. */
export interface UsePlace {
  file: string;
  /** In a script. */
  spot?: Spot;
  /** In the manifest. */
  path?: JsonPath;
}

/** Why a use cannot be excluded; the other ways are those in which code hides what it calls. */
export type Doubt = HiddenWay | 'name' | 'unreached' | 'unknown' | 'requested' | 'field' | 'target' | 'address';

/** What reading the code says of a permission or a host. */
export type Use =
  | ({ kind: 'used' } & UsePlace)
  /** Reading the code shows no certain use, and the extension has called a function while it was tested. */
  | { kind: 'seen'; call: string }
  | ({ kind: 'maybe'; doubt: Doubt } & Partial<UsePlace>)
  /** `near` looks alike and needs no permission. */
  | { kind: 'none'; near?: { name: string } & UsePlace }
  /** The host permissions give all that the permission gives. */
  | { kind: 'covered'; host: string };

/** What the extension declares besides the permission. */
export interface UseContext {
  manifest: JsonView;
  code: ExtensionCode;
  /** The required host permission for all sites. */
  allSites: string | undefined;
}

/** Members of the API that give tabs, with their addresses and titles if those are allowed. */
const TAB_SOURCES: readonly string[] = [
  ...['tabs.get', 'tabs.query', 'tabs.getCurrent', 'tabs.create', 'tabs.update', 'tabs.duplicate', 'tabs.move'],
  ...['tabs.onUpdated', 'tabs.onCreated', 'windows', 'sessions', 'action.onClicked', 'browserAction.onClicked'],
  ...['pageAction.onClicked', 'commands.onCommand', 'contextMenus', 'menus'],
];

/** What the permission for the tab in front allows after a gesture. */
const ACTIVE_TAB: readonly string[] = [
  ...['scripting.executeScript', 'scripting.insertCSS', 'scripting.removeCSS', 'tabs.executeScript', 'tabs.insertCSS'],
  ...['tabs.removeCSS', 'tabs.captureVisibleTab', 'pageCapture', 'tabCapture', 'declarativeNetRequest.getMatchedRules'],
];

/** What reading the code says of a permission. An optional one may also be meant where its name is in a text. */
export function useOf(permission: string, context: UseContext, isOptional: boolean): Use {
  if (permission === 'activeTab') return useOfActiveTab(context);
  if (permission === 'tabs') return useOfTabs(context);
  const proof = proofOf(permission);
  if (!proof || proof.isUnknown) return { kind: 'maybe', doubt: 'unknown' };
  const { code, manifest } = context;
  const key = (proof.keys ?? []).find((path) => manifest.at(...path));
  if (key) return { kind: 'used', file: 'manifest.json', path: key };
  const found = firstOf(code, (script) => apiSpot(script, proof) ?? markSpot(script, proof.marks ?? []));
  if (found) return found;
  const isRequested =
    isOptional &&
    placeOf(code, ({ facts }) => facts.marks.get(`name:${permission}`) ?? facts.marks.get('permissions.unknown'));
  if (isRequested) return { kind: 'maybe', doubt: 'requested', ...isRequested };
  // What an app may do as any page may, the pages in its webviews may do, too.
  const isForPages = proof.api === undefined;
  if (isForPages && manifest.stringsAt('permissions').includes('webview')) return { kind: 'maybe', doubt: 'unread' };
  return hiddenUse(code) ?? { kind: 'none', ...nearOf(code, proof.near ?? []) };
}

/** The use of a permission, with what the extension has called while it was tested: that proves a use which the code does not show. */
export function withCalls(use: Use, permission: string, calls: readonly string[] = []): Use {
  if (use.kind !== 'maybe' && use.kind !== 'none') return use;
  const { api = [], except = [] } = proofOf(permission) ?? {};
  const call = calls.find(
    (one) => api.some((name) => isWithin(one, name)) && !except.some((name) => isWithin(one, name)),
  );
  return call === undefined ? use : { kind: 'seen', call };
}

function useOfTabs(context: UseContext): Use {
  const { code, allSites } = context;
  const use = readsOfTabs(code) ?? hiddenUse(code) ?? { kind: 'none' };
  return use.kind !== 'none' && allSites !== undefined ? { kind: 'covered', host: allSites } : use;
}

function useOfActiveTab({ code, allSites }: UseContext): Use {
  if (allSites !== undefined) return { kind: 'covered', host: allSites };
  const call = firstOf(code, (script) => apiSpot(script, { api: ACTIVE_TAB }));
  return call ?? readsOfTabs(code) ?? requestOf(code) ?? hiddenUse(code) ?? { kind: 'none' };
}

/** What reads the address, the title or the icon of a tab; undefined where nothing does. */
export function readsOfTabs(code: ExtensionCode): Use | undefined {
  const sources = firstOf(code, (script) => apiSpot(script, { api: TAB_SOURCES }));
  if (!sources) return undefined;
  const read = firstOf(code, (script) => markSpot(script, ['tabs.query.filter', 'tab.read']));
  if (read) return read;
  const other = placeOf(code, ({ facts }) => facts.marks.get('tabs.query.unknown') ?? facts.marks.get('field.read'));
  return other && { kind: 'maybe', doubt: 'field', ...other };
}

/** What asks a server whose address the code does not say, which may be one that a permission gives access to. */
export function requestOf({ scripts }: ExtensionCode): Use | undefined {
  for (const { path, facts } of scripts) {
    const spot = facts.marks.get('network');
    if (spot) return { kind: 'maybe', doubt: 'address', file: path, spot };
  }
  return undefined;
}

/** What may use any part of the API, because code hides what it calls or was not read. */
export function hiddenUse(code: ExtensionCode): Use | undefined {
  for (const { path, facts } of code.scripts) {
    for (const [doubt, spot] of facts.hidden) return { kind: 'maybe', doubt, file: path, spot };
  }
  return hiddenExport(code) ?? (code.isComplete ? undefined : { kind: 'maybe', doubt: 'unread' });
}

/** What may use any part of the API, because it is exported and another script hides what it does with that. */
function hiddenExport({ scripts }: ExtensionCode): Use | undefined {
  for (const name of scripts.flatMap(({ facts }) => [...facts.exportsApi])) {
    for (const { path, facts } of scripts) {
      const spot = facts.open.get(name) ?? facts.open.get('*');
      if (spot) return { kind: 'maybe', doubt: 'computed', file: path, spot };
    }
  }
  return undefined;
}

interface Sighting {
  spot: Spot;
  isSure: boolean;
}

/** The first script that shows it with certainty, else the first that may. */
export function firstOf(code: ExtensionCode, find: (script: CodeFile) => Sighting | undefined): Use | undefined {
  let doubtful: Use | undefined;
  for (const script of code.scripts) {
    const found = find(script);
    if (!found) continue;
    const place = { file: script.path, spot: found.spot };
    if (found.isSure && script.isReached) return { kind: 'used', ...place };
    doubtful ??= { kind: 'maybe', doubt: script.isReached ? 'name' : 'unreached', ...place };
  }
  return doubtful;
}

function placeOf(code: ExtensionCode, find: (script: CodeFile) => Spot | undefined): UsePlace | undefined {
  for (const script of code.scripts) {
    const spot = find(script);
    if (spot) return { file: script.path, spot };
  }
  return undefined;
}

/** Where a script uses one of the members of the API. */
export function apiSpot({ facts }: CodeFile, { api = [], except = [] }: PermissionProof): Sighting | undefined {
  let doubtful: Sighting | undefined;
  for (const [path, { isSure, ...spot }] of facts.api) {
    if (except.some((name) => isWithin(path, name))) continue;
    if (api.some((name) => isWithin(path, name))) {
      if (isSure) return { spot, isSure };
      doubtful ??= { spot, isSure };
      // The namespace as a whole may be used for any of its members.
    } else if (isNamespace(path) && api.some((name) => isWithin(name, path))) doubtful ??= { spot, isSure: false };
  }
  return doubtful;
}

function isWithin(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}.`);
}

function markSpot({ facts }: CodeFile, marks: readonly string[]): Sighting | undefined {
  for (const mark of marks) {
    const spot = facts.marks.get(mark);
    if (spot) return { spot, isSure: true };
  }
  return undefined;
}

function nearOf(code: ExtensionCode, names: readonly string[]): Pick<Extract<Use, { kind: 'none' }>, 'near'> {
  for (const name of names) {
    const place = placeOf(code, ({ facts }) => facts.marks.get(name));
    if (place) return { near: { name, ...place } };
  }
  return {};
}
