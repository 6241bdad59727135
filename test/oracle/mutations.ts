import type { CaseFile } from './caseFolder';
import type { Case } from './cases';
import { isJsonObject, jsonOf, type JsonObject } from '../support/json';
import { mutateFiles, withFile } from './mutateFiles';
import { mutateText } from './mutateText';
import { mutateValue } from './mutateValue';
import { seededChance, type Chance } from '../support/random';
import { SAMPLE_CATALOGUES, SAMPLE_FILES } from './sampleFiles';
import { SAMPLE_VALUES } from './sampleValues';

type Files = Record<string, CaseFile>;

/** Manifests that are longer are not mutated: a change would hardly ever meet what matters. */
const LONGEST_MANIFEST = 8000;
const MOST_KEYS = 9;

/** Keys that make another kind of package of an extension, and so are rare. */
const KINDS_OF_PACKAGE: ReadonlySet<string> = new Set(['app', 'theme', 'export']);

/** An extension with randomly chosen keys, and all files that they name. */
export function composedCase(chance: Chance): { manifest: JsonObject; files: Files } {
  const version = chance.pick([3, 3, 3, 3, 3, 2, 2, 4]);
  const manifest: JsonObject = { manifest_version: version, name: 'A name', version: '1.2.3' };
  for (let left = 1 + chance.below(MOST_KEYS); left > 0; left--) {
    const key = chance.pick(Object.keys(SAMPLE_VALUES));
    if (KINDS_OF_PACKAGE.has(key) && !chance.happens(0.3)) continue;
    manifest[key] = structuredClone(chance.pick(SAMPLE_VALUES[key] ?? [null]));
  }
  if ('declarative_net_request' in manifest && !('permissions' in manifest)) {
    Object.assign(manifest, { permissions: ['declarativeNetRequest'] });
  }
  if (!('default_locale' in manifest) || chance.happens(0.05)) return { manifest, files: { ...SAMPLE_FILES } };
  return { manifest, files: { ...SAMPLE_FILES, ...SAMPLE_CATALOGUES } };
}

/** Files with one change, in the manifest more often than not. */
function mutated(files: Files, chance: Chance): Files {
  if (chance.happens(0.12)) return mutateFiles(files, chance);
  const others = Object.keys(files).filter((name) => name.endsWith('.json') && name !== 'manifest.json');
  const name = others.length > 0 && chance.happens(0.3) ? chance.pick(others) : 'manifest.json';
  const text = files[name];
  if (typeof text !== 'string') return files;
  const value = chance.happens(0.1) ? undefined : jsonOf(text);
  const changed = value === undefined ? mutateText(text, chance) : JSON.stringify(mutateValue(value, chance), null, 2);
  return { ...files, [name]: changed };
}

/** A given case, with a key or two of a composed one now and then; or a composed one. */
function base(seeds: readonly Case[], chance: Chance): Files {
  const { manifest, files } = composedCase(chance);
  if (chance.happens(0.5)) return { ...files, 'manifest.json': JSON.stringify(manifest, null, 2) };
  const given = chance.pick(seeds).files;
  const text = given['manifest.json'];
  const value = typeof text === 'string' && chance.happens(0.3) ? jsonOf(text) : undefined;
  if (value === undefined || !isJsonObject(value)) return given;
  const { manifest_version: _, name: __, version: ___, ...rest } = manifest;
  const merged = Object.entries(given).reduce<Files>((all, [name, content]) => withFile(all, name, content), files);
  return { ...merged, 'manifest.json': JSON.stringify({ ...value, ...rest }, null, 2) };
}

/** So many mutated cases, of those that are given and of composed ones; the same for the same seed. */
export function* mutatedCases(seeds: readonly Case[], count: number, seed: number): Generator<Case> {
  const chance = seededChance(seed);
  const usable = seeds.filter(
    ({ files }) => typeof files['manifest.json'] === 'string' && files['manifest.json'].length < LONGEST_MANIFEST,
  );
  for (let index = 0; index < count; index++) {
    let files = base(usable, chance);
    for (let times = 1 + chance.below(3); times > 0; times--) files = mutated(files, chance);
    yield { id: `mutation ${index} of seed ${seed}`, files };
  }
}
