// Covers: test/unit
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { ROOT } from '../support/paths';

/** Ways to wait for time: timers of Node, and the clock of this machine. */
const SLEEP = /\b(?:setTimeout|setInterval)\b|\brealClock\.(?:delay|after)\b|\bAtomics\.wait\b/;

/** Unit tests that may: of the real clock itself, and this one. */
const MAY_SLEEP = new Set(['base/clock.test.ts', 'sleeps.test.ts']);

describe('unit tests', () => {
  it('never sleep: they move a clock, await an event, or wait for a condition by `eventually`', () => {
    const folder = join(ROOT, 'test', 'unit');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    assert.ok(names.length > 100, 'the tests are elsewhere');
    const sleeping = names.flatMap((name) => {
      const lines = readFileSync(join(folder, name), 'utf8').split('\n');
      return lines.flatMap((line, at) => (SLEEP.test(line) ? `${name.split(sep).join('/')}:${at + 1}` : []));
    });
    assert.deepEqual(
      sleeping.filter((place) => !MAY_SLEEP.has(place.replace(/:\d+$/, ''))),
      [],
    );
  });
});
