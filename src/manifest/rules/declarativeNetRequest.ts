import { checkRules } from '../dnr/ruleset';
import { spanOf } from '../document';
import type { JsonPath } from '../finding';
import { parseJson } from '../json/parse';
import { caution, refusal, shapeRefusal } from '../refusal';
import type { Context, Report, Rule } from '../rule';
import { manifestKeyFault } from '../shape/manifestKey';
import { BOOLEAN, dictionary, listOf, STRING } from '../shape/shape';
import { Text } from '../source/text';
import { portablePath } from '../values/portable';
import { askedPermissions } from './permissions';

const KEY = 'declarative_net_request';
const LIST = `${KEY}.rule_resources`;
const PERMISSIONS: ReadonlySet<string> = new Set(['declarativeNetRequest', 'declarativeNetRequestWithHostAccess']);
const SHAPE = dictionary({ rule_resources: listOf(dictionary({ id: STRING, path: STRING, enabled: BOOLEAN })) });

const MAX_RULESETS = 100;
const MAX_ENABLED_RULESETS = 50;

interface Ruleset {
  id: string;
  enabled: boolean;
  written: string;
  /** As Chromium's texts name it; undefined when it cannot be a file of the folder. */
  file: string | undefined;
  path: JsonPath;
}

function rulesets({ manifest }: Context): Ruleset[] {
  const node = manifest.at(KEY);
  const list = manifest.at(KEY, 'rule_resources');
  if (!node || list?.kind !== 'list' || manifestKeyFault(KEY, node, SHAPE)) return [];
  return list.items.map((_, index) => {
    const path = [KEY, 'rule_resources', index];
    const written = manifest.stringAt(...path, 'path') ?? '';
    const enabled = manifest.at(...path, 'enabled');
    return {
      id: manifest.stringAt(...path, 'id') ?? '',
      enabled: enabled?.kind === 'boolean' && enabled.value,
      written,
      file: portablePath(written),
      path,
    };
  });
}

/** R-DNR-PERM, R-DNR-ID, R-DNR-COUNT and R-DNR-SAMEPATH: the list of rulesets. Measured on Chromium 156. */
export const rulesetListRule: Rule = {
  id: 'R-DNR-TYPE',
  stage: 'keys',
  check(context) {
    const node = context.manifest.at(KEY);
    if (!node) return [];
    const reports: Report[] = [];
    if (!askedPermissions(context, 'permissions').some(({ name }) => PERMISSIONS.has(name))) {
      const text = `The extension requires the 'declarativeNetRequest' or the 'declarativeNetRequestWithHostAccess' permission for the '${KEY}' manifest key.`;
      const report = refusal(text, 'Rulesets need a permission. Add "declarativeNetRequest" to "permissions".', [KEY]);
      reports.push({ ...report, rule: 'R-DNR-PERM' });
    }
    const fault = manifestKeyFault(KEY, node, SHAPE);
    if (fault) return [...reports, shapeRefusal(fault)];
    const all = rulesets(context);
    return [...reports, ...checkCounts(all), ...checkIds(all), ...checkRepeats(all)];
  },
};

function checkCounts(all: readonly Ruleset[]): Report[] {
  const enabled = all.filter((ruleset) => ruleset.enabled).length;
  return (
    [
      [all.length, MAX_RULESETS, 'rulesets'],
      [enabled, MAX_ENABLED_RULESETS, 'enabled rulesets'],
    ] as const
  ).flatMap(([count, max, what]): Report[] => {
    if (count <= max) return [];
    const text = `Invalid value for key '${LIST}': The number of ${what} must be less than or equal to ${max}.`;
    const message = `There are ${count} ${what}; Chromium takes ${max}. Put rules together.`;
    return [{ ...refusal(text, message, [KEY, 'rule_resources']), rule: 'R-DNR-COUNT' }];
  });
}

function checkIds(all: readonly Ruleset[]): Report[] {
  const ids = new Set<string>();
  return all.flatMap(({ id, path }, index): Report[] => {
    const isRight = id !== '' && !id.startsWith('_') && !ids.has(id);
    ids.add(id);
    if (isRight) return [];
    const text = `'${LIST}': Invalid 'id' specified for Ruleset at index ${index}. The ID must be non-empty, unique and must not start with '_'.`;
    const message = `The id "${id}" of the ruleset is empty, used before, or begins with an underscore. Choose another one.`;
    return [{ ...refusal(text, message, [...path, 'id']), rule: 'R-DNR-ID' }];
  });
}

function checkRepeats(all: readonly Ruleset[]): Report[] {
  const files = new Set<string>();
  for (const { file, path } of all) {
    const plain = file?.replace(/^\.\//, '');
    if (plain === undefined) continue;
    if (files.has(plain)) {
      const text = `The same ruleset file appears multiple times with different IDs in the manifest '${LIST}' key.`;
      return [
        {
          ...caution(text, `${plain} is listed twice. Remove one of the two.`, [...path, 'path']),
          rule: 'R-DNR-SAMEPATH',
        },
      ];
    }
    files.add(plain);
  }
  return [];
}

/** R-DNR-PATH: every ruleset is there, enabled or not. Measured on Chromium 156. */
export const rulesetPathRule: Rule = {
  id: 'R-DNR-PATH',
  stage: 'files',
  async check(context) {
    const reports: Report[] = [];
    for (const { written, file, path } of rulesets(context)) {
      if (file !== undefined && (await context.folder.exists(file))) continue;
      const text = `Invalid value for key '${LIST}': The provided path '${file ?? written}' is invalid.`;
      reports.push(
        refusal(text, `The ruleset "${written}" is not in the folder. Add it, or correct the name.`, [...path, 'path']),
      );
    }
    return reports;
  },
};

/** R-DNR-JSON, R-DNR-PARSE, R-DNR-RULE and R-DNR-LIMITS: what is in the rulesets, enabled or not. Measured on Chromium 156. */
export const rulesetContentRule: Rule = {
  id: 'R-DNR-JSON',
  stage: 'rulesets',
  async check(context) {
    const reports: Report[] = [];
    for (const [index, { file }] of rulesets(context).entries()) {
      if (file !== undefined) reports.push(...(await checkRuleset(context, file, index)));
    }
    return reports;
  },
};

async function checkRuleset({ folder }: Context, file: string, index: number): Promise<Report[]> {
  if (!(await folder.exists(file))) return [];
  const name = file.slice(file.lastIndexOf('/') + 1);
  const content = await folder.read(file);
  if (!('bytes' in content)) {
    return [
      {
        ...refusal(`${name}: File read error.`, `${file} cannot be read. Put a list of rules there.`, []),
        source: { file },
      },
    ];
  }
  const text = new Text(content.bytes);
  const parsed = parseJson(text, 'strict');
  if ('fault' in parsed) {
    const report = refusal(
      `${name}: ${parsed.fault.text}`,
      `${file} is not valid JSON. Correct the text at this place.`,
      [],
    );
    return [{ ...report, source: { file, text }, span: { start: parsed.fault.start, end: parsed.fault.end } }];
  }
  const { root } = parsed;
  if (root.kind !== 'list') {
    const report = refusal(
      `${name}: Rules file must contain a list.`,
      `${file} has to hold a list of rules in [ ].`,
      [],
    );
    return [{ ...report, source: { file, text }, span: root }];
  }
  return checkRules(root.items, index).map(({ path, chromium, ...finding }) => ({
    ...finding,
    ...(chromium !== undefined && { chromium: `${name}: ${chromium}` }),
    path,
    source: { file, text },
    span: spanOf(root, path),
  }));
}
