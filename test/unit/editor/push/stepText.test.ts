import assert from 'node:assert/strict';
import { stepLine, stepMessage } from '../../../../src/editor/push/stepText';

describe('stepMessage', () => {
  it('shows a percentage for an upload from 1 MB on', () => {
    const upload = (bytes: number, sent: number, restarts = false): string | undefined =>
      stepMessage({ step: 'uploading', bytes, sent, restarts });
    assert.equal(upload(999_000, 500_000), 'uploading 999.0 kB');
    assert.equal(upload(2_000_000, 0), 'uploading 2.0 MB, 0 %');
    assert.equal(upload(2_000_000, 1_999_999), 'uploading 2.0 MB, 99 %');
    assert.equal(upload(2_000_000, 1_000_000, true), 'uploading 2.0 MB, 50 %, then Chromium restarts');
    assert.equal(upload(2_000_000, 2_000_000, true), 'restarting Chromium');
  });

  it('is there while a step runs, and not for one that has ended', () => {
    assert.equal(stepMessage({ step: 'waiting' }), 'waiting for the push of another program');
    assert.equal(stepMessage({ step: 'checking' }), 'checking');
    assert.equal(stepMessage({ step: 'verifying' }), 'verifying');
    assert.equal(stepMessage({ step: 'uploaded', restarted: false, ms: 1 }), undefined);
  });
});

describe('stepLine', () => {
  it('is there for a step that has ended, and not while it runs', () => {
    assert.equal(stepLine({ step: 'checked', findings: [], ms: 4 }), 'checked in 0.00 s, no errors');
    assert.equal(stepLine({ step: 'packed', files: 3, bytes: 2048, ms: 20 }), 'packed 3 files, 2.0 kB in 0.02 s');
    assert.equal(stepLine({ step: 'uploaded', restarted: true, ms: 600 }), 'uploaded in 0.60 s, Chromium restarted');
    const copy = { id: 'a', name: 'Sample', version: '1', path: '/x', enabled: true };
    assert.equal(stepLine({ step: 'removedCopies', copies: [copy] }), 'removed other copies: a (/x)');
    const globs = Array.from({ length: 7 }, (_, index) => `${index}${'*a'.repeat(100)}`);
    assert.match(
      stepLine({ step: 'ignoredGlobs', globs }) ?? '',
      /count as literal paths: "0(?:\*a){29}\*…", .* and 2 more$/,
    );
    assert.equal(stepLine({ step: 'uploading', bytes: 1, sent: 0, restarts: false }), undefined);
  });
});
