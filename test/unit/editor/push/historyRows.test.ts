import assert from 'node:assert/strict';
import { differences, differencesText, pushNode, type PastPush } from '../../../../src/editor/push/historyRows';

function push(changes: Partial<PastPush> = {}, files: Record<string, string> = { 'manifest.json': 'a' }): PastPush {
  return {
    id: 7,
    at: Date.UTC(2026, 0, 2, 3, 4, 5),
    service: 'cloud',
    browserId: 's',
    browser: 'dev',
    folder: '/home/dev/sample',
    archive: {
      name: 'Sample',
      version: '1.2',
      digest: 'a1b2c3d4e5f6',
      bytes: 1500,
      digests: new Map(Object.entries(files)),
    },
    state: 'running',
    label: '',
    sentence: 'Sample 1.2 is running in dev.',
    ms: 180,
    extensionId: 'x',
    errors: undefined,
    ...changes,
  };
}

describe('the row of a push', () => {
  it('has the build, the browser, the time that it took, and the errors since', () => {
    const { label, description, spoken } = pushNode(push(), 2, 'en');
    assert.equal(label, '1.2 · a1b2c3d');
    assert.match(description, /^2 errors since · dev · 0\.18 s · \d+:04:05.(?:AM|PM)$/u);
    assert.match(spoken, /^Push of 1\.2 · a1b2c3d, 2 errors since, dev/);
    assert.match(pushNode(push(), 1, 'en').description, /^1 error since/);
    assert.match(pushNode(push(), 0, 'en').description, /^dev · 0\.18 s/);
  });

  it('says why a push failed', () => {
    const failed = push({ state: 'failed', label: 'not pushed', sentence: 'Disk full.', ms: undefined });
    const { description, tooltip, icon } = pushNode(failed, 0, 'en');
    assert.match(description, /^not pushed · dev/);
    assert.match(tooltip, /Disk full\./);
    assert.equal(icon, 'error');
  });

  it('has no line breaks or links of others', () => {
    const { tooltip, description } = pushNode(push({ browser: 'a\nb[x](command:y)' }), 0, 'en');
    assert.doesNotMatch(description, /\n|\]\(/);
    assert.equal(tooltip.split('\n').length, 5);
  });
});

describe('two builds', () => {
  const { archive: before } = push({}, { 'a.js': '1', 'b.js': '2', 'c.js': '3' });
  const { archive: after } = push({}, { 'a.js': '1', 'b.js': '9', 'd.js': '4' });

  it('differ in the files that were added, removed and changed', () => {
    const found = differences(before, after);
    assert.deepEqual(found, [
      { path: 'b.js', kind: 'changed' },
      { path: 'c.js', kind: 'removed' },
      { path: 'd.js', kind: 'added' },
    ]);
    assert.equal(differencesText(found), '1 changed, 1 added, 1 removed');
    assert.deepEqual(differences(before, before), []);
  });
});
