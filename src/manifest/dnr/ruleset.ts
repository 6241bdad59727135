import * as l10n from '@vscode/l10n';
import type { JsonNode } from '../json/node';
import { showPath } from '../shape/fault';
import { populate } from '../shape/populate';
import { modifiedHeadersFault, redirectFault } from './action';
import { filterFault, listFault, responseHeaderFault, scopeFault } from './condition';
import { judgeRegex, regexFault, type RegexVerdict } from './regex';
import { RULE_SHAPE } from './ruleShape';
import type { Report } from '../rule';
import { JsonView } from '../json/jsonView';
import type { RuleFault } from './view';

/** A finding about a ruleset; Chromium's text is without the name of the file, and undefined for what it would only report once the rest is correct. */
export interface RulesetFinding extends Pick<Report, 'chromium' | 'message' | 'path' | 'fix'> {
  rule: 'R-DNR-PARSE' | 'R-DNR-RULE' | 'R-DNR-LIMITS';
  severity: 'error' | 'warning';
}

/** Chromium ignores a ruleset with more rules than that. Source: its limit of static rules in all. */
const MAX_RULES = 330_000;
const MAX_REGEX_RULES = 1000;

/** After so many warnings Chromium only reports that there are more. */
const MAX_WARNINGS = 5;

/**
 * Checks the rules of a ruleset. Chromium ignores those of a wrong shape with a warning, and refuses the extension at the first one with a
 * wrong value. Source: R-DNR-PARSE, R-DNR-RULE and R-DNR-LIMITS, measured on Chromium 156.
 */
export function checkRules(items: readonly JsonNode[], rulesetIndex: number): RulesetFinding[] {
  if (items.length > MAX_RULES) {
    const chromium = `Ruleset with id ${rulesetIndex + 1} exceeds the indexing rule limit and will be ignored.`;
    const message = l10n.t('Chromium ignores this ruleset, which has more than {0} rules.', MAX_RULES);
    return [{ rule: 'R-DNR-LIMITS', severity: 'warning', chromium, message, path: [] }];
  }
  const { warnings, rules } = readRules(items);
  const errors: RulesetFinding[] = [];
  const ids = new Set<number>();
  for (const { view, index } of rules) {
    const pattern = view.stringAt('condition', 'regexFilter');
    const verdict = pattern === undefined ? undefined : judgeRegex(pattern);
    const fault = ruleFault(view, ids, verdict);
    if (fault) errors.push(wrongValue(view, index, fault));
    else if (verdict === 'too large') warnings.push(tooLarge(view, index));
  }
  return [...errors, ...capped(warnings)];
}

interface IndexedRule {
  view: JsonView;
  index: number;
}

function readRules(items: readonly JsonNode[]): { warnings: RulesetFinding[]; rules: IndexedRule[] } {
  const warnings: RulesetFinding[] = [];
  const rules: IndexedRule[] = [];
  let regexRules = 0;
  for (const [index, node] of items.entries()) {
    const view = new JsonView(node);
    const fault = populate(node, RULE_SHAPE);
    if (fault) {
      const id = view.integerAt('id');
      const place = id === undefined ? `index ${index + 1}` : `id ${id}`;
      const chromium = `Rule with ${place} couldn't be parsed. Parse error: ${fault.text}.`;
      const explanation = fault.explain(fault.path.length > 0 ? showPath(fault.path) : l10n.t('rule'));
      const message = l10n.t('Chromium ignores this rule. {0}', explanation);
      warnings.push({ rule: 'R-DNR-PARSE', severity: 'warning', chromium, message, path: [index, ...fault.path] });
    } else if (view.at('condition', 'regexFilter') && ++regexRules > MAX_REGEX_RULES) {
      if (regexRules > MAX_REGEX_RULES + 1) continue;
      const chromium = 'Regular expression rule count exceeded. Some rules were ignored.';
      const message = l10n.t(
        'Chromium ignores rules with a regular expression after the first {0}. Conditions with "urlFilter" have no such limit.',
        MAX_REGEX_RULES,
      );
      warnings.push({ rule: 'R-DNR-LIMITS', severity: 'warning', chromium, message, path: [index] });
    } else rules.push({ view, index });
  }
  return { warnings, rules };
}

const MIN_VALUE = 1;

/** The first fault of a rule, in Chromium's order. */
function ruleFault(rule: JsonView, ids: Set<number>, verdict: RegexVerdict | undefined): RuleFault | undefined {
  const id = rule.integerAt('id') ?? 0;
  if (ids.has(id)) return { text: 'does not have a unique ID.', path: ['id'] };
  ids.add(id);
  for (const key of ['id', 'priority']) {
    if ((rule.integerAt(key) ?? MIN_VALUE) >= MIN_VALUE) continue;
    return {
      text: `has an invalid value for ${key} key. This should be greater than or equal to ${MIN_VALUE}.`,
      path: [key],
    };
  }
  const type = rule.stringAt('action', 'type');
  return (
    (type === 'redirect' ? redirectFault(rule) : undefined) ??
    listFault(rule) ??
    filterFault(rule) ??
    regexFault(rule, verdict) ??
    scopeFault(rule) ??
    (type === 'modifyHeaders' ? modifiedHeadersFault(rule) : undefined) ??
    responseHeaderFault(rule)
  );
}

function wrongValue(rule: JsonView, index: number, { text, path, fix }: RuleFault): RulesetFinding {
  const id = rule.integerAt('id') ?? 0;
  const chromium = `Rule with id ${id} ${text}`;
  return {
    rule: 'R-DNR-RULE',
    severity: 'error',
    chromium,
    message: l10n.t('Chromium refuses the whole extension because of this rule: {0}', chromium),
    path: [index, ...path],
    ...(fix && { fix }),
  };
}

function tooLarge(rule: JsonView, index: number): RulesetFinding {
  const id = rule.integerAt('id') ?? 0;
  const chromium = `Rule with id ${id} was skipped as the "regexFilter" value exceeded the 2KB memory limit when compiled. Learn more: https://developer.chrome.com/docs/extensions/reference/api/declarativeNetRequest#regex-rules`;
  const message = l10n.t(
    'Chromium ignores rule {0}, whose regular expression is too large. Split it, or use "urlFilter".',
    id,
  );
  return { rule: 'R-DNR-LIMITS', severity: 'warning', chromium, message, path: [index, 'condition', 'regexFilter'] };
}

/** Chromium reports the first few warnings; the others are Sideload's own. */
function capped(warnings: readonly RulesetFinding[]): RulesetFinding[] {
  if (warnings.length <= MAX_WARNINGS) return [...warnings];
  const rest = warnings.slice(MAX_WARNINGS).map(({ chromium: _chromium, ...warning }) => warning);
  const [first, ...others] = rest;
  const chromium = `Too many rule parse failures; Reporting the first ${MAX_WARNINGS}.`;
  return [...warnings.slice(0, MAX_WARNINGS), ...(first ? [{ ...first, chromium }] : []), ...others];
}
