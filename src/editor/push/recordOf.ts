import * as l10n from '@vscode/l10n';
import type { BrowserOutcome, PushOutcome } from '../../push/pushRun';
import type { PushRecord } from '../../push/known/pushRecords';
import { browserLabel } from '../lists/labels';
import { outcomeSentence } from './outcomeSentence';

/** What is known of a browser after a push; undefined when the push has changed nothing that was known. */
export function recordOf({ browser, outcome, archive }: BrowserOutcome, at: number): PushRecord | undefined {
  const reason = outcomeSentence(outcome, browserLabel(browser));
  switch (outcome.kind) {
    case 'cancelled':
    case 'unchanged':
      return undefined;
    case 'running': {
      const { name, version, extensionId, digest, ms } = outcome;
      const { lacks = [] } = archive ?? {};
      return { state: 'running', at, reason: '', label: '', name, version, extensionId, digest, ms, lacks };
    }
    case 'unverified': {
      const { name, version, digest, ms } = outcome;
      return { state: 'unverified', at, reason, label: l10n.t('delivered, not verified'), name, version, digest, ms };
    }
    default:
      return { state: 'failed', at, reason, label: failureLabel(outcome.kind) };
  }
}

/** What is known of a browser after extensions were pushed to it together: the worst of their outcomes, or else that all run. */
export function recordOfSet(outcomes: readonly BrowserOutcome[], at: number): PushRecord | undefined {
  const records = outcomes.flatMap((browserOutcome) => recordOf(browserOutcome, at) ?? []);
  // One that was held back has the reason of another.
  const causes = outcomes
    .filter(({ outcome }) => outcome.kind !== 'heldBack')
    .flatMap((browserOutcome) => recordOf(browserOutcome, at) ?? []);
  const failed = causes.find(({ state }) => state === 'failed');
  if (failed) return failed;
  const [first, ...others] = records;
  if (!first) return undefined;
  // The version follows the last name.
  const names = [...others.map(({ name = '', version = '' }) => `${name} ${version}`), first.name ?? ''];
  const ms = Math.max(...records.map((record) => record.ms ?? 0));
  const unverified = records.find(({ state }) => state === 'unverified');
  const { digest: _digest, ...rest } = unverified ?? first;
  const together = records.flatMap(({ name = '', version = '', extensionId }) =>
    extensionId === undefined ? [] : [{ name, version, extensionId }],
  );
  return { ...rest, name: names.join(', '), together, ms };
}

/** The record of a push of one of several that were pushed together before: the others go on running. */
export function amongTogether(record: PushRecord, before: PushRecord | undefined): PushRecord {
  const { extensionId, name = '', version = '' } = record;
  const known = before?.hasEnded === true ? undefined : before?.together;
  if (!known) return record;
  if (extensionId === undefined) return { ...record, together: known };
  if (!known.some((one) => one.extensionId === extensionId)) return record;
  const now = { extensionId, name, version };
  return { ...record, together: known.map((one) => (one.extensionId === extensionId ? now : one)) };
}

/** A failed push in two or three words. A build may run in spite of a failure. */
function failureLabel(outcome: PushOutcome['kind']): string {
  const labels: Partial<Record<PushOutcome['kind'], string>> = {
    workerFailed: l10n.t('worker failed'),
    doubled: l10n.t('runs more than once'),
    wrong: l10n.t('not running'),
  };
  return labels[outcome] ?? l10n.t('not pushed');
}
