// Covers: src/manifest, test/oracle
import assert from 'node:assert/strict';
import { parsedManifest } from '../../src/manifest/update/manifestText';
import { permissionChange } from '../../src/manifest/update/permissionChange';
import { randomManifests, singleManifests } from '../oracle/updateManifests';
import { WarningOracle } from '../oracle/warnings';
import { dose, testSeed } from '../runner/seed';

const LIMIT_MS = 180_000;
const RANDOM_MANIFESTS = dose(300, 3000);
const SEED = testSeed();

describe('warnings about permissions beside those of the installed Chromium', function () {
  this.timeout(LIMIT_MS);

  let oracle: WarningOracle;
  before(async () => {
    oracle = await WarningOracle.start();
  });
  after(() => oracle.close());

  it('are the same of each permission, key and pattern by itself', async () => {
    await compare(singleManifests());
  });

  it(`are the same of ${RANDOM_MANIFESTS} random manifests (seed ${SEED})`, async () => {
    await compare(randomManifests(RANDOM_MANIFESTS, SEED));
  });

  /** Compares all manifests that Chromium reads, which most of them have to be. */
  async function compare(manifests: readonly object[]): Promise<void> {
    const texts = manifests.map((manifest) => JSON.stringify(manifest));
    const answers = await oracle.judge(texts);
    const read = texts.flatMap((text, index) => {
      const answer = answers[index];
      return Array.isArray(answer) ? [{ text, chromium: answer, ours: warningsAbout(text) }] : [];
    });
    assert.ok(read.length > texts.length * 0.8, `Chromium reads only ${read.length} of ${texts.length}`);
    const different = read.filter(({ chromium, ours }) => JSON.stringify(chromium) !== JSON.stringify(ours));
    assert.deepEqual(different, []);
  }
});

function warningsAbout(text: string): string[] {
  const document = parsedManifest(text);
  return document ? permissionChange(document, document).warningsAfter.map((warning) => warning.text) : [];
}
