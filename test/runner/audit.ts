/**
 * Asks the registry whether known vulnerabilities are in what the package contains (`npm audit`). Fails for those that are high or critical, and
 * says so where the registry does not answer, which is no fault of the change that is tested.
 */
import { spawnSync } from 'node:child_process';
import { fieldOf, objectOf } from '../../src/base/fields';
import { ROOT } from '../support/paths';

/** What an answer means: the number of vulnerabilities that count, or that there was no answer. */
export type AuditEnd = { serious: number; others: number } | 'noAnswer';

const SERIOUS = ['high', 'critical'];

/** Reads what `npm audit --json` prints. */
export function readAudit(output: string): AuditEnd {
  let report: unknown;
  try {
    report = JSON.parse(output);
  } catch {
    return 'noAnswer';
  }
  const counts = fieldOf(fieldOf(report, 'metadata'), 'vulnerabilities');
  if (typeof counts !== 'object' || counts === null) return 'noAnswer';
  const entries = Object.entries(objectOf(counts)).filter(([severity]) => severity !== 'total');
  const sum = (isCounted: (severity: string) => boolean): number =>
    entries.reduce((all, [severity, count]) => all + (isCounted(severity) ? Number(count) : 0), 0);
  return {
    serious: sum((severity) => SERIOUS.includes(severity)),
    others: sum((severity) => !SERIOUS.includes(severity)),
  };
}

if (require.main === module) {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    shell: process.platform === 'win32',
  });
  const end = readAudit(stdout);
  if (end === 'noAnswer') {
    console.log('npm audit: the registry does not answer it');
  } else {
    console.log(`npm audit: ${end.serious} high or critical, ${end.others} others`);
    if (end.serious > 0) process.exitCode = 1;
  }
}
