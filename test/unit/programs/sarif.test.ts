// Covers: src/programs/sarif.ts, src/programs/checkCommand.ts
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { fieldOf, listField } from '../../../src/base/fields';
import { sarifOf, type ScannedFinding } from '../../../src/programs/sarif';
import { ROOT } from '../../support/paths';
import { checkManifest } from '../manifest/checkManifest';

/** The schema of OASIS, as a package of Microsoft brings it. */
const SCHEMA = join(ROOT, 'node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');

/** What is wrong with a report by the schema. */
function faultsOf(report: string): unknown {
  const text = readFileSync(SCHEMA, 'utf8');
  // Of draft 4 of the schemas' own format; the later ones, which are known here, say it in the same words but for the id.
  const schema: unknown = JSON.parse(text, (key, value: unknown) =>
    typeof value === 'string' && ['$schema', 'id'].includes(key) ? undefined : value,
  );
  assert.ok(typeof schema === 'object' && schema !== null);
  const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema);
  validate(JSON.parse(report));
  return validate.errors;
}

async function found(): Promise<ScannedFinding[]> {
  const manifest = { name: '', permissions: ['alarms', 'nosuch'], icons: { 16: 'a b.png' } };
  const files = { 'a b.png': '', 'tests/é.js': '' };
  const findings = await checkManifest(manifest, files, { storeHints: true, readsCode: true });
  return findings.map((finding) => ({ finding, file: `my folder/${finding.file}` }));
}

describe('a report for code scanning', () => {
  it('keeps to the schema of SARIF 2.1.0', async () => {
    assert.equal(faultsOf(sarifOf([])), null);
    const report = sarifOf(await found());
    assert.equal(faultsOf(report), null);
    assert.notEqual(faultsOf(report.replace('"results"', '"findings"')), null);
  });

  it('has what GitHub asks for: paths in the repository, all four numbers of a region, a rule for each result', async () => {
    const scanned = await found();
    const report: unknown = JSON.parse(sarifOf(scanned));
    const [run] = listField(report, 'runs');
    const results = listField(run, 'results');
    assert.equal(results.length, scanned.length);
    assert.ok(scanned.some(({ finding }) => finding.rule === 'R-STORE-FILES'));
    const rules = listField(['tool', 'driver'].reduce(fieldOf, run), 'rules');
    for (const [index, result] of results.entries()) {
      const { finding } = scanned[index] ?? assert.fail();
      const place = fieldOf(listField(result, 'locations')[0], 'physicalLocation');
      const uri = ['artifactLocation', 'uri'].reduce(fieldOf, place);
      assert.match(String(uri), /^my%20folder\/[\w./%-]+$/);
      const { start, end } = finding.range;
      assert.deepEqual(fieldOf(place, 'region'), {
        startLine: start.line + 1,
        startColumn: start.column + 1,
        endLine: end.line + 1,
        endColumn: end.column + 1,
      });
      assert.equal(fieldOf(rules[Number(fieldOf(result, 'ruleIndex'))], 'id'), finding.rule);
    }
    const levels = new Set(results.map((result) => fieldOf(result, 'level')));
    assert.deepEqual([...levels].sort(), ['error', 'note', 'warning']);
  });
});
