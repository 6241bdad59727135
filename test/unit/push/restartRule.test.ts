import assert from 'node:assert/strict';
import { restartRule } from '../../../src/push/restartRule';

type RestartCase = Parameters<typeof restartRule>[0];

/** A row of the rule: what it says of every case with these facts. */
interface Row extends Partial<RestartCase> {
  says: ReturnType<typeof restartRule>;
}

const ROWS: readonly Row[] = [
  // Nothing is lost.
  { wasStarted: true, isInUse: false, says: 'restart' },

  ...(['command', 'test'] as const).flatMap((origin): Row[] => [
    { origin, wasStarted: true, isInUse: true, says: 'ask' },
    { origin, wasStarted: false, says: 'ask' },
  ]),

  { origin: 'agent', wasStarted: true, isInUse: true, says: 'restart' },
  { origin: 'agent', wasStarted: false, canAvoid: true, says: 'inPlace' },
  { origin: 'agent', wasStarted: false, canAvoid: false, says: 'restart' },

  { origin: 'save', wasStarted: true, isInUse: true, wasPushedTo: false, says: 'notAsked' },
  { origin: 'save', wasStarted: false, wasPushedTo: false, says: 'notAsked' },
  ...[{ wasStarted: true, isInUse: true }, { wasStarted: false }].flatMap((browser): Row[] => [
    { origin: 'save', ...browser, wasPushedTo: true, canAvoid: false, says: 'restart' },
    { origin: 'save', ...browser, wasPushedTo: true, canAvoid: true, delivery: 'restart', says: 'restart' },
    { origin: 'save', ...browser, wasPushedTo: true, canAvoid: true, delivery: 'auto', says: 'inPlace' },
    { origin: 'save', ...browser, wasPushedTo: true, canAvoid: true, delivery: 'inPlace', says: 'inPlace' },
  ]),
];

const BOTH = [true, false];

const CASES = (['command', 'test', 'save', 'agent'] as const).flatMap((origin) =>
  (['auto', 'inPlace', 'restart'] as const).flatMap((delivery) =>
    BOTH.flatMap((wasStarted) =>
      BOTH.flatMap((wasPushedTo) =>
        BOTH.flatMap((isInUse) =>
          BOTH.map((canAvoid): RestartCase => ({ origin, delivery, wasStarted, wasPushedTo, isInUse, canAvoid })),
        ),
      ),
    ),
  ),
);

/** Whether a row is about a case. */
function isAbout({ says: _says, ...facts }: Row, given: RestartCase): boolean {
  const values = new Map<string, unknown>(Object.entries(given));
  return Object.entries(facts).every(([name, value]) => values.get(name) === value);
}

describe('the rule whether a push may restart a browser', () => {
  it('says in every case what its one row of the table says', () => {
    assert.equal(CASES.length, 192);
    for (const given of CASES) {
      const rows = ROWS.filter((row) => isAbout(row, given));
      assert.equal(rows.length, 1, JSON.stringify(given));
      assert.equal(restartRule(given), rows[0]?.says, JSON.stringify(given));
    }
  });

  it('has a case for each row of the table', () => {
    const idle = ROWS.filter((row) => !CASES.some((given) => isAbout(row, given)));
    assert.deepEqual(idle, []);
  });
});
