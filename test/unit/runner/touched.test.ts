import assert from 'node:assert/strict';
import { roomOf, touchedBy, type Dependencies, type Reach } from '../../runner/touched';

/** A house of three rooms: `push` uses `manifest`, the editor uses both. */
const HOUSE: Dependencies = {
  imports: [
    ['src/push/engine.ts', 'src/push/place/place.ts'],
    ['src/push/engine.ts', 'src/manifest/check.ts'],
    ['src/manifest/check.ts', 'src/manifest/rule.ts'],
    ['src/editor/push/pusher.ts', 'src/push/engine.ts'],
    ['test/contract/stage.ts', 'src/push/engine.ts'],
    ['test/contract/push.test.ts', 'test/contract/stage.ts'],
    ['test/unit/manifest/check.test.ts', 'src/manifest/check.ts'],
    ['test/unit/push/place/place.test.ts', 'src/push/place/place.ts'],
    ['test/unit/push/place/place.test.ts', 'undici'],
    ['test/unit/palette.test.ts', 'package.json'],
    ['test/ui/push.test.ts', 'test/workbench/window.ts'],
  ].map(([from = '', to = '']) => ({ from, to, isType: false })),
  covers: new Map([
    ['test/ui/push.test.ts', ['src/editor/push']],
    ['test/workbench/window.ts', ['package.nls*.json', 'test/fixtures/sample']],
  ]),
};

/** The test files that a change reaches, with how it reaches them. */
function testsOf(changed: string, house: Dependencies = HOUSE): Record<string, Reach> {
  const touched = [...touchedBy([changed], house)].filter(([file]) => file.endsWith('.test.ts'));
  return Object.fromEntries(touched.sort(([a], [b]) => a.localeCompare(b)));
}

describe('what a change can touch', () => {
  it('are the tests that import it, also through helpers and through its own room', () => {
    assert.deepEqual(testsOf('src/push/place/place.ts'), {
      'test/contract/push.test.ts': 'near',
      'test/unit/push/place/place.test.ts': 'near',
    });
  });

  it('are tests far away, too, that reach it through another room only', () => {
    assert.deepEqual(testsOf('src/manifest/rule.ts'), {
      'test/contract/push.test.ts': 'far',
      'test/unit/manifest/check.test.ts': 'near',
    });
  });

  it('are the tests of the window that name its folder, and no others of the window', () => {
    assert.deepEqual(testsOf('src/editor/push/pusher.ts'), { 'test/ui/push.test.ts': 'near' });
    assert.deepEqual(testsOf('src/editor/folder/watcher.ts'), {});
  });

  it('are the tests whose helper reads a text or a fixture that has changed', () => {
    assert.deepEqual(testsOf('package.nls.de.json'), { 'test/ui/push.test.ts': 'near' });
    assert.deepEqual(testsOf('test/fixtures/sample/worker.js'), { 'test/ui/push.test.ts': 'near' });
    assert.deepEqual(testsOf('test/fixtures/sampled/worker.js'), {});
  });

  it('are the tests that import package.json', () => {
    assert.deepEqual(testsOf('package.json'), { 'test/unit/palette.test.ts': 'near' });
  });

  it('is a changed test itself', () => {
    assert.deepEqual(testsOf('test/ui/push.test.ts'), { 'test/ui/push.test.ts': 'near' });
  });

  it('is nothing by a type alone, which the compiler checks', () => {
    const imports = HOUSE.imports.map((one) => ({ ...one, isType: one.to === 'src/push/place/place.ts' }));
    assert.deepEqual(testsOf('src/push/place/place.ts', { ...HOUSE, imports }), {});
  });

  it('is near when one of several changes is near', () => {
    const touched = touchedBy(['src/manifest/rule.ts', 'src/push/place/place.ts'], HOUSE);
    assert.equal(touched.get('test/contract/push.test.ts'), 'near');
  });
});

describe('the room of a file', () => {
  it('is a folder of src/, a wing of the editor, or a file of what every room uses', () => {
    assert.deepEqual(
      [
        'src/push/place/place.ts',
        'src/manifest/rules/allRules.ts',
        'src/editor/push/pusher.ts',
        'src/editor/channelLog.ts',
        'src/base/units.ts',
      ].map(roomOf),
      ['src/push', 'src/manifest', 'src/editor/push', 'src/editor/channelLog.ts', 'src/base/units.ts'],
    );
    assert.equal(roomOf('test/unit/a.test.ts'), 'test');
  });
});
