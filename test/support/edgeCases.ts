import { KEYS } from '../../src/manifest/availability';
import type { Case } from './cases';
import { isJsonObject, type Json, type JsonObject } from './json';
import { SAMPLE_CATALOGUES, SAMPLE_FILES } from './sampleFiles';
import { SAMPLE_VALUES } from './sampleValues';

/** Values at the edge of what a place may hold: empty, nearly a path, nearly a number, of another kind. */
const EDGE_VALUES: readonly Json[] = [
  '',
  ' ',
  'gone.html',
  'pages/popup.html/',
  '/pages/popup.html',
  '../pages/popup.html',
  'pages/popup.html?a#b',
  'http://example.com/',
  '*',
  'é',
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 31,
  [],
  [''],
  [1],
  {},
  { '': 1 },
];

/** A value with another one at one of its places; the place as a path. */
function* replaced(value: Json, by: Json): Generator<{ path: string; value: Json }> {
  yield { path: '', value: by };
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      for (const { path, value: changed } of replaced(item, by)) {
        yield { path: `[${at}]${path}`, value: value.with(at, changed) };
      }
    }
  } else if (isJsonObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      for (const { path, value: changed } of replaced(item, by)) {
        yield { path: `.${name}${path}`, value: { ...value, [name]: changed } };
      }
    }
  }
}

/** Every place of the sample values with every value at the edge, one at a time. */
export function* edgeCases(): Generator<Case> {
  const seen = new Set<unknown>();
  for (const [key, samples] of Object.entries(SAMPLE_VALUES)) {
    for (const [index, sample] of samples.entries()) {
      for (const by of EDGE_VALUES) {
        for (const { path, value } of replaced(sample, by)) {
          const id = `${key}${path} of sample ${index} is ${JSON.stringify(by)}`;
          const edge = edgeCase(id, { [key]: value });
          const text = edge.files['manifest.json'];
          if (!seen.has(text)) yield edge;
          seen.add(text);
        }
      }
    }
  }
}

function edgeCase(id: string, keys: JsonObject): Case {
  const rules = 'declarative_net_request' in keys ? { permissions: ['declarativeNetRequest'] } : {};
  const newest = Math.min(3, ...Object.keys(keys).map((key) => KEYS.get(key)?.maxVersion ?? 3));
  const manifest = { manifest_version: newest, name: 'Edge', version: '1', ...rules, ...keys };
  const catalogues = 'default_locale' in keys ? SAMPLE_CATALOGUES : {};
  return { id, files: { ...SAMPLE_FILES, ...catalogues, 'manifest.json': JSON.stringify(manifest) } };
}
