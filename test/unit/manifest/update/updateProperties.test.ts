// Covers: src/manifest
import assert from 'node:assert/strict';
import { PERMISSIONS } from '../../../../src/manifest/availability';
import { CONTENT_FILES, randomManifests, type AskedManifest } from '../../../oracle/updateManifests';
import { dose, testSeed } from '../../../runner/seed';
import type { Json } from '../../../support/json';
import { seededChance } from '../../../support/random';
import { changeOf } from './pairs';

const SEED = testSeed();
const MANIFESTS = dose(400, 5000);

describe(`any update (seed ${SEED})`, () => {
  const manifests = randomManifests(MANIFESTS, SEED);
  const chance = seededChance(SEED);

  it('asks nothing when nothing changes', () => {
    for (const manifest of manifests)
      assert.deepEqual(changeOf(manifest, manifest).causes, [], JSON.stringify(manifest));
  });

  it('asks nothing when less is required', () => {
    for (const manifest of manifests) {
      const less = reduced(manifest, () => chance.happens(0.5));
      assert.deepEqual(changeOf(manifest, less).causes, [], JSON.stringify([manifest, less]));
    }
  });

  it('asks nothing for what Chromium ignores or has no words for', () => {
    const silent = ['storage', 'alarms', 'cookies', 'nothing', 'scripting', 'activeTab'];
    for (const manifest of manifests) {
      const more = { ...manifest, permissions: [...listAt(manifest, 'permissions'), ...silent] };
      assert.equal(changeOf(manifest, more).isAskedAgain, false, JSON.stringify(manifest));
    }
  });

  it('asks exactly when it has a cause, each at a value of the new manifest', () => {
    for (const [index, before] of manifests.entries()) {
      const after = manifests[(index + 1) % manifests.length] ?? {};
      const { isAskedAgain, causes, warningsBefore } = changeOf(before, after);
      assert.equal(isAskedAgain, causes.length > 0);
      const known = warningsBefore.map(({ text }) => text);
      for (const { path, name, warning } of causes) {
        assert.ok(valueAt(after, path) !== undefined, `${name} at ${path.join('.')} of ${JSON.stringify(after)}`);
        if (warning === undefined) assert.match(name, /^file:/);
        // What is said of hosts, of which that of icons is one in version 2, may be said already while they differ.
        else if (!/^Read (?:and change (?:all )?your data|the icons) /.test(warning))
          assert.ok(!known.includes(warning), `${name}: ${warning}`);
      }
    }
  });

  it('asks nobody after all who have agreed to everything', () => {
    const all = { permissions: [...PERMISSIONS.keys()], host_permissions: ['<all_urls>', 'file:///*'] };
    const everything = { ...all, chrome_url_overrides: { newtab: CONTENT_FILES[1] ?? '' }, manifest_version: 3 };
    for (const manifest of manifests) {
      const next = { ...manifest, manifest_version: 3 };
      assert.equal(changeOf(everything, next).isAskedAgain, false, JSON.stringify(manifest));
    }
  });
});

function reduced(manifest: AskedManifest, isKept: () => boolean): AskedManifest {
  const kept = Object.entries(manifest).filter(
    ([key]) => !['devtools_page', 'content_scripts'].includes(key) || isKept(),
  );
  const shorter = kept.map(([key, value]): [string, Json] => [
    key,
    Array.isArray(value) && key !== 'content_scripts' ? value.filter(isKept) : value,
  ]);
  return Object.fromEntries(shorter);
}

function listAt(manifest: AskedManifest, key: string): readonly Json[] {
  const value = manifest[key];
  return Array.isArray(value) ? value : [];
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, step) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  );
}
