import assert from 'node:assert/strict';
import { readAudit } from '../../runner/audit';

describe('the audit of what is shipped', () => {
  it('counts what is high or critical, and takes anything else for no answer', () => {
    const vulnerabilities = { info: 1, low: 2, moderate: 3, high: 4, critical: 5, total: 15 };
    assert.deepEqual(readAudit(JSON.stringify({ metadata: { vulnerabilities } })), { serious: 9, others: 6 });
    const none = { info: 0, low: 0, moderate: 0, high: 0, critical: 0, total: 0 };
    assert.deepEqual(readAudit(JSON.stringify({ metadata: { vulnerabilities: none } })), { serious: 0, others: 0 });
    for (const output of [
      '',
      'x',
      '{}',
      '{"message":"405 Method Not Allowed","statusCode":405}',
      '{"metadata":null}',
    ]) {
      assert.equal(readAudit(output), 'noAnswer', output);
    }
  });
});
