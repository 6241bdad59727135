import assert from 'node:assert/strict';
import type { PushRecord } from '../../../../src/push/known/pushRecords';
import { statusText, type StatusFacts } from '../../../../src/editor/push/statusText';

const AT = new Date(2026, 10, 22, 15, 20).getTime();

const record = (state: PushRecord['state'], more: Partial<PushRecord> = {}): PushRecord => ({
  state,
  at: AT,
  reason: state === 'running' ? '' : `${state} because.`,
  label: state === 'running' ? '' : `is ${state}`,
  name: 'Sample',
  version: '1.2',
  ms: 310,
  ...more,
});

const text = (more: Partial<StatusFacts>): ReturnType<typeof statusText> =>
  statusText({ browser: 'dev', records: [undefined], saves: 'off', ...more });

describe('statusText', () => {
  it('names the browser, the time of the last push, and when saves push', () => {
    const running = text({ records: [record('running')], saves: 'onSave' });
    assert.match(running.text, /^dev · \d?\d:20.* · on save$/);
    assert.match(running.spoken, /^Sample 1\.2 is running in dev, pushed at .* in 0\.31 s, push on save is on$/);
    assert.deepEqual([running.icon, running.isWarning], ['check', false]);
    assert.match(text({ records: [record('running')], saves: 'onBuild' }).text, /on build$/);
  });

  it('counts the errors of what runs only', () => {
    const one = text({ records: [record('running')], errors: 1, saves: 'onSave' });
    assert.match(one.text, /^dev · \d?\d:20.* · 1 error · on save$/);
    assert.match(one.spoken, /in 0\.31 s, 1 error, push on save is on$/);
    assert.match(text({ records: [record('running')], errors: 12 }).text, / · 12 errors$/);
    assert.equal(text({ records: [record('stopped')], errors: 1 }).text, 'dev · is stopped');
    assert.match(text({ records: [record('running')], errors: 1, step: 'packing' }).text, /^dev · packing$/);
  });

  it('says when another program has pushed since', () => {
    const shown = text({ records: [record('running', { byOther: true })] });
    assert.match(shown.text, /^dev · another program, \d?\d:20/);
    assert.match(shown.spoken, /^Sample 1\.2 is running in dev, pushed by another program at /);
    const failed = text({ records: [record('failed', { byOther: true })] });
    assert.equal(failed.isWarning, true);
  });

  it('claims no build that is not known to run now', () => {
    for (const state of ['failed', 'stopped', 'unverified'] as const) {
      const shown = text({ records: [record(state)] });
      assert.equal(shown.text, `dev · is ${state}`);
      assert.doesNotMatch(shown.spoken, /is running in/);
      assert.match(shown.spoken, new RegExp(`${state} because, push on save is off$`));
    }
    assert.equal(text({}).text, 'dev');
    assert.equal(text({ browser: undefined, records: [] }).text, 'Sideload');
    assert.match(text({ browser: undefined, records: [] }).spoken, /^no browser is chosen/);
  });

  it('says in how many browsers the build runs', () => {
    const shown = text({ browser: '2 browsers', records: [record('running'), record('stopped')] });
    assert.equal(shown.text, '2 browsers · running in 1 of 2');
    assert.equal(shown.isWarning, true);
    const unknown = text({ browser: '2 browsers', records: [record('running'), undefined] });
    assert.equal(unknown.text, '2 browsers · running in 1 of 2');
    assert.doesNotMatch(unknown.spoken, /is running in/);
  });

  it('says of several browsers which one has ended', () => {
    const ended = record('stopped', { label: 'has ended', reason: 'one has ended.' });
    const shown = text({ browser: '2 browsers', labels: ['three', 'one'], records: [record('running'), ended] });
    assert.equal(shown.text, '2 browsers · running in 1 of 2 · one: has ended');
    assert.match(shown.spoken, /^running in 1 of 2, one: one has ended, push on save is off$/);
  });

  it('names the folders whose saves push where these are others than the one that runs', () => {
    const shown = text({ folder: 'counter', savesOf: 'notes', records: [record('running')], saves: 'onSave' });
    assert.match(shown.text, /^counter → dev · .* · on save: notes$/);
    assert.match(shown.spoken, /^counter, Sample 1\.2 is running in dev, .*, push on save is on for notes$/);
  });

  it('puts a push that runs first, then what waits for the user', () => {
    const waiting = { label: 'click to push', reason: 'It waits.' };
    assert.equal(text({ step: 'packing', waiting }).text, 'dev · packing');
    const shown = text({ waiting, records: [record('running')], saves: 'onSave' });
    assert.equal(shown.text, 'dev · click to push · on save');
    assert.match(shown.spoken, /^It waits, /);
  });

  it('names the folder whose saves push, where several are open', () => {
    assert.equal(text({ folder: 'site', saves: 'onSave' }).text, 'site → dev · on save');
    assert.equal(text({ folder: 'site', browser: undefined, records: [], saves: 'onSave' }).text, 'site · on save');
  });
});
