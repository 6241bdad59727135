import assert from 'node:assert/strict';
import { ReportedErrors } from '../../../src/console/reportedErrors';
import { reportOf } from '../../support/errorEvents';

const [FIRST, SECOND, THIRD] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32)] as const;
const BROWSER = 'browser';

describe('the errors of what was pushed to a browser', () => {
  it('go with the extensions that it no longer runs, and stay of the others', () => {
    const changed: string[] = [];
    const errors = new ReportedErrors(
      (browserId) => changed.push(browserId),
      () => 'local',
    );
    for (const extensionId of [FIRST, SECOND, THIRD]) {
      for (const browserId of [BROWSER, 'other']) {
        errors.setBuild(browserId, 'One', { extensionId, folder: '/nowhere', root: '/nowhere' }, []);
        errors.add(browserId, 'One', reportOf(extensionId));
      }
    }
    changed.length = 0;
    errors.keepOnly(BROWSER, new Set([SECOND, 'not pushed']));
    const counts = (browserId: string): number[] => [FIRST, SECOND, THIRD].map((id) => errors.countOf(browserId, id));
    assert.deepEqual(
      [counts(BROWSER), counts('other')],
      [
        [0, 1, 0],
        [1, 1, 1],
      ],
    );
    assert.deepEqual(new Set(changed), new Set([BROWSER]));
  });
});
