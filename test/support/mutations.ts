import type { Case } from './cases';

/** A source of numbers from 0 to 1 that is the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const VALUES: readonly Json[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    3,
    1.5,
    1e300,
    '',
    ' ',
    'x',
    'x.js',
    'gone.html',
    '../x',
    '/',
    '*',
    '__MSG_x__',
    '<all_urls>',
  ],
  ...['https://*.example.com/*', 'Ctrl+Shift+Y', 'tabs', '\u0000', '\uffff', '\ud83d\ude00'],
  ...[[], {}, [[]], [{}], ['x'], { x: 1 }, { '16': 'i.png' }],
];

const KEYS = [
  'name',
  'version',
  'matches',
  'js',
  'permissions',
  'default_locale',
  'action',
  'background',
  'zzz',
  '__proto__',
];

/** One way of breaking a text, as a person who types or a program that writes nonsense would. */
export function mutateManifest(text: string, random: () => number): string {
  return random() < 0.25 ? mutateText(text, random) : mutateValue(text, random);
}

function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined && items.length === 0) throw new Error('There is nothing to pick from.');
  return item as T;
}

function mutateText(text: string, random: () => number): string {
  const at = Math.floor(random() * (text.length + 1));
  const length = Math.floor(random() * 8);
  const inserted = pick(
    ['', ',', '}', ']', '"', '\\', '//', '/*', '\n', '\t', '\u0000', 'é', '0', text.slice(at, at + 20)],
    random,
  );
  return text.slice(0, at) + inserted + text.slice(at + length);
}

function mutateValue(text: string, random: () => number): string {
  let root: Json;
  try {
    root = JSON.parse(text) as Json;
  } catch {
    return mutateText(text, random);
  }
  const places: [Json[] | Record<string, Json>, string | number][] = [];
  collect(root, places);
  if (places.length === 0) return JSON.stringify(pick(VALUES, random));
  const [parent, key] = pick(places, random);
  const choice = random();
  if (Array.isArray(parent)) {
    if (choice < 0.2) parent.splice(Number(key), 1);
    else if (choice < 0.4) parent.splice(Number(key), 0, pick(VALUES, random));
    else parent[Number(key)] = pick(VALUES, random);
  } else if (choice < 0.2) Reflect.deleteProperty(parent, key);
  else if (choice < 0.4) parent[pick(KEYS, random)] = pick(VALUES, random);
  else parent[key] = pick(VALUES, random);
  return JSON.stringify(root, null, 2);
}

function collect(node: Json, places: [Json[] | Record<string, Json>, string | number][]): void {
  if (Array.isArray(node)) {
    for (const [index, item] of node.entries()) {
      places.push([node, index]);
      collect(item, places);
    }
  } else if (typeof node === 'object' && node !== null) {
    for (const [key, value] of Object.entries(node)) {
      places.push([node, key]);
      collect(value, places);
    }
  }
}

/** So many mutated cases, made from those that are given; the same for the same seed. */
export function* mutatedCases(seeds: readonly Case[], count: number, seed: number): Generator<Case> {
  const random = seededRandom(seed);
  const usable = seeds.filter(
    ({ files }) => typeof files['manifest.json'] === 'string' && files['manifest.json'].length < 4000,
  );
  for (let index = 0; index < count; index++) {
    const { files } = pick(usable, random);
    const text = files['manifest.json'];
    let manifest = typeof text === 'string' ? text : '';
    for (let times = 1 + Math.floor(random() * 3); times > 0; times--) manifest = mutateManifest(manifest, random);
    yield { id: `mutation ${index} of seed ${seed}`, files: { ...files, 'manifest.json': manifest } };
  }
}
