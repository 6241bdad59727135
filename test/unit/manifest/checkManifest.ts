import { checkFolder, type CheckOptions } from '../../../src/manifest/check';
import type { Finding } from '../../../src/manifest/finding';
import { caseReader, type CaseFile } from '../../support/caseFolder';

/** A manifest that nothing can be said against. */
export const BASE = { manifest_version: 3, name: 'Base', version: '1.0' };

/** The findings about a folder in memory; an object is added to the base manifest, a text is the manifest itself. */
export async function checkManifest(
  manifest: object | string,
  files: Record<string, CaseFile> = {},
  options: CheckOptions = {},
): Promise<Finding[]> {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify({ ...BASE, ...manifest });
  const { findings } = await checkFolder('/folder', {
    reader: caseReader({ ...files, 'manifest.json': text }),
    ...options,
  });
  return findings;
}

/** The rules that findings are from. */
export function rulesOf(findings: readonly Finding[]): string[] {
  return findings.map(({ rule }) => rule);
}
