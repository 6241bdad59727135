import * as l10n from '@vscode/l10n';
import type { JsonDocument } from '../document';
import { patternProposal, proposing, type Proposal } from '../proposal';
import { caution, refusal, shapeRefusal } from '../refusal';
import { keyRule, type Report } from '../rule';
import { manifestKeyFault } from '../shape/manifestKey';
import { populate } from '../shape/populate';
import { BOOLEAN, dictionary, listOf, STRING } from '../shape/shape';
import { isExtensionId } from '../values/extensionId';
import { parseMatchPattern, showPattern } from '../values/matchPattern';

/** The shape of `externally_connectable`. */
export const CONNECTABLE = dictionary({
  'ids?': listOf(STRING),
  'matches?': listOf(STRING),
  'accepts_tls_channel_id?': BOOLEAN,
});

/** R-EXTCONN: who may send messages to the extension. Measured on Chromium 156. */
export const connectableRule = keyRule('R-EXTCONN', 'externally_connectable', function* (node, { manifest }) {
  const key = 'externally_connectable';
  const fault = populate(node, CONNECTABLE);
  if (fault) {
    yield shapeRefusal({ ...fault, path: [key, ...fault.path] });
    return;
  }
  const matches = manifest.stringsAt(key, 'matches');
  const ids = manifest.stringsAt(key, 'ids');
  for (const [index, written] of matches.entries()) {
    const result = parseMatchPattern(written, 'any');
    if (!('fault' in result)) continue;
    const text = `Invalid match pattern '${written}' (${result.fault})`;
    const message = l10n.t('"{0}" is not a match pattern. Write one such as https://*.example.com/*.', written);
    yield refusal(text, message, [key, 'matches', index], { fix: patternProposal(written, 'any') });
  }
  for (const [index, id] of ids.entries())
    if (!isExtension(id)) yield refusal(`Invalid ID '${id}'`, wantedId(id), [key, 'ids', index]);
  if (matches.length > 0) return;
  if (ids.length === 0) {
    const text = "'externally_connectable' specifies neither 'matches' nor 'ids'; nothing will be able to connect";
    const message = l10n.t('Nothing can connect to the extension: name pages in "matches", or extensions in "ids".');
    yield caution(text, message, [key]);
  }
  const channel = [key, 'accepts_tls_channel_id'];
  if (!manifest.at(...channel)) return;
  const text =
    "'externally_connectable' specifies 'accepts_tls_channel_id' but not 'matches'; 'accepts_tls_channel_id' has no efect";
  yield caution(text, l10n.t('"accepts_tls_channel_id" does nothing without "matches".'), channel);
});

/** True of an id, and of the star for all extensions. */
function isExtension(id: string): boolean {
  return id === '*' || isExtensionId(id);
}

function wantedId(id: string): string {
  return l10n.t('"{0}" is not the id of an extension: 32 letters from a to p.', id);
}

const KEY = 'web_accessible_resources';

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
export const accessibleResourceRule = keyRule('R-WAR', KEY, (node, { manifest, manifestVersion }) => {
  const fault = manifestKeyFault(KEY, node, manifestVersion >= 3 ? RESOURCES : listOf(STRING));
  if (fault) return shapeRefusal(fault);
  if (manifestVersion < 3) return [];
  return manifest.itemsAt(KEY).flatMap((_, index) => [...checkEntry(manifest, index)]);
});

function* checkEntry(manifest: JsonDocument, index: number): Generator<Report> {
  const path = [KEY, index];
  const invalid = (why: string, message: string, fix?: Proposal): Report =>
    proposing(refusal(`Invalid value for '${KEY}[${index}]'. ${why}`, message, path), fix);
  for (const [place, written] of manifest.stringsAt(...path, 'matches').entries()) {
    const result = parseMatchPattern(written, 'any');
    if ('pattern' in result && result.pattern.path === '/*') continue;
    const message = l10n.t('"{0}" is not a pattern for whole sites. Write one that ends in /*.', written);
    const whole = 'pattern' in result ? showPattern({ ...result.pattern, path: '/*' }) : written;
    const fix: Proposal = { ...patternProposal(whole, 'any', '/*'), at: [...path, 'matches', place] };
    yield invalid('Invalid match pattern.', message, fix);
  }
  for (const id of manifest.stringsAt(...path, 'extension_ids'))
    if (!isExtension(id)) yield invalid('Invalid extension id.', wantedId(id));
  const isForSome = ['matches', 'extension_ids'].some((name) => manifest.at(...path, name));
  if (isForSome || manifest.isTrueAt(...path, 'use_dynamic_url')) return;
  const message = l10n.t('Say who may use the resources: add "matches", "extension_ids" or "use_dynamic_url".');
  yield invalid('Entry must at least have resources, and one other valid key.', message);
}
