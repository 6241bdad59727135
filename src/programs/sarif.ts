import { createHash } from 'node:crypto';
import type { Finding, Severity } from '../manifest/finding';
import { RULE_SENTENCES, rulePage } from '../manifest/pages/rulePage';

/** Where services for code scanning find the schema of the format. */
const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** The most results that a run may have on GitHub. */
const MAX_RESULTS = 25_000;

/** Longest description of a rule, in characters. */
const MAX_TEXT = 1024;

const LEVELS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', hint: 'note' };

/** A finding and its file, relative to the folder in which the program runs, with `/`. */
export interface ScannedFinding {
  finding: Finding;
  file: string;
}

/** Findings in the form SARIF 2.1.0, which services for code scanning read; files are relative to where the program runs. */
export function sarifOf(found: readonly ScannedFinding[]): string {
  const results = found.slice(0, MAX_RESULTS);
  const ids = [...new Set(results.map(({ finding }) => finding.rule))].sort();
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Sideload', rules: ids.map((id) => ruleOf(id, results)) } },
        columnKind: 'utf16CodeUnits',
        results: results.map((one) => resultOf(one, ids)),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function ruleOf(id: string, found: readonly ScannedFinding[]): object {
  const text = (RULE_SENTENCES[id]?.() ?? id).slice(0, MAX_TEXT);
  const severity = found.find(({ finding }) => finding.rule === id)?.finding.severity ?? 'hint';
  return {
    id,
    name: id,
    shortDescription: { text },
    fullDescription: { text },
    help: { text, markdown: rulePage(id) ?? text },
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { tags: ['browser-extension', ...(id.startsWith('R-STORE') ? ['chrome-web-store'] : [])] },
  };
}

function resultOf({ finding, file }: ScannedFinding, ids: readonly string[]): object {
  const { rule, severity, message, range } = finding;
  const { start, end } = range;
  const uri = file.split('/').map(encodeURIComponent).join('/');
  const region = {
    startLine: start.line + 1,
    startColumn: start.column + 1,
    endLine: end.line + 1,
    endColumn: end.column + 1,
  };
  return {
    ruleId: rule,
    ruleIndex: ids.indexOf(rule),
    level: LEVELS[severity],
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region } }],
    // A result keeps its identity when lines are added above it.
    partialFingerprints: {
      'sideloadFinding/v1': createHash('sha256').update(`${rule}\0${file}\0${message}`).digest('hex'),
    },
  };
}
