import assert from 'node:assert/strict';
import { readAudit } from '../../runner/audit';

const FOLDERS = ['node_modules/ws', 'node_modules/a/node_modules/b'];

/** A report about packages in these folders. */
const reportOf = (...found: [severity: string, ...nodes: string[]][]): string =>
  JSON.stringify({
    vulnerabilities: Object.fromEntries(found.map(([severity, ...nodes], at) => [at, { severity, nodes }])),
  });

describe('the audit of what is shipped', () => {
  it('counts what is high or critical in bundled packages', () => {
    const report = reportOf(
      ['high', 'node_modules/ws'],
      ['critical', 'node_modules/b', 'node_modules/a/node_modules/b'],
      ['moderate', 'node_modules/ws'],
      // Of tools alone.
      ['critical', 'node_modules/b'],
    );
    assert.deepEqual(readAudit(report, FOLDERS), { serious: 2, others: 1 });
    assert.deepEqual(readAudit(reportOf(), FOLDERS), { serious: 0, others: 0 });
  });

  it('takes anything else for no answer', () => {
    for (const output of [
      '',
      'x',
      '{}',
      '{"message":"405 Method Not Allowed","statusCode":405}',
      '{"vulnerabilities":null}',
    ]) {
      assert.equal(readAudit(output, FOLDERS), 'noAnswer', output);
    }
  });
});
