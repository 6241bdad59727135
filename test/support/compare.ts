import { checkFolder } from '../../src/manifest/check';
import { BROKEN_WORKER } from '../../src/manifest/rules/brokenWorker';
import { caseReader } from './caseFolder';
import { CASE_FOLDER, differenceOf, UNDERSCORE, type Case } from './cases';
import type { Oracle } from './oracle';

/** Asks the installed Chromium about a case, and says how our check differs from it; undefined when it does not. */
export async function compareWithChromium(oracle: Oracle, asked: Case): Promise<string | undefined> {
  const { findings } = await checkFolder(CASE_FOLDER, { reader: caseReader(asked.files), loadedBy: 'service' });
  // Loads that would end the browser are not asked for: there would be nobody left to answer.
  if (findings.some(({ rule }) => rule === 'R-LOC-CRASH')) return undefined;
  const loads = !findings.some(({ severity, rule }) => severity === 'error' && rule !== BROKEN_WORKER);
  const verdict = await oracle.judge(asked);
  // Over DevTools the lack of a shared module has a text, which the flag keeps to itself.
  if (!verdict.ok && findings.some(({ rule }) => rule === 'R-IMPORT')) return undefined;
  // Over DevTools names with an underscore are looked at before the manifest is.
  if (!loads && verdict.error !== null && UNDERSCORE.test(verdict.error)) return undefined;
  const difference = differenceOf(findings, loads, verdict);
  return difference === undefined
    ? undefined
    : `${asked.id}: ${difference}\n${JSON.stringify(asked.files['manifest.json']).slice(0, 600)}`;
}
