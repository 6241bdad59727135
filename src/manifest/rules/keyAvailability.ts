import * as l10n from '@vscode/l10n';
import { KEYS, unavailable } from '../availability';
import { adviceForUnknown, MAX_HINTS, nearest } from '../folder/similar';
import type { JsonDocument } from '../document';
import { FIREFOX_KEYS, keepAdvice, REMOVE_IF_UNNEEDED } from '../otherBrowsers';
import { proposing, type Proposal } from '../proposal';
import { caution } from '../refusal';
import { ruleOf } from '../rule';

const KEY_PATHS = [...KEYS].map(([key, entry]) => [key, entry, key.split('.')] as const);

const TOP_KEYS = [...KEYS].filter(([key]) => !key.includes('.'));

/** R-AVAIL: Chromium ignores keys that this kind of package may not use, with a warning. Measured on Chromium 156. */
export const availabilityRule = ruleOf('R-AVAIL', 'keys', function* (context) {
  for (const [key, entry, path] of KEY_PATHS) {
    if (!context.document.at(...path)) continue;
    const text = unavailable(key, entry, context);
    if (text === undefined) continue;
    const isForOthers = isOutdated(text) && hasSuccessor(context.document, key);
    const advice = isForOthers ? keepAdvice() : explainUnavailable(text);
    const fix = isForOthers ? REMOVE_IF_UNNEEDED : successor(context.document, key);
    yield proposing(
      caution(text, l10n.t('Chromium ignores "{0}". {1}', key, advice), path),
      isOutdated(text) ? fix : undefined,
    );
  }
});

/** Keys of version 2 that Firefox has in version 3, with what Chromium has in their place. Source: MDN, manifest.json. */
const IN_PLACE: ReadonlyMap<string, readonly string[]> = new Map([
  ['background.page', ['background', 'service_worker']],
  ['background.scripts', ['background', 'service_worker']],
  ['page_action', ['action']],
]);

/** Whether the manifest has both, and so is probably for both browsers. */
function hasSuccessor(document: JsonDocument, key: string): boolean {
  const path = IN_PLACE.get(key);
  return path !== undefined && document.at(...path) !== undefined;
}

/** Keys of version 2 that have another name in version 3. */
const SUCCESSORS: ReadonlyMap<string, string> = new Map([
  ['browser_action', 'action'],
  ['page_action', 'action'],
]);

/** Replaces a key of version 2 by what version 3 has in its place, or removes it. */
function successor(document: JsonDocument, key: string): Proposal {
  const name = SUCCESSORS.get(key);
  if (name !== undefined && !document.at(name)) return { do: 'rename', to: name };
  const scripts = document.at('background', 'scripts');
  const isOneScript = scripts?.kind === 'list' && scripts.items.length === 1 && scripts.items[0]?.kind === 'string';
  const isWorker = key === 'background.scripts' && isOneScript && !document.at('background', 'service_worker');
  return isWorker ? { do: 'worker' } : { do: 'remove' };
}

/** True of Chromium's text about a key or permission of version 2. */
export function isOutdated(text: string): boolean {
  return text.includes('or lower');
}

/** What it means that a key or permission is not available, by Chromium's text about it. */
export function explainUnavailable(text: string): string {
  if (isOutdated(text)) return l10n.t('It belongs to manifest version 2. Replace it by its successor, or remove it.');
  if (text.includes('at least')) return l10n.t('It needs manifest version 3.');
  if (text.includes('platform')) return l10n.t('Browsers on Linux do not have it; those of other systems may.');
  if (text.includes('only allowed for')) return l10n.t('It is for another kind of package.');
  if (text.includes('flag') || text.includes('switch')) return l10n.t('It is switched off in the browser.');
  return l10n.t('It is reserved for extensions of the browser’s vendor.');
}

/** Chromium's texts call it a key of apps, but apps of version 3 may not have it. */
const UNKNOWN_TO_APPS = 'file_handlers';

/** R-UNKNOWN: Chromium ignores an unknown key at the top with a warning, unknown nested keys without one. Measured on Chromium 156. */
export const unknownKeyRule = ruleOf('R-UNKNOWN', 'keys', function* (context) {
  const { document, packageType, manifestVersion } = context;
  const others = TOP_KEYS.filter(
    ([key, entry]) => !document.root.members.has(key) && unavailable(key, entry, context) === undefined,
  ).map(([key]) => key);
  let hints = 0;
  for (const key of document.root.members.keys()) {
    const isNewApp = packageType === 'platform app' && manifestVersion >= 3;
    if (KEYS.has(key) && !(isNewApp && key === UNKNOWN_TO_APPS)) continue;
    const isOfFirefox = FIREFOX_KEYS.has(key);
    const meant = !isOfFirefox && hints++ < MAX_HINTS ? nearest(key, others) : undefined;
    const advice = isOfFirefox ? keepAdvice() : adviceForUnknown(meant);
    const report = caution(
      `Unrecognized manifest key '${key}'.`,
      l10n.t('Chromium ignores the unknown key "{0}". {1}', key, advice),
      [key],
    );
    const span = document.root.members.get(key)?.key;
    const removal: Proposal = isOfFirefox ? REMOVE_IF_UNNEEDED : { do: 'remove' };
    const fix: Proposal = meant === undefined ? removal : { do: 'rename', to: meant };
    yield { ...report, ...(span && { span }), fix };
  }
});
