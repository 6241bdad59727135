import * as l10n from '@vscode/l10n';
import { checkFolder } from '../../../src/manifest/check';
import type { Finding } from '../../../src/manifest/finding';
import { caseReader } from '../../oracle/caseFolder';
import { CASE_FOLDER, judgedCases, type JudgedCase } from '../../oracle/cases';

export interface CheckedCase extends JudgedCase {
  findings: readonly Finding[];
  /** The message of each finding, with « and » around each text that was looked up for a translation. */
  markedMessages: readonly string[];
}

/** A bundle that marks every text that is looked up. */
const MARKED = new Proxy<Record<string, string>>({}, { get: (_, text) => `«${String(text)}»` });

let checked: Promise<CheckedCase[]> | undefined;

/** All cases that Chromium has judged, with what the check finds in them, also for the store. Checked once in a process, which takes seconds. */
export function checkedCases(): Promise<CheckedCase[]> {
  checked ??= checkAll();
  return checked;
}

async function checkAll(): Promise<CheckedCase[]> {
  const cases: CheckedCase[] = [];
  l10n.config({ contents: MARKED });
  try {
    for (const judged of await judgedCases()) {
      const options = { reader: caseReader(judged.files), loadedBy: 'flag', storeHints: true } as const;
      const { findings } = await checkFolder(CASE_FOLDER, options);
      cases.push({
        ...judged,
        findings: findings.map(unmarkedFinding),
        markedMessages: findings.map(({ message }) => message),
      });
    }
  } finally {
    l10n.config({ contents: {} });
  }
  return cases;
}

function unmarkedFinding({ fix, ...finding }: Finding): Finding {
  const message = unmarked(finding.message);
  return { ...finding, message, ...(fix && { fix: { ...fix, title: unmarked(fix.title) } }) };
}

const unmarked = (text: string): string => text.replaceAll(/[«»]/g, '');
