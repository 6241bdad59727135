/** Random numbers, choices and decisions; the same for the same seed. */
export interface Chance {
  /** A number from 0 up to, not including, 1. */
  number(): number;
  /** A whole number from 0 up to, not including, the given one. */
  below(limit: number): number;
  /** True with this probability, from 0 to 1. */
  happens(share: number): boolean;
  /** One of some things; throws when there are none. */
  pick<T>(items: readonly T[]): T;
}

/** A source of random numbers by the generator mulberry32. */
export function seededChance(seed: number): Chance {
  let state = seed >>> 0;
  const number = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(number() * limit);
  return {
    number,
    below,
    happens: (share) => number() < share,
    pick: <T>(items: readonly T[]): T => {
      const at = below(items.length);
      for (const item of items.slice(at, at + 1)) return item;
      throw new Error('There is nothing to pick from.');
    },
  };
}
