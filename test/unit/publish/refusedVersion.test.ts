import assert from 'node:assert/strict';
import type { Finding } from '../../../src/manifest/finding';
import { notLoaded, refusedByCheck } from '../../../src/publish/refusedVersion';
import { refusalText } from '../../../src/push/refusalText';

const finding = (severity: Finding['severity'], message: string, line: number): Finding => ({
  rule: 'R-NAME',
  severity,
  message,
  file: 'manifest.json',
  path: [],
  range: { start: { line, offset: 0, column: 2 }, end: { line, offset: 0, column: 3 } },
});

describe('a version that an update test cannot load', () => {
  it('is refused by the check at its first error, and nothing else was touched', () => {
    const warning = finding('warning', 'Too long.', 0);
    const errors = [finding('error', 'It needs a name.', 1), finding('error', 'It needs a version.', 4)];
    assert.equal(
      refusedByCheck('old', [warning, ...errors.slice(0, 1)]),
      'The old version was refused, and nothing else was touched: manifest.json:2:3: It needs a name.',
    );
    assert.equal(
      refusedByCheck('next', [warning, ...errors]),
      'The new build was refused, and nothing else was touched: 2 errors, the first at manifest.json:2:3: It needs a name.',
    );
    assert.match(refusedByCheck('next', [warning]), /^The new build was refused, .*manifest could not be read/);
  });

  it('is refused by Chromium in its words, and is never called one that was not pushed', () => {
    const refused = { kind: 'refusedByBrowser', chromium: 'Invalid value.' } as const;
    assert.equal(
      notLoaded('next', refused, 'a browser'),
      'The new build was refused, and nothing else was touched: Invalid value.',
    );
    const leftOut = { kind: 'leftOut', files: [{ path: 'a.pem', reason: 'a secret' }] } as const;
    const needsLocalhost = { kind: 'needsLocalhost', uses: [] } as const;
    const tooLarge = { kind: 'tooLarge', message: 'It is too large.' } as const;
    for (const outcome of [leftOut, needsLocalhost, tooLarge, { kind: 'refusedByCheck', findings: [] }] as const)
      assert.equal(
        notLoaded('old', outcome, 'a browser'),
        `The old version was refused, and nothing else was touched: ${refusalText(outcome)}`,
      );
    assert.doesNotMatch(notLoaded('old', needsLocalhost, 'a browser'), /push it by hand/i);
  });
});
