import assert from 'node:assert/strict';
import { PastPushes } from '../../../../src/editor/push/pastPushes';
import type { BrowserOutcome } from '../../../../src/push/pushRun';

const END: BrowserOutcome = {
  browser: { id: 'brw-1', devToolsUrl: '' },
  folder: '/sample',
  outcome: {
    kind: 'running',
    extensionId: 'x',
    name: 'Sample',
    version: '1.0',
    worker: 'none',
    reload: 'load',
    files: 1,
    bytes: 1,
    digest: 'd',
    ms: 1,
  },
  archive: { name: 'Sample', version: '1.0', digest: 'd', bytes: 1, digests: new Map() },
  isForAll: false,
  isTooLate: false,
};

describe('the pushes of a window', () => {
  it('have the errors and the end of their own browser, of two services with the same id', () => {
    const past = new PastPushes((_id, _extension, service) => (service === 'one' ? 1 : 2));
    for (const service of ['one', 'two']) past.add('/sample', END, 1, service);
    past.follow('brw-1', undefined, false, 'two');
    assert.deepEqual(
      past.all.map((push) => [push.service, past.errorsSince(push), push.isOver ?? false]),
      [
        ['two', 2, true],
        ['one', 1, false],
      ],
    );
  });

  it('go on after a push of another program that has failed, and said of no extension that it came', () => {
    const past = new PastPushes(() => 0);
    past.add('/sample', END, 1, 'one');
    const failed = { at: 2, reason: '', label: '', byOther: true };
    past.follow('brw-1', { ...failed, state: 'failed' }, false, 'one');
    assert.deepEqual(past.all[0]?.isOver ?? false, false);
    past.follow('brw-1', { ...failed, state: 'failed', extensionId: 'x' }, false, 'one');
    assert.deepEqual(past.all[0]?.isOver, true);
  });
});
