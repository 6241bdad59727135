import fc, { type Arbitrary } from 'fast-check';

/** Texts that are not expected anywhere. */
const HOSTILE_TEXTS = [
  '',
  '__proto__',
  'constructor',
  'toString',
  '\u0000\u202e\u001b[2J',
  '../../../../etc/passwd',
  'chrome-extension://%E0%A4%A/%',
  '\ud800',
  'İ',
  '$&$1',
  '%s%o%',
  '-0',
  '1e999',
  'x'.repeat(70_000),
] as const;

const HOSTILE_NUMBERS = [-0, -1, 0.5, 1e308, 5e-324, 2 ** 31, 2 ** 32, 2 ** 53] as const;

/** Two levels for each: no reader may follow them all the way. */
const NESTED: unknown = JSON.parse(`${'[{"a":'.repeat(600)}1${'}]'.repeat(600)}`);

const anyText = (): Arbitrary<string> =>
  fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string(), fc.string({ unit: 'binary' }));

const anyValue = (): Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom<unknown>(null, true, [], {}, { toString: 'x', length: -1 }, ...HOSTILE_NUMBERS),
    anyText(),
    fc.jsonValue({ maxDepth: 2 }),
    fc.constant(NESTED),
  );

/** A value of JSON that is the given one, but for a few things in it. */
export function valueLike(seed: unknown): Arbitrary<unknown> {
  return fc.oneof({ arbitrary: sameKind(seed), weight: 20 }, { arbitrary: anyValue(), weight: 1 });
}

function sameKind(seed: unknown): Arbitrary<unknown> {
  if (typeof seed === 'string') {
    return fc.oneof({ arbitrary: fc.constant(seed), weight: 10 }, { arbitrary: textLike(seed), weight: 1 });
  }
  if (typeof seed === 'number') {
    const other = fc.oneof(fc.constantFrom(...HOSTILE_NUMBERS), fc.integer(), fc.double());
    return fc.oneof({ arbitrary: fc.constant(seed), weight: 10 }, { arbitrary: other, weight: 1 });
  }
  if (Array.isArray(seed)) {
    const items = seed.map(valueLike);
    const longer = fc.array(fc.oneof(...items, anyValue()), { maxLength: 8 });
    return fc.oneof({ arbitrary: fc.tuple(...items), weight: 8 }, { arbitrary: longer, weight: 1 });
  }
  if (typeof seed !== 'object' || seed === null) return fc.constant(seed);
  const fields = Object.entries(seed).map(([name, value]) =>
    fc.oneof(
      { arbitrary: valueLike(value).map((changed) => [[name, changed]]), weight: 20 },
      { arbitrary: fc.constant([]), weight: 1 },
    ),
  );
  const added = fc.array(fc.tuple(anyText(), anyValue()), { maxLength: 2 });
  const extra = fc.oneof({ arbitrary: fc.constant([]), weight: 8 }, { arbitrary: added, weight: 1 });
  return fc.tuple(extra, ...fields).map((parts): unknown => Object.fromEntries(parts.flat()));
}

/** A text that is like one of the given values as JSON, and now and then none. */
export function jsonLike(...seeds: readonly unknown[]): Arbitrary<string> {
  const text = fc.oneof(...seeds.map(valueLike)).map((value) => JSON.stringify(value) ?? '');
  const broken = text.chain(textLike);
  return fc.oneof({ arbitrary: text, weight: 4 }, { arbitrary: broken, weight: 1 });
}

/** A text with a few places of it changed. */
export function textLike(seed: string): Arbitrary<string> {
  const edit = fc.record({
    at: fc.nat(seed.length),
    removed: fc.oneof({ arbitrary: fc.nat(4), weight: 4 }, { arbitrary: fc.nat(seed.length), weight: 1 }),
    added: fc.oneof(fc.constantFrom('"', "'", '{', '}', '[', ']', ',', ':', '\\', '/', '\n', '0', '*'), anyText()),
  });
  return fc
    .array(edit, { maxLength: 5 })
    .map((edits) => edits.reduce((text, { at, removed, added }) => spliced(text, at, removed, added), seed));
}

function spliced(text: string, at: number, removed: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at + removed);
}

/** A text of such words, in any order, with others between them. */
export function textOf(...words: readonly string[]): Arbitrary<string> {
  const word = fc.oneof({ arbitrary: fc.constantFrom(...words), weight: 12 }, { arbitrary: anyText(), weight: 1 });
  return fc.array(word, { maxLength: 40 }).map((found) => found.join(''));
}

/** Bytes that are like some of the given ones, with a few places changed. */
export function bytesLike(...seeds: readonly Uint8Array[]): Arbitrary<Uint8Array<ArrayBuffer>> {
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.oneof({ arbitrary: fc.nat(8), weight: 4 }, { arbitrary: fc.nat(2000), weight: 1 }),
    added: fc.oneof(fc.uint8Array({ maxLength: 8 }), fc.constantFrom(Uint8Array.of(0xff, 0xff, 0xff, 0xff))),
  });
  return fc.tuple(fc.constantFrom(...seeds), fc.array(edit, { maxLength: 4 })).map(([seed, edits]) => {
    let bytes = Buffer.from(seed);
    for (const { at, removed, added } of edits) {
      const from = Math.floor(at * bytes.length);
      bytes = Buffer.concat([bytes.subarray(0, from), added, bytes.subarray(from + removed)]);
    }
    return new Uint8Array(bytes);
  });
}

/** Bytes in one piece, and the places at which they come in parts. */
export function inParts<T extends Uint8Array>(bytes: Arbitrary<T>): Arbitrary<{ bytes: T; cuts: number[] }> {
  return fc.record({ bytes, cuts: fc.array(fc.nat(200), { maxLength: 6 }) });
}

/** The parts of bytes that are cut at these places. */
export function partsOf(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set([0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length])];
  places.sort((a, b) => a - b);
  return places.map((from, index) => bytes.subarray(from, places[index + 1] ?? bytes.length));
}
