import * as l10n from '@vscode/l10n';
import { patternProposal, type Proposal } from '../proposal';
import { caution, refusal, shapeRefusal } from '../refusal';
import { ruleOf, type Report, type Rule } from '../rule';
import { manifestKeyFault } from '../shape/manifestKey';
import { populate } from '../shape/populate';
import { BOOLEAN, dictionary, listOf, STRING } from '../shape/shape';
import { parseMatchPattern, showPattern } from '../values/matchPattern';

/** True for 32 letters from a to p, which are hexadecimal digits. */
function isExtensionId(id: string): boolean {
  return /^[a-p]{32}$/i.test(id);
}

/** The shape of `externally_connectable`. */
export const CONNECTABLE = dictionary({
  'ids?': listOf(STRING),
  'matches?': listOf(STRING),
  'accepts_tls_channel_id?': BOOLEAN,
});

/** R-EXTCONN: who may send messages to the extension. Measured on Chromium 156. */
export const connectableRule = ruleOf('R-EXTCONN', 'keys', function* ({ manifest }) {
  const key = 'externally_connectable';
  const node = manifest.at(key);
  if (!node) return;
  const fault = populate(node, CONNECTABLE);
  if (fault) {
    yield shapeRefusal({ ...fault, path: [key, ...fault.path] });
    return;
  }
  const items = (name: string) => listed(manifest.at(key, name));
  const matches = items('matches');
  const ids = items('ids');
  for (const [index, written] of matches.entries()) {
    const result = parseMatchPattern(written, 'any');
    if (!('fault' in result)) continue;
    const text = `Invalid match pattern '${written}' (${result.fault})`;
    const message = l10n.t('"{0}" is not a match pattern. Write one such as https://*.example.com/*.', written);
    yield refusal(text, message, [key, 'matches', index], { fix: patternProposal(written, 'any') });
  }
  for (const [index, id] of ids.entries()) {
    if (id === '*' || isExtensionId(id)) continue;
    yield refusal(`Invalid ID '${id}'`, l10n.t('"{0}" is not the id of an extension: 32 letters from a to p.', id), [
      key,
      'ids',
      index,
    ]);
  }
  if (matches.length === 0 && ids.length === 0) {
    const text = "'externally_connectable' specifies neither 'matches' nor 'ids'; nothing will be able to connect";
    yield caution(
      text,
      l10n.t('Nothing can connect to the extension: name pages in "matches", or extensions in "ids".'),
      [key],
    );
  }
  const channel = manifest.at(key, 'accepts_tls_channel_id');
  if (channel && matches.length === 0) {
    const text =
      "'externally_connectable' specifies 'accepts_tls_channel_id' but not 'matches'; 'accepts_tls_channel_id' has no efect";
    yield caution(text, l10n.t('"accepts_tls_channel_id" does nothing without "matches".'), [
      key,
      'accepts_tls_channel_id',
    ]);
  }
});

function listed(node: ReturnType<Parameters<Rule['check']>[0]['manifest']['at']>): string[] {
  if (node?.kind !== 'list') return [];
  return node.items.flatMap((item) => (item.kind === 'string' ? [item.value] : []));
}

/** The shape of `web_accessible_resources` from version 3 on. */
export const RESOURCES = listOf(
  dictionary({
    resources: listOf(STRING),
    'matches?': listOf(STRING),
    'extension_ids?': listOf(STRING),
    'use_dynamic_url?': BOOLEAN,
  }),
);

/** R-WAR: which files pages may use; Chromium does not look whether they exist. Measured on Chromium 156. */
export const accessibleResourceRule = ruleOf('R-WAR', 'keys', ({ manifest, manifestVersion }) => {
  const key = 'web_accessible_resources';
  const node = manifest.at(key);
  if (!node) return [];
  const fault = manifestKeyFault(key, node, manifestVersion >= 3 ? RESOURCES : listOf(STRING));
  if (fault) return shapeRefusal(fault);
  if (node.kind !== 'list' || manifestVersion < 3) return [];
  return node.items.flatMap((_, index): Report[] => {
    const at = (name: string) => manifest.at(key, index, name);
    const invalid = (why: string, message: string): Report =>
      refusal(`Invalid value for '${key}[${index}]'. ${why}`, message, [key, index]);
    const reports: Report[] = [];
    for (const [place, written] of listed(at('matches')).entries()) {
      const result = parseMatchPattern(written, 'any');
      if ('pattern' in result && result.pattern.path === '/*') continue;
      const message = l10n.t('"{0}" is not a pattern for whole sites. Write one that ends in /*.', written);
      const whole = 'pattern' in result ? showPattern({ ...result.pattern, path: '/*' }) : written;
      const fix: Proposal = { ...patternProposal(whole, 'any', '/*'), at: [key, index, 'matches', place] };
      reports.push({ ...invalid('Invalid match pattern.', message), fix });
    }
    for (const id of listed(at('extension_ids'))) {
      if (id === '*' || isExtensionId(id)) continue;
      reports.push(
        invalid('Invalid extension id.', l10n.t('"{0}" is not the id of an extension: 32 letters from a to p.', id)),
      );
    }
    const dynamic = at('use_dynamic_url');
    if (!at('matches') && !at('extension_ids') && !(dynamic?.kind === 'boolean' && dynamic.value)) {
      const message = l10n.t('Say who may use the resources: add "matches", "extension_ids" or "use_dynamic_url".');
      reports.push(invalid('Entry must at least have resources, and one other valid key.', message));
    }
    return reports;
  });
});
