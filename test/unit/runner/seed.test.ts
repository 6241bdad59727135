// Covers: test/runner/seed.ts
import assert from 'node:assert/strict';
import { byTurns, FULL_ENV, parseSeed, SEED_ENV, seedOfDay } from '../../runner/seed';

describe('the seed of a run', () => {
  const before = { [SEED_ENV]: process.env[SEED_ENV], [FULL_ENV]: process.env[FULL_ENV] };
  const set = (values: Record<string, string | undefined>): void => {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  };
  afterEach(() => set(before));

  it('is the day, or a whole number', () => {
    assert.equal(seedOfDay(new Date('2026-11-22T23:59:00Z')), 20261122);
    assert.equal(parseSeed('7'), 7);
    for (const text of ['', '-1', '1.5', '4294967296']) assert.throws(() => parseSeed(text), /whole number/);
  });

  it('takes every second thing in turn, all on two days in a row, and all at once in a full run', () => {
    const all = ['a', 'b', 'c', 'd', 'e'];
    const on = (seed: string, full = '0'): string[] => {
      set({ [SEED_ENV]: seed, [FULL_ENV]: full });
      return byTurns(all);
    };
    assert.deepEqual(on('20261122'), ['a', 'c', 'e']);
    assert.deepEqual([...on('20261122'), ...on('20261123')].sort(), all);
    assert.deepEqual(on('20261122', '1'), all);
  });
});
