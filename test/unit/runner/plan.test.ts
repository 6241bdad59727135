import assert from 'node:assert/strict';
import { planOf, secondsFor, type PlanRequest } from '../../runner/plan';
import { testFilesOf } from '../../runner/testFiles';

const UNIT = testFilesOf('unit').slice(0, 3);
const CONTRACT = testFilesOf('contract').slice(0, 3);
const [firstUnit = '', secondUnit = '', thirdUnit = ''] = UNIT;
const [firstContract = '', secondContract = '', thirdContract = ''] = CONTRACT;

const REQUEST: PlanRequest = {
  tests: [...UNIT, ...CONTRACT],
  touched: new Map([
    [firstUnit, 'near'],
    [secondUnit, 'far'],
    [firstContract, 'near'],
    [secondContract, 'near'],
  ]),
  changed: [],
  durations: new Map([
    [firstUnit, { seconds: 1, tests: 5 }],
    [secondUnit, { seconds: 2, tests: 5 }],
    [firstContract, { seconds: 30, tests: 5 }],
    [secondContract, { seconds: 10, tests: 5 }],
  ]),
  withinSeconds: 60,
  cores: 1,
};

describe('the plan of a run about a change', () => {
  it('has what the change touches, and names what it cannot touch', () => {
    const { selected, late, untouched } = planOf(REQUEST);
    assert.deepEqual(selected, [firstContract, firstUnit, secondContract, secondUnit].sort());
    assert.deepEqual([late, untouched], [[], [thirdContract, thirdUnit].sort()]);
  });

  it('leaves out what takes longer than there is time, beginning with the slowest', () => {
    // 8 s of lint, 3 + 1 + 2 s of the unit tests, 4 + 10 s of the shorter contract test.
    const { selected, late, seconds } = planOf({ ...REQUEST, withinSeconds: 29 });
    assert.deepEqual(selected, [firstUnit, secondContract, secondUnit].sort());
    assert.deepEqual(late, [firstContract]);
    assert.equal(seconds, 28);
  });

  it('asks tests without a browser before those with one, also when they are farther away', () => {
    assert.deepEqual(planOf({ ...REQUEST, withinSeconds: 27 }).selected, [firstUnit, secondUnit].sort());
  });

  it('has first what covers the change by name, or has its place in the folder that mirrors it, however long it takes', () => {
    const at = (name: string): string => `test/unit/manifest/${name}.test.ts`;
    const [inFolder, cases, inRoom] = [at('rules/icons'), at('cases'), at('fuzz')];
    const rulesOfAll = 'test/unit/bundle.test.ts';
    const others = [rulesOfAll, 'test/unit/manifested.test.ts'];
    const tests = [...others, inRoom, cases, inFolder];
    const request: PlanRequest = {
      ...REQUEST,
      tests,
      touched: new Map(tests.map((file) => [file, 'near'])),
      covers: new Map([
        [cases, ['src/manifest/rules']],
        [rulesOfAll, ['src']],
      ]),
      durations: new Map(tests.map((file) => [file, { seconds: file === cases ? 6 : 2, tests: 1 }])),
    };
    const planned = (withinSeconds: number, file = 'src/manifest/rules/commandKeys.ts'): readonly string[] =>
      planOf({ ...request, withinSeconds, changed: [file] }).selected;
    assert.deepEqual(planned(19), [cases, inFolder].sort());
    assert.deepEqual(planned(21), [cases, inFolder, inRoom].sort());
    assert.deepEqual(planned(23), ['test/unit/manifested.test.ts', cases, inFolder, inRoom].sort());
    assert.deepEqual(planned(16, 'src/manifest/json/parse.ts'), [inFolder, inRoom].sort());
  });

  it('takes a unit test that was never recorded for one of milliseconds', () => {
    const { seconds } = planOf({ ...REQUEST, tests: [firstUnit], durations: new Map() });
    assert.equal(seconds, 11.5);
  });

  it('has time for more on more cores', () => {
    assert.equal(planOf({ ...REQUEST, withinSeconds: 29, cores: 3 }).selected.length, 4);
  });

  it('has the tests that were changed themselves, however long they take', () => {
    const { selected } = planOf({ ...REQUEST, withinSeconds: 1, changed: [firstContract] });
    assert.deepEqual(selected, [firstContract]);
  });

  it('is never in need of a test for two reasons: each file is in one of its lists', () => {
    for (const withinSeconds of [1, 15, 27, 40, 100]) {
      const { selected, late, untouched } = planOf({ ...REQUEST, withinSeconds });
      assert.deepEqual([...selected, ...late, ...untouched].sort(), [...REQUEST.tests].sort());
    }
  });
});

describe('the time of an answer', () => {
  it('is short for manifests and texts, and a minute as soon as anything else has changed', () => {
    assert.equal(secondsFor(['src/manifest/check.ts', 'media/l10n/bundle.l10n.de.json', 'README.md']), 15);
    assert.equal(secondsFor(['src/push/place/place.ts']), 60);
    assert.equal(secondsFor(['src/manifest/check.ts', 'src/push/place/place.ts']), 60);
  });
});
