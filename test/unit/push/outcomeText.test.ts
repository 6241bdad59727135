import assert from 'node:assert/strict';
import { outcomeText } from '../../../src/push/outcomeText';
import type { Finding } from '../../../src/manifest/finding';
import type { KnownOutcome } from '../../../src/push/outcome';

const at = (line: number, message: string, severity: Finding['severity'] = 'error'): Finding => ({
  rule: 'R-TEST',
  severity,
  message,
  file: 'manifest.json',
  path: [],
  range: { start: { line, column: 2, offset: 0 }, end: { line, column: 5, offset: 3 } },
});

const text = (outcome: KnownOutcome): string => outcomeText(outcome, 'dev');

describe('outcomeText', () => {
  it('says "is running" for a verified build alone', () => {
    const outcomes: KnownOutcome[] = [
      {
        kind: 'running',
        extensionId: 'a'.repeat(32),
        name: 'Sample',
        version: '1.2',
        worker: 'running',
        reload: 'reload',
        files: 3,
        bytes: 1500,
        digest: '',
        ms: 320,
      },
      { kind: 'unverified', name: 'Sample', version: '1.2', digest: '', ms: 320, why: 'noAddress' },
      { kind: 'unchanged', digest: '' },
      { kind: 'refusedByBrowser', chromium: 'Manifest is not valid JSON.' },
      { kind: 'workerFailed', extensionId: '', version: '1.2', faults: [] },
      { kind: 'wrong', reason: 'The service worker did not start.' },
      { kind: 'cancelled' },
    ];
    const running = outcomes.filter((outcome) => text(outcome).includes('is running in'));
    assert.deepEqual(running, outcomes.slice(0, 1));
    const [first = assert.fail()] = outcomes;
    assert.equal(text(first), 'Sample 1.2 is running in dev: pushed in 0.32 s, 1.5 kB, 3 files.');
    assert.equal(
      outcomeText(first, 'dev', 'work/dist'),
      'Sample 1.2 is running in dev: pushed in 0.32 s, 1.5 kB, 3 files of work/dist.',
    );
  });

  it('names the first error of the check with its place, counted from 1, and how many there are', () => {
    const findings = [at(8, 'a hint', 'hint'), at(4, 'Required key "name" is missing.'), at(6, 'another')];
    assert.equal(
      text({ kind: 'refusedByCheck', findings }),
      'Not pushed: 2 errors, the first at manifest.json:5:3: Required key "name" is missing.',
    );
    assert.equal(text({ kind: 'refusedByCheck', findings: [at(0, 'x')] }), 'Not pushed: manifest.json:1:3: x');
  });

  it("repeats Chromium's refusal, a worker's error and the other copies", () => {
    assert.match(
      text({ kind: 'refusedByBrowser', chromium: 'Bad icon.' }),
      /the browser goes on as before: Bad icon\./,
    );
    const fault = { text: 'Error: no start\n\n> 1 | (', url: '', line: 0, column: 0 };
    const failed: KnownOutcome = { kind: 'workerFailed', extensionId: '', version: '2', faults: [fault] };
    assert.match(text(failed), /Version 2 is loaded in dev, but its service worker failed: Error: no start$/);
    const copy = { id: 'b'.repeat(32), name: 'Sample', version: '1', path: '/x', enabled: true };
    assert.match(
      text({ kind: 'doubled', extensionId: 'a'.repeat(32), name: 'Sample', version: '1', others: [copy] }),
      /too: b{32} \(\/x\)\./,
    );
    assert.match(
      text({ kind: 'doubled', extensionId: 'a'.repeat(32), name: 'Renamed', version: '1', others: [copy] }),
      /too: Sample, b{32} \(\/x\)\./,
    );
  });

  it('says which files are left out, and where code is loaded from', () => {
    const files = [{ path: 'key.pem', reason: 'a private key' }];
    assert.match(
      text({ kind: 'leftOut', files }),
      /key\.pem \(a private key\).*sideload\.include \(in a terminal: --include\)/,
    );
    const use = { what: 'code', file: 'background.js', line: 3, address: 'http://localhost:5173' } as const;
    assert.match(
      text({ kind: 'needsLocalhost', uses: [use] }),
      /^Not pushed: .*http:\/\/localhost:5173 \(background\.js:3\).* Or push it by hand, and allow that\.$/,
    );
  });
});
