/**
 * The seed and the doses of random tests. A run has one seed, by default the date; doses are small by default. `npm test` prints both
 * and passes them to its suites in environment variables.
 */

/** Environment variable with the seed of the run. */
export const SEED_ENV = 'SIDELOAD_TEST_SEED';

/** Environment variable that is `1` in a run with full doses. */
export const FULL_ENV = 'SIDELOAD_TEST_FULL';

/** Environment variable that is `1` when contract tests store their transcripts instead of comparing with them. */
export const RECORD_ENV = 'SIDELOAD_TEST_RECORD';

/** Environment variable with a regular expression: only the tests whose full title it matches run. */
export const GREP_ENV = 'SIDELOAD_TEST_GREP';

/** The seed of a day, in UTC: 20261122 on 22 November 2026. */
export function seedOfDay(day: Date): number {
  return Number(day.toISOString().slice(0, 10).replaceAll('-', ''));
}

/** The seed of this run. Throws when the environment holds one that is no whole number. */
export function testSeed(): number {
  const given = process.env[SEED_ENV];
  return given === undefined ? seedOfDay(new Date()) : parseSeed(given);
}

/** Reads a seed. Throws a sentence when it is no whole number from 0 to 4294967295, the numbers that generators take. */
export function parseSeed(text: string): number {
  const seed = Number(text);
  if (!/^\d+$/.test(text) || seed > 0xffff_ffff) {
    throw new Error(`A seed is a whole number from 0 to ${0xffff_ffff}, not "${text}".`);
  }
  return seed;
}

/** Whether random tests run with their full doses. */
export function isFullRun(): boolean {
  return process.env[FULL_ENV] === '1';
}

/** How often a random test tries: `usual` times, or `full` times in a run with full doses. */
export function dose(usual: number, full: number): number {
  return isFullRun() ? full : usual;
}

/** All of them in a full run; in others every second one, by the seed: those of two days in a row are all. */
export function byTurns<T>(items: readonly T[]): T[] {
  return items.filter((_, index) => isFullRun() || index % 2 === testSeed() % 2);
}
