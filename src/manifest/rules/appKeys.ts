import * as l10n from '@vscode/l10n';
import type { Dictionary, JsonNode } from '../json/node';
import { caution, invalidValue, refusal } from '../refusal';
import { ruleOf, type Context, type Report } from '../rule';
import { parseMatchPattern } from '../values/matchPattern';
import { parseVersion } from '../values/version';
import { WANTED } from '../wanted';

/** R-APPKEYS: keys that only apps have; Chromium hardly runs apps any more. Measured on Chromium 156. */
export const appKeyRule = ruleOf('R-APPKEYS', 'keys', (context) => {
  return [...checkWebview(context), ...checkAddresses(context), ...checkKiosk(context), ...checkSecondaryApps(context)];
});

function checkWebview({ manifest }: Context): Report[] {
  const webview = manifest.at('webview');
  if (!webview) return [];
  if (webview.kind !== 'dictionary') return [invalidValue('webview', WANTED.object)];
  const partitions = manifest.at('webview', 'partitions');
  if (partitions?.kind !== 'list' || partitions.items.length === 0) {
    return [invalidValue('webview.partitions', WANTED.items)];
  }
  return partitions.items.flatMap((item, index) => [...checkPartition(item, index)]);
}

/** A URL of another scheme, which cannot belong to the extension. */
const OTHER_SCHEME = /^\s*(?!chrome-extension:)[a-z][a-z0-9+.-]*:/i;

function* checkPartition(node: JsonNode, index: number): Generator<Report> {
  const key = `webview.partitions[${index}]`;
  const path = ['webview', 'partitions', index];
  if (node.kind !== 'dictionary') {
    yield invalidValue(key, WANTED.object, path);
    return;
  }
  if (node.members.get('name')?.value.kind !== 'string') {
    yield invalidValue(`${key}.name`, WANTED.string, [...path, 'name']);
  }
  const resources = node.members.get('accessible_resources')?.value;
  if (resources?.kind !== 'list' || resources.items.length === 0) {
    // The missing space is Chromium's.
    const text = "Invalid value for'webview.accessible_resources'.";
    const message = l10n.t('A partition needs "accessible_resources", a list that is not empty.');
    yield refusal(text, message, [...path, 'accessible_resources']);
    return;
  }
  for (const [at, item] of resources.items.entries()) {
    if (item.kind === 'string' && !OTHER_SCHEME.test(item.value)) continue;
    // Chromium's text has the index of the partition.
    const text = `Invalid value for 'webview.accessible_resources[${index}]'.`;
    const report = item.kind === 'string' ? caution : refusal;
    const message = l10n.t('A resource has to be the name of a file in the folder.');
    yield report(text, message, [...path, 'accessible_resources', at]);
  }
}

const URL_SCHEMES: ReadonlySet<string> = new Set(['http', 'https']);

function checkAddresses({ manifest }: Context): Report[] {
  const handlers = manifest.at('url_handlers');
  if (!handlers) return [];
  if (handlers.kind !== 'dictionary') return [invalidValue('url_handlers', WANTED.object)];
  return [...handlers.members].flatMap(([name, { value }]): Report | Report[] => {
    const path = ['url_handlers', name];
    // Chromium does not fill in the name here.
    if (value.kind !== 'dictionary') return invalidValue('url_handlers[*]', WANTED.object, path);
    const reports: Report[] = [];
    if (value.members.get('title')?.value.kind !== 'string') {
      reports.push(invalidValue('url_handlers[*].title', WANTED.string, [...path, 'title']));
    }
    const matches = value.members.get('matches')?.value;
    if (matches?.kind !== 'list' || matches.items.length === 0) {
      const place = [...path, 'matches'];
      return [...reports, invalidValue(`url_handlers[${name}].matches`, WANTED.patterns, place)];
    }
    for (const [index, item] of matches.items.entries()) {
      if (item.kind === 'string' && 'pattern' in parseMatchPattern(item.value, URL_SCHEMES)) continue;
      reports.push(invalidValue(`url_handlers[${name}]`, WANTED.patterns, [...path, 'matches', index]));
    }
    return reports;
  });
}

function* checkKiosk({ manifest }: Context): Generator<Report> {
  const wrongFlags = (...keys: string[]): Report[] =>
    keys
      .filter((key) => (manifest.at(...key.split('.'))?.kind ?? 'boolean') !== 'boolean')
      .map((key) => invalidValue(key, WANTED.boolean));
  yield* wrongFlags('kiosk_enabled', 'kiosk_only');
  const path = ['kiosk', 'required_platform_version'];
  const version = manifest.at(...path);
  if (version && (version.kind !== 'string' || parseVersion(version.value) === undefined))
    yield refusal(`Invalid value for '${path.join('.')}'`, l10n.t('The version has to look like "1.2".'), path);
  yield* wrongFlags('kiosk.always_update');
}

function checkSecondaryApps({ manifest }: Context): Report[] {
  const key = 'kiosk_secondary_apps';
  const list = manifest.at(key);
  if (!list) return [];
  if (list.kind !== 'list') {
    return [refusal(`Invalid value for '${key}'`, WANTED.list(key), [key])];
  }
  const seen = new Set<string>();
  return list.items.flatMap((item, index): Report | Report[] => {
    const path = [key, index];
    const id = item.kind === 'dictionary' ? secondaryAppId(item) : undefined;
    if (id === undefined) {
      return refusal(
        `Invalid app item for '${key}'`,
        l10n.t('An app has to be an object with the "id" of the app.'),
        path,
      );
    }
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return refusal(`Duplicate app id in '${key}': '${id}'.`, l10n.t('The app "{0}" is listed twice.', id), path);
  });
}

function secondaryAppId({ members }: Dictionary): string | undefined {
  const id = members.get('id')?.value;
  const isEnabled = members.get('enabled_on_launch')?.value;
  return id?.kind === 'string' && (isEnabled?.kind ?? 'boolean') === 'boolean' ? id.value : undefined;
}
