import assert from 'node:assert/strict';
import { PushRecords, type PushRecord } from '../../../../src/push/known/pushRecords';
import type { PushOutcome } from '../../../../src/push/pushRun';
import { BROWSER as SAMPLE } from '../../editor/lists/sampleBrowser';

const BROWSER = 'brw-1';
const FOLDER = '/projects/extension';
const OTHER = '/projects/other';

const RUNNING: PushRecord = { state: 'running', at: 1, reason: '', label: '' };
const STOPPED: PushRecord = { state: 'stopped', at: 1, reason: 'Notes was removed from One.', label: 'was removed' };

const FAILED: PushOutcome = { kind: 'failed', error: new Error('offline') };

describe('the records of pushes', () => {
  let service: string;
  let records: PushRecords;

  beforeEach(() => {
    service = 'local';
    records = new PushRecords(() => service);
    records.noteOutcome(BROWSER, FOLDER, { kind: 'unchanged', digest: 'one' });
    records.noteOutcome(BROWSER, OTHER, { kind: 'unchanged', digest: 'two' });
  });

  const digests = (): (string | undefined)[] => [FOLDER, OTHER].map((folder) => records.digest(BROWSER, folder));

  it('know the build of each folder in each browser', () => {
    assert.deepEqual(digests(), ['one', 'two']);
    assert.equal(records.digest('brw-2', FOLDER), undefined);
  });

  it('do not know what runs after a failure, and still do after a push that was cancelled or held back', () => {
    records.noteOutcome(BROWSER, FOLDER, { kind: 'cancelled' });
    records.noteOutcome(BROWSER, OTHER, { kind: 'heldBack', by: 'one', isRestored: true });
    assert.deepEqual(digests(), ['one', 'two']);
    records.noteOutcome(BROWSER, FOLDER, FAILED);
    assert.deepEqual(digests(), [undefined, 'two']);
  });

  it('do not take a build for unchanged that was seen to have stopped', () => {
    records.set(BROWSER, RUNNING);
    assert.deepEqual(digests(), ['one', 'two']);
    records.set(BROWSER, STOPPED);
    assert.deepEqual(digests(), [undefined, undefined]);
  });

  it('keep the browsers of two services apart that have the same ids', () => {
    service = 'cloud';
    assert.deepEqual(digests(), [undefined, undefined]);
    records.set(BROWSER, STOPPED, 'cloud');
    service = 'local';
    assert.deepEqual(digests(), ['one', 'two']);
    assert.equal(records.get(BROWSER), undefined);
  });

  it('have the extension that was pushed last, also when that has failed since, but not one that has stopped with its record', () => {
    const pushed = (): unknown => {
      const { extensionId, name, lacks } = records.pushed(BROWSER) ?? {};
      return [extensionId, name, lacks];
    };
    assert.deepEqual(pushed(), [undefined, undefined, undefined]);
    const extensionId = 'a'.repeat(32);
    records.set(BROWSER, { ...RUNNING, extensionId, name: 'Notes', lacks: ['Popup'] });
    assert.deepEqual(pushed(), [extensionId, 'Notes', ['Popup']]);
    const browser = { ...SAMPLE, id: BROWSER };
    records.setBuild(
      { browser, folder: FOLDER, root: FOLDER, extensionId, name: 'Notes', lacks: ['Options'] },
      service,
    );
    records.set(BROWSER, { ...STOPPED, state: 'failed' });
    assert.deepEqual(pushed(), [extensionId, 'Notes', ['Options']]);
    records.set(BROWSER, STOPPED);
    assert.deepEqual(pushed(), [undefined, undefined, undefined]);
  });

  it('have the errors of all extensions in a browser, and of those from the folder of the last build', () => {
    assert.equal(records.errorsIn(BROWSER), 0);
    const counts = new Map([
      ['/one', 2],
      ['/two', 3],
    ]);
    records.setErrors(BROWSER, counts);
    assert.deepEqual([records.errorsIn(BROWSER), records.errorsOfLast(BROWSER)], [5, 0]);
    const browser = { id: BROWSER, devToolsUrl: '', headless: true };
    records.setBuild({ browser, folder: '/two/dist', root: '/two', extensionId: 'a'.repeat(32) }, 'local');
    assert.equal(records.errorsOfLast(BROWSER), 3);
  });

  it('report another name of a browser that was pushed to, and nothing else of its description', () => {
    const reported: string[] = [];
    records.onDidChange((id) => reported.push(id));
    const build = { browser: SAMPLE, folder: FOLDER, root: FOLDER, extensionId: 'a' };
    records.setBuild(build, service);
    const renamed = { ...SAMPLE, name: 'Two' };
    for (const described of [{ ...SAMPLE }, { ...SAMPLE, id: 'other', name: 'Two' }, renamed, renamed])
      records.follow([described]);
    assert.deepEqual(reported, [SAMPLE.id]);
    assert.equal(records.build(SAMPLE.id)?.browser, renamed);
  });

  it('report changes of the service in use, until nobody listens', async () => {
    const heard: string[] = [];
    const listening = records.onDidChange((id) => heard.push(id));
    records.set(BROWSER, RUNNING, 'cloud');
    assert.deepEqual(heard, []);
    await records.during([BROWSER], () => Promise.resolve());
    records.set(BROWSER, RUNNING);
    records.setErrors(BROWSER, new Map([['/one', 1]]));
    records.setErrors(BROWSER, new Map([['/one', 1]]));
    records.delete(BROWSER);
    assert.equal(heard.length, 5);
    listening.dispose();
    records.set(BROWSER, RUNNING);
    assert.equal(heard.length, 5);
  });
});
