import * as l10n from '@vscode/l10n';
import { checkRules } from '../dnr/ruleset';
import { spanOf } from '../document';
import type { JsonPath } from '../finding';
import { parseJson } from '../json/parse';
import type { Proposal } from '../proposal';
import { caution, refusal, shapeRefusal } from '../refusal';
import { keyRule, ruleOf, type Context, type Report } from '../rule';
import { manifestKeyFault } from '../shape/manifestKey';
import { BOOLEAN, dictionary, listOf, STRING } from '../shape/shape';
import { Text } from '../source/text';
import { portablePath } from '../values/portable';
import { askedPermissions } from './permissions';

const KEY = 'declarative_net_request';
const LIST = `${KEY}.rule_resources`;
const PERMISSIONS: ReadonlySet<string> = new Set(['declarativeNetRequest', 'declarativeNetRequestWithHostAccess']);
/** The shape of `declarative_net_request`. */
export const RULE_RESOURCES = dictionary({
  rule_resources: listOf(dictionary({ id: STRING, path: STRING, enabled: BOOLEAN })),
});

const MAX_RULESETS = 100;
const MAX_ENABLED_RULESETS = 50;

interface Ruleset {
  id: string;
  enabled: boolean;
  written: string;
  /** The path in Chromium's texts; undefined when it cannot be a file in the folder. */
  file: string | undefined;
  path: JsonPath;
}

function rulesets({ manifest }: Context): Ruleset[] {
  const node = manifest.at(KEY);
  if (!node || manifestKeyFault(KEY, node, RULE_RESOURCES)) return [];
  return manifest.itemsAt(KEY, 'rule_resources').map((_, index) => {
    const path = [KEY, 'rule_resources', index];
    const written = manifest.stringAt(...path, 'path') ?? '';
    const id = manifest.stringAt(...path, 'id') ?? '';
    return { id, enabled: manifest.isTrueAt(...path, 'enabled'), written, file: portablePath(written), path };
  });
}

/** R-DNR-PERM, R-DNR-ID, R-DNR-COUNT and R-DNR-SAMEPATH: the list of rulesets. Measured on Chromium 156. */
export const rulesetListRule = keyRule('R-DNR-TYPE', KEY, function* (node, context) {
  if (!askedPermissions(context, 'permissions').some(({ name }) => PERMISSIONS.has(name))) {
    const text = `The extension requires the 'declarativeNetRequest' or the 'declarativeNetRequestWithHostAccess' permission for the '${KEY}' manifest key.`;
    const hasList = context.manifest.at('permissions') !== undefined;
    const fix: Proposal = {
      do: 'add',
      at: hasList ? ['permissions', 0] : ['permissions'],
      value: hasList ? 'declarativeNetRequest' : ['declarativeNetRequest'],
    };
    const message = l10n.t('Rulesets need a permission. Add "declarativeNetRequest" to "permissions".');
    yield refusal(text, message, [KEY], { fix, rule: 'R-DNR-PERM' });
  }
  const fault = manifestKeyFault(KEY, node, RULE_RESOURCES);
  if (fault) {
    yield shapeRefusal(fault);
    return;
  }
  const all = rulesets(context);
  yield* checkCounts(all);
  yield* checkIds(all);
  yield* checkRepeats(all);
});

function* checkCounts(all: readonly Ruleset[]): Generator<Report> {
  const about = (what: string, max: number, message: string): Report => {
    const text = `Invalid value for key '${LIST}': The number of ${what} must be less than or equal to ${max}.`;
    return refusal(text, message, [KEY, 'rule_resources'], { rule: 'R-DNR-COUNT' });
  };
  const [count, max] = [all.length, MAX_RULESETS];
  if (count > max)
    yield about(
      'rulesets',
      max,
      l10n.t('There are {0} rulesets; Chromium accepts {1}. Merge some of them.', count, max),
    );
  const [enabled, most] = [all.filter((ruleset) => ruleset.enabled).length, MAX_ENABLED_RULESETS];
  if (enabled <= most) return;
  const message = l10n.t('There are {0} enabled rulesets; Chromium accepts {1}. Merge some of them.', enabled, most);
  yield about('enabled rulesets', most, message);
}

function checkIds(all: readonly Ruleset[]): Report[] {
  const ids = new Set<string>();
  return all.flatMap(({ id, path }, index): Report | Report[] => {
    const isRight = id !== '' && !id.startsWith('_') && !ids.has(id);
    ids.add(id);
    if (isRight) return [];
    const text = `'${LIST}': Invalid 'id' specified for Ruleset at index ${index}. The ID must be non-empty, unique and must not start with '_'.`;
    const message = l10n.t(
      'The ruleset id "{0}" is empty, already used, or begins with an underscore. Choose another one.',
      id,
    );
    return refusal(text, message, [...path, 'id'], { rule: 'R-DNR-ID' });
  });
}

function* checkRepeats(all: readonly Ruleset[]): Generator<Report> {
  const files = all.map(({ file }) => file?.replace(/^\.\//, ''));
  const repeated = files.findIndex((file, index) => file !== undefined && files.indexOf(file) < index);
  const { path } = all[repeated] ?? {};
  if (!path) return;
  const text = `The same ruleset file appears multiple times with different IDs in the manifest '${LIST}' key.`;
  const message = l10n.t('{0} is listed twice. Remove one of the two.', files[repeated] ?? '');
  yield caution(text, message, [...path, 'path'], { fix: { do: 'remove', at: path }, rule: 'R-DNR-SAMEPATH' });
}

/** R-DNR-PATH: every ruleset has to exist, enabled or not. Measured on Chromium 156. */
export const rulesetPathRule = ruleOf('R-DNR-PATH', 'files', async function* (context) {
  for (const { written, file, path } of rulesets(context)) {
    if (file !== undefined && (await context.folder.exists(file))) continue;
    const text = `Invalid value for key '${LIST}': The provided path '${file ?? written}' is invalid.`;
    const message = l10n.t('The ruleset "{0}" is not in the folder. Add it, or correct the name.', written);
    yield refusal(text, message, [...path, 'path']);
  }
});

/** R-DNR-JSON, R-DNR-PARSE, R-DNR-RULE and R-DNR-LIMITS: the content of the rulesets, enabled or not. Measured on Chromium 156. */
export const rulesetContentRule = ruleOf('R-DNR-JSON', 'rulesets', async function* (context) {
  for (const [index, { file }] of rulesets(context).entries()) {
    if (file !== undefined) yield* checkRuleset(context, file, index);
  }
});

async function* checkRuleset({ folder }: Context, file: string, index: number): AsyncGenerator<Report> {
  if (!(await folder.exists(file))) return;
  const name = file.slice(file.lastIndexOf('/') + 1);
  const refused = (text: string, message: string, more: Pick<Report, 'source' | 'span'>): Report =>
    refusal(`${name}: ${text}`, message, [], more);
  const content = await folder.read(file);
  if (!('bytes' in content)) {
    const message = l10n.t('{0} cannot be read. Put a list of rules there.', file);
    yield refused('File read error.', message, { source: { file } });
    return;
  }
  const text = new Text(content.bytes);
  const parsed = parseJson(text, 'strict');
  if ('fault' in parsed) {
    const { start, end, text: fault } = parsed.fault;
    const message = l10n.t('{0} is not valid JSON. Correct the text at this place.', file);
    yield refused(fault, message, { source: { file, text }, span: { start, end } });
    return;
  }
  const { root } = parsed;
  if (root.kind !== 'list') {
    const message = l10n.t('{0} has to be a list of rules in [ ].', file);
    yield refused('Rules file must contain a list.', message, { source: { file, text }, span: root });
    return;
  }
  for (const { path, chromium, ...finding } of checkRules(root.items, index)) {
    const words = chromium !== undefined && { chromium: `${name}: ${chromium}` };
    yield { ...finding, ...words, path, source: { file, text, root }, span: spanOf(root, path) };
  }
}
