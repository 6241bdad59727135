import type { Chance } from '../support/random';

/** Values that are not expected anywhere. */
const HOSTILE: readonly unknown[] = [
  null,
  undefined,
  true,
  -1,
  0.5,
  1e308,
  2 ** 53,
  '',
  '\u0000\u202e\u001b[2J',
  '../../../../etc/passwd',
  'chrome-extension://%E0%A4%A/%',
  '__proto__',
  'x'.repeat(100_000),
  [],
  {},
  [[[[[[[[]]]]]]]],
  { __proto__: null, constructor: { prototype: 1 }, toString: 'x', length: -1 },
  Array.from({ length: 1000 }, (_, at) => at),
];

/** How deep a text is nested that no reader may follow. */
export const NESTING = 100_000;

/** A text that is nested far deeper than any message. */
export const NESTED = `${'[{"a":'.repeat(NESTING / 2)}1${'}]'.repeat(NESTING / 2)}`;

/** A message like `seed`, with a few things in it changed, or broken as a text. */
export function mutated(seed: unknown, chance: Chance): string {
  const value = changed(structuredClone(seed), chance, 0);
  const text = JSON.stringify(value) ?? '';
  if (chance.happens(0.7)) return text;
  const at = chance.below(text.length + 1);
  return chance.pick([
    text.slice(0, at),
    text.slice(at),
    `${text.slice(0, at)}${chance.pick(['"', '{', '}', '[', ']', ',', ':', '\\', '\u0000', '\ud800', '0'])}${text.slice(at)}`,
    `${text}${text}`,
    `{"a":${text},"a":${text}}`,
    `{"__proto__":${text}}`,
    '',
  ]);
}

function changed(value: unknown, chance: Chance, depth: number): unknown {
  if (chance.happens(depth === 0 ? 0.02 : 0.15)) return chance.pick(HOSTILE);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => changed(item, chance, depth + 1));
    if (chance.happens(0.1)) items.push(...items, chance.pick(HOSTILE));
    return chance.happens(0.05) ? [] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(() => !chance.happens(0.08))
    .map(([name, field]): [string, unknown] => [
      chance.happens(0.03) ? `${name}x` : name,
      changed(field, chance, depth + 1),
    ]);
  if (chance.happens(0.1)) entries.push(['unexpected', chance.pick(HOSTILE)]);
  return Object.fromEntries(entries);
}
