import assert from 'node:assert/strict';
import { chooseService } from '../../../src/programs/serviceChoice';
import { silentLogger } from '../../../src/service/logger';

describe('the service that a command line names', () => {
  const choose = (service: string, more: { project?: string; dataDir?: string }): unknown =>
    chooseService({ service, ...more, log: silentLogger });

  it('takes no option that says nothing of it', () => {
    assert.throws(() => choose('local', { project: 'web' }), /no projects\. Leave --project out/);
    assert.throws(() => choose('cloud', { dataDir: '/data' }), /Leave --data-dir out/);
  });

  it('takes an empty project for none, as a variable that is not set', () => {
    assert.doesNotThrow(() => choose('local', { project: '', dataDir: '/data' }));
  });
});
