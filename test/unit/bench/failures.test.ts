import assert from 'node:assert/strict';
import { Failures, linesOf } from '../../bench/failures';
import { ratiosOf, MEASURES } from '../../bench/ratios';
import { summarize } from '../../bench/series';

const LIMIT_MS = 20;

describe('the failures of a bench', () => {
  it('name the case and the reason, and are reported at once', async () => {
    const reported: string[] = [];
    const failures = new Failures((line) => reported.push(line));
    assert.equal(await failures.attempt('loop', LIMIT_MS, () => Promise.reject(new Error('no browser'))), undefined);
    assert.deepEqual(failures.all, [{ case: 'loop', reason: 'no browser' }]);
    assert.deepEqual(reported, ['FAILED loop: no browser']);
  });

  it('include what never ends', async () => {
    const failures = new Failures(() => undefined);
    await failures.attempt('the window', LIMIT_MS, () => new Promise(() => undefined));
    assert.deepEqual(failures.all, [{ case: 'the window', reason: 'the window: not within 0.02 s' }]);
  });

  it('are none where all went well', async () => {
    const failures = new Failures(() => undefined);
    assert.equal(await failures.attempt('loop', LIMIT_MS, () => Promise.resolve(7)), 7);
    assert.deepEqual(failures.all, []);
    assert.deepEqual(linesOf(failures.all), []);
  });

  it('contain no address with a token', () => {
    const failures = new Failures(() => undefined);
    failures.add('loop', new Error('closed: ws://127.0.0.1:1/browsers/a/cdp?token=secret'));
    assert.doesNotMatch(JSON.stringify(failures.all), /secret/);
  });

  it('are listed after the results', () => {
    const lines = linesOf([{ case: 'network of 0 ms: console', reason: 'no line' }]);
    assert.match(lines.join('\n'), /absent: 1\n {2}network of 0 ms: console: no line$/);
  });

  it('leave no ratio of which one side is absent', () => {
    assert.deepEqual(ratiosOf([summarize(MEASURES.inPlace, [1])]), []);
  });
});
