import assert from 'node:assert/strict';
import { type Plan, planOf } from '../../../src/push/deliveryPlan';

type Situation = Parameters<typeof planOf>[0];

/** A row of the table: the plan for every situation with these facts. */
interface Row extends Partial<Situation> {
  plan: Plan;
}

const ROWS: readonly Row[] = [
  { isReached: false, isUnchanged: true, plan: 'unchanged' },
  { isReached: false, isUnchanged: false, plan: 'unverified' },

  { isReached: true, lacksFiles: true, isUnchanged: true, plan: 'unchanged' },
  { isReached: true, lacksFiles: true, isUnchanged: false, plan: 'newFolder' },

  { isReached: true, lacksFiles: false, isUnchanged: true, isCertain: true, plan: 'unchanged' },
  ...[{ isUnchanged: false }, { isUnchanged: true, isCertain: false }].flatMap((given): Row[] => {
    const row = { isReached: true, lacksFiles: false, ...given };
    return [
      { ...row, mode: 'restart', plan: 'first' },
      { ...row, mode: 'auto', isLoaded: true, plan: 'next' },
      { ...row, mode: 'auto', isLoaded: false, isKeptByService: false, plan: 'first' },
      { ...row, mode: 'auto', isLoaded: false, isKeptByService: true, plan: 'firstKept' },
      { ...row, mode: 'inPlace', isLoaded: true, plan: 'next' },
      { ...row, mode: 'inPlace', isLoaded: false, isKeptByService: false, plan: 'firstInPlace' },
      { ...row, mode: 'inPlace', isLoaded: false, isKeptByService: true, plan: 'firstKept' },
    ];
  }),
];

const BOTH = [true, false];

const SITUATIONS = (['auto', 'inPlace', 'restart'] as const).flatMap((mode) =>
  BOTH.flatMap((isUnchanged) =>
    BOTH.flatMap((isReached) =>
      BOTH.flatMap((lacksFiles) =>
        BOTH.flatMap((isLoaded) =>
          BOTH.flatMap((isCertain) =>
            BOTH.map((isKeptByService): Situation => {
              return { mode, isUnchanged, isReached, lacksFiles, isLoaded, isCertain, isKeptByService };
            }),
          ),
        ),
      ),
    ),
  ),
);

/** Whether a row is about a situation. */
function isAbout({ plan: _plan, ...facts }: Row, given: Situation): boolean {
  const values = new Map<string, unknown>(Object.entries(given));
  return Object.entries(facts).every(([name, value]) => values.get(name) === value);
}

describe('the plan of a delivery', () => {
  it('is in every situation that of its one row of the table', () => {
    for (const given of SITUATIONS) {
      const rows = ROWS.filter((row) => isAbout(row, given));
      assert.equal(rows.length, 1, JSON.stringify(given));
      assert.equal(planOf(given), rows[0]?.plan, JSON.stringify(given));
    }
  });
});
