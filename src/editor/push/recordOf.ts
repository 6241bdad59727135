import * as l10n from '@vscode/l10n';
import type { BrowserEnd, PushEnd } from '../../push/run';
import type { PushRecord } from '../browsers/pushRecords';
import { browserLabel } from '../lists/labels';
import { endText } from './endText';

/** What is known of a browser after a push; undefined when the push has changed nothing that was known. */
export function recordOf({ session, end }: BrowserEnd, at: number): PushRecord | undefined {
  const reason = endText(end, browserLabel(session));
  switch (end.outcome) {
    case 'cancelled':
    case 'unchanged':
      return undefined;
    case 'running': {
      const { name, version, extensionId, digest, ms } = end;
      return { state: 'running', at, reason: '', label: '', name, version, extensionId, digest, ms };
    }
    case 'unverified': {
      const { name, version, digest, ms } = end;
      return { state: 'unverified', at, reason, label: l10n.t('delivered, not verified'), name, version, digest, ms };
    }
    default:
      return { state: 'failed', at, reason, label: failureLabel(end.outcome) };
  }
}

/** A failed push in two or three words. A build may run in spite of a failure. */
function failureLabel(outcome: PushEnd['outcome']): string {
  switch (outcome) {
    case 'workerFailed':
      return l10n.t('worker failed');
    case 'doubled':
      return l10n.t('runs more than once');
    case 'wrong':
      return l10n.t('not running');
    default:
      return l10n.t('not pushed');
  }
}
