import * as l10n from '@vscode/l10n';
import type { JsonPath } from '../finding';
import type { JsonNode } from '../json/node';
import { caution, refusal, shapeRefusal } from '../refusal';
import { keyRule, type Report } from '../rule';
import { populate } from '../shape/populate';
import { ANY, dictionary, INTEGER, listOf, STRING } from '../shape/shape';
import { covers, readPattern } from '../values/matchPattern';
import { WANTED } from '../wanted';

/** R-EVENTRULES: declarative rules in the manifest. Measured on Chromium 156. */
export const eventRuleRule = keyRule('R-EVENTRULES', 'event_rules', (node) => {
  if (node.kind !== 'list') {
    const text = `'event_rules' expected list, got ${node.kind}`;
    return refusal(text, WANTED.list('event_rules'), ['event_rules']);
  }
  return node.items.flatMap((item, index) => checkEventRule(item, ['event_rules', index]));
});

const EVENT_RULE = dictionary({
  'id?': STRING,
  'tags?': listOf(STRING),
  conditions: listOf(ANY),
  actions: listOf(ANY),
  'priority?': INTEGER,
});

function checkEventRule(node: JsonNode, path: JsonPath): Report[] {
  if (node.kind !== 'dictionary')
    return [refusal(`expected dictionary, got ${node.kind}`, l10n.t('A rule has to be an object.'), path)];
  if (node.members.get('event')?.value.kind !== 'string') {
    return [refusal("'event' is required", l10n.t('A rule needs the name of an "event".'), [...path, 'event'])];
  }
  const fault = populate(node, EVENT_RULE);
  if (fault) return [shapeRefusal({ ...fault, text: 'rule failed to populate', path: [...path, ...fault.path] })];
  for (const key of ['actions', 'conditions']) {
    const list = node.members.get(key)?.value;
    for (const [index, item] of (list?.kind === 'list' ? list.items : []).entries()) {
      if (item.kind === 'dictionary' && item.members.get('type')?.value.kind === 'string') continue;
      const text =
        item.kind === 'dictionary'
          ? "'type' is required and must be a string"
          : `expected dictionary, got ${item.kind}`;
      return [
        refusal(text, l10n.t('Each condition and action has to be an object with a "type".'), [...path, key, index]),
      ];
    }
  }
  return [];
}

const CAPABILITIES = dictionary({ matches: listOf(STRING), permissions: listOf(STRING) });
const CAPABILITY_SCHEMES: ReadonlySet<string> = new Set(['https', 'http']);
const CONTENT_PERMISSIONS: ReadonlySet<string> = new Set(['clipboardRead', 'clipboardWrite', 'unlimitedStorage']);

/** R-CAPABILITIES: permissions that the extension grants to pages. Measured on Chromium 156. */
export const contentCapabilityRule = keyRule('R-CAPABILITIES', 'content_capabilities', function* (node, { manifest }) {
  const key = 'content_capabilities';
  const fault = populate(node, CAPABILITIES);
  if (fault) {
    const text = `Invalid content_capabilities parsing value. ${fault.text}`;
    yield shapeRefusal({ ...fault, text, path: [key, ...fault.path] });
    return;
  }
  for (const [index, written] of manifest.stringsAt(key, 'matches').entries())
    yield* checkCapabilityPattern(written, [key, 'matches', index]);
  for (const [index, name] of manifest.stringsAt(key, 'permissions').entries()) {
    if (CONTENT_PERMISSIONS.has(name)) continue;
    // Chromium's text has a star in place of the name.
    const text = 'Invalid content_capabilities permission: *.';
    yield caution(text, l10n.t('An extension cannot grant "{0}" to pages.', name), [key, 'permissions', index]);
  }
});

function checkCapabilityPattern(written: string, path: JsonPath): Report[] {
  const pattern = readPattern(written, CAPABILITY_SCHEMES);
  if (pattern?.scheme !== 'https' && !pattern?.isAllUrls) {
    const text = `Invalid content_capabilities URL pattern: Invalid url pattern '${written}'`;
    return [refusal(text, l10n.t('"{0}" has to be a pattern that begins with https://.', written), path)];
  }
  const everything = readPattern('https://*/*');
  if (!pattern.isAllUrls && !(everything && covers(pattern, everything))) return [];
  const text = 'Domain wildcards are not allowed for content_capabilities URL patterns.';
  return [caution(text, l10n.t('"{0}" matches every site. Name the sites.', written), path)];
}
