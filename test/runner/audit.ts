/**
 * Asks the registry whether known vulnerabilities are in what the bundles contain (`npm audit`). Fails for those that are high or critical, and
 * says so where the registry does not answer, which is no fault of the change that is tested.
 */
import { spawnSync } from 'node:child_process';
import { fieldOf, objectOf } from '../../src/base/fields';
import { bundledFolders } from '../release/bundledFolders';
import { ROOT } from '../support/paths';

/** What an answer means: the number of vulnerabilities that count, or that there was no answer. */
export type AuditEnd = { serious: number; others: number } | 'noAnswer';

const SERIOUS = ['high', 'critical'];

/** Reads what `npm audit --json` prints, and counts what is about the packages in the folders, such as `node_modules/ws`. */
export function readAudit(output: string, folders: readonly string[]): AuditEnd {
  let report: unknown;
  try {
    report = JSON.parse(output);
  } catch {
    return 'noAnswer';
  }
  const found = fieldOf(report, 'vulnerabilities');
  if (typeof found !== 'object' || found === null) return 'noAnswer';
  const shipped = Object.values(objectOf(found)).filter((one) => {
    const nodes = fieldOf(one, 'nodes');
    return Array.isArray(nodes) && nodes.some((node) => folders.includes(String(node)));
  });
  const serious = shipped.filter((one) => SERIOUS.includes(String(fieldOf(one, 'severity')))).length;
  return { serious, others: shipped.length - serious };
}

async function audit(): Promise<void> {
  const { stdout } = spawnSync('npm', ['audit', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    shell: process.platform === 'win32',
  });
  const end = readAudit(stdout, await bundledFolders());
  if (end === 'noAnswer') {
    console.log('npm audit: the registry does not answer it');
  } else {
    console.log(`npm audit: ${end.serious} high or critical, ${end.others} others`);
    if (end.serious > 0) process.exitCode = 1;
  }
}

if (require.main === module) void audit();
