import { KEYS } from '../../src/manifest/availability';
import type { Case } from './cases';
import { isJsonObject, jsonOf, type Json, type JsonObject } from '../support/json';
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

/** Every place of the sample values, and of the files that they name, with every value at the edge, one at a time. */
export function* edgeCases(): Generator<Case> {
  const seen = new Set<string>();
  for (const edge of [...keyCases(), ...fileCases()]) {
    const text = JSON.stringify(edge.files);
    if (!seen.has(text)) yield edge;
    seen.add(text);
  }
}

function* keyCases(): Generator<Case> {
  for (const [key, samples] of Object.entries(SAMPLE_VALUES)) {
    for (const [index, sample] of samples.entries()) {
      for (const by of EDGE_VALUES) {
        for (const { path, value } of replaced(sample, by)) {
          yield edgeCase(`${key}${path} of sample ${index} is ${JSON.stringify(by)}`, { [key]: value });
        }
      }
    }
  }
}

/** A manifest that has all sample files read. */
const READER: JsonObject = {
  permissions: ['declarativeNetRequest', 'storage'],
  declarative_net_request: {
    rule_resources: ['first', 'second'].map((id) => ({ id, enabled: true, path: `rules/${id}.json` })),
  },
  storage: { managed_schema: 'rules/schema.json' },
  default_locale: 'en',
};

function* fileCases(): Generator<Case> {
  for (const [name, text] of Object.entries({ ...SAMPLE_FILES, ...SAMPLE_CATALOGUES })) {
    const sample = name.endsWith('.json') && typeof text === 'string' ? jsonOf(text) : undefined;
    if (sample === undefined) continue;
    for (const by of EDGE_VALUES) {
      for (const { path, value } of replaced(sample, by)) {
        const { id, files } = edgeCase(`${name}${path} is ${JSON.stringify(by)}`, READER);
        yield { id, files: { ...files, [name]: JSON.stringify(value) } };
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
