import assert from 'node:assert/strict';
import { summarise, type ToldOutcome } from '../../../../src/editor/push/summary';

const end = (browser: string, outcome: ToldOutcome['kind'], isForAll = false, extension = 'Sample'): ToldOutcome => ({
  browser,
  extension,
  kind: outcome,
  text: `${outcome} in ${browser}.`,
  isForAll,
});

describe('summarise', () => {
  it('repeats the text of a single browser, and of a refusal that holds for all', () => {
    assert.deepEqual(summarise([end('a', 'running')]), { state: 'running', running: 1, text: 'running in a.' });
    const refused = summarise([end('a', 'refusedByCheck', true), end('b', 'refusedByCheck', true)]);
    assert.deepEqual(refused, { state: 'failed', running: 0, text: 'refusedByCheck in a.' });
  });

  it('counts the browsers that run the build, unchanged ones included', () => {
    const summary = summarise([end('a', 'running'), end('b', 'unchanged')]);
    assert.deepEqual(summary, { state: 'running', running: 2, text: 'Running in 2 browsers: a, b.' });
  });

  it('is partly when one failed, and names that one', () => {
    const summary = summarise([end('a', 'running'), end('b', 'failed')]);
    assert.deepEqual(summary, {
      state: 'partly',
      running: 1,
      text: 'Running in 1 of 2 browsers; b: failed in b.',
    });
  });

  it('is failed when none runs, and nothing when nothing was changed', () => {
    assert.equal(summarise([end('a', 'failed'), end('b', 'wrong')]).state, 'failed');
    assert.equal(summarise([end('a', 'unchanged'), end('b', 'unchanged')]).state, 'nothing');
    assert.equal(summarise([end('a', 'cancelled')]).state, 'nothing');
  });

  it('is unverified only when no browser failed otherwise', () => {
    assert.equal(summarise([end('a', 'running'), end('b', 'unverified')]).state, 'unverified');
    assert.equal(summarise([end('a', 'failed'), end('b', 'unverified')]).state, 'failed');
  });

  it('names the extensions that were pushed together, with one reason for each that failed', () => {
    const of = (extension: string, outcome: ToldOutcome['kind'], isForAll = false): ToldOutcome =>
      end('dev', outcome, isForAll, extension);
    const all = summarise([of('A', 'running'), of('B', 'running')]);
    assert.deepEqual([all.state, all.text], ['running', 'Running in dev: A, B.']);
    const delivered = ['A', 'B'].map((extension) => ({ ...of(extension, 'unverified'), text: 'Uploaded to dev.' }));
    assert.deepEqual([summarise(delivered).state, summarise(delivered).text], ['unverified', 'A, B: Uploaded to dev.']);
    const refused = summarise([of('A', 'heldBack', true), of('B', 'refusedByCheck', true), of('C', 'heldBack', true)]);
    assert.equal(refused.state, 'failed');
    assert.equal(refused.text, 'B: refusedByCheck in dev. None of the 3 extensions was pushed.');
    const partly = summarise([of('A', 'running'), of('B', 'workerFailed')]);
    assert.deepEqual([partly.state, partly.text], ['partly', 'B: workerFailed in dev.']);
  });
});
