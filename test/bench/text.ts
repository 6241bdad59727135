const WORDS =
  'const let return function await async import export default if else for of new class extends this null undefined true false ' +
  'chrome runtime tabs storage local message listener response request url document element query select style content frame ' +
  'value index length push map filter reduce promise resolve reject error console start stop count page build folder name';

/** Share of words that are made up, as names and literals of a bundle are: about a third of the size is left by deflate. */
const RARE_SHARE = 0.35;
const WORDS_PER_LINE = 11;

/** Text of `bytes` bytes that is like script to a compressor; the same `seed` gives the same text. */
export function textOf(bytes: number, seed: number): string {
  const words = WORDS.split(' ');
  const random = generator(seed);
  const parts: string[] = [];
  let length = 0;
  for (let count = 1; length < bytes; count++) {
    const isRare = random() < RARE_SHARE;
    const word = isRare
      ? Math.floor(random() * 36 ** 5).toString(36)
      : (words[Math.floor(random() * words.length)] ?? '');
    const part = word + (count % WORDS_PER_LINE === 0 ? ';\n' : ' ');
    parts.push(part);
    length += part.length;
  }
  return parts.join('').slice(0, bytes);
}

/** A linear congruential generator (multiplier and increment of Numerical Recipes): numbers from 0 to below 1. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
