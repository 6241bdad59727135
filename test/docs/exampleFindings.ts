import { checkFolder } from '../../src/manifest/check';
import type { Finding } from '../../src/manifest/finding';
import { EXAMPLE_BASE, type ExampleFolder } from '../../src/manifest/pages/rulePage';
import { caseReader } from '../oracle/caseFolder';

/** The findings of an example's folder that are not about the Web Store, unless the rule `id` is. */
export async function findingsOf({ manifest, files = {} }: ExampleFolder, id: string): Promise<Finding[]> {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify({ ...EXAMPLE_BASE, ...manifest });
  const all = manifest === undefined ? files : { ...files, 'manifest.json': text };
  const isOfStore = id.startsWith('R-STORE');
  const options = { reader: caseReader(all), storeHints: isOfStore, readsCode: isOfStore && id !== 'R-STORE' };
  const { findings } = await checkFolder('/folder', options);
  return findings;
}
