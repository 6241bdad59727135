import assert from 'node:assert/strict';
import { ReportedErrors } from '../../../../src/console/reportedErrors';
import { ErrorsOfRecords } from '../../../../src/editor/problems/errorsOfRecords';

const ID = 'a'.repeat(32);

describe('the errors of a browser that another program has pushed to', () => {
  it('are kept while a browser of another service with the same id is pushed to', () => {
    let service = 'local';
    const errors = new ReportedErrors(
      () => undefined,
      () => service,
    );
    const ofRecords = new ErrorsOfRecords(errors);
    const build = { extensionId: ID, folder: '/nowhere', root: '/nowhere', label: 'One' };
    const follow = (at: number): boolean => {
      const record = { state: 'running' as const, at, extensionId: ID, byOther: true };
      return ofRecords.follow('browser', { record, build, isPushing: false });
    };
    assert.deepEqual([follow(1), follow(1)], [true, false]);
    errors.setBuild('browser', 'One', build, [
      { text: 'Error: no', url: `chrome-extension://${ID}/a.js`, line: 0, column: 0 },
    ]);
    service = 'other';
    assert.equal(follow(2), true);
    service = 'local';
    assert.equal(follow(1), false);
    assert.equal(errors.errorsOf('browser', ID).length, 1);
    assert.equal(follow(3), true);
    assert.equal(errors.errorsOf('browser', ID).length, 0);
  });
});
