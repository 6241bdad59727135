import assert from 'node:assert/strict';
import { chooseService } from '../../../src/programs/serviceChoice';
import { silentLogger } from '../../../src/service/logger';

describe('the service that a command line names', () => {
  const choose = (service: string, more: { project?: string; dataDir?: string }): unknown =>
    chooseService({ service, ...more, log: silentLogger });

  it('takes no option that says nothing of it', () => {
    assert.throws(() => choose('local', { project: 'web' }), /^UsageError: .*no projects\. Leave --project out/);
    assert.throws(() => choose('cloud', { dataDir: '/data' }), /^UsageError: .*Leave --data-dir out/);
  });

  it('is named by an address', () => {
    assert.throws(() => choose('foo', {}), { name: 'UsageError' });
  });

  it('takes an empty project for none, as a variable that is not set', () => {
    assert.doesNotThrow(() => choose('local', { project: '', dataDir: '/data' }));
  });
});
