import assert from 'node:assert/strict';
import { checkFolder, type CheckOptions, type CheckResult } from '../../../src/manifest/check';
import type { Finding } from '../../../src/manifest/finding';
import { caseReader, type CaseFile } from '../../oracle/caseFolder';

/** A manifest without faults. */
export const BASE = { manifest_version: 3, name: 'Base', version: '1.0' };

/** Checks a folder in memory; an object is added to the base manifest, a text is the manifest itself. */
export async function checkCase(
  manifest: object | string,
  files: Record<string, CaseFile> = {},
  options: CheckOptions = {},
): Promise<CheckResult> {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify({ ...BASE, ...manifest });
  return checkFolder('/folder', { reader: caseReader({ ...files, 'manifest.json': text }), ...options });
}

/** As `checkCase`, with nothing but the findings. */
export async function checkManifest(...asked: Parameters<typeof checkCase>): Promise<Finding[]> {
  return (await checkCase(...asked)).findings;
}

/** The ids of the rules of findings. */
export function rulesOf(findings: readonly Finding[]): string[] {
  return findings.map(({ rule }) => rule);
}

/** The only finding; fails when there are none or several. */
export function onlyOf(findings: readonly Finding[]): Finding {
  assert.equal(findings.length, 1, rulesOf(findings).join(', ') || 'no finding');
  const [finding] = findings;
  return finding ?? assert.fail();
}
