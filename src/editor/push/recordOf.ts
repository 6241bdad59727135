import type { BrowserEnd } from '../../push/run';
import type { PushRecord } from '../browsers/pushRecords';
import { browserLabel } from '../lists/labels';
import { endText } from './endText';

/** What is known of a browser after a push; undefined when the push has changed nothing that was known. */
export function recordOf({ session, end }: BrowserEnd, at: number): PushRecord | undefined {
  switch (end.outcome) {
    case 'cancelled':
    case 'unchanged':
      return undefined;
    case 'running': {
      const { name, version, extensionId, ms } = end;
      return { state: 'running', at, reason: '', name, version, extensionId, ms };
    }
    case 'unverified': {
      const { name, version, ms } = end;
      return { state: 'unverified', at, reason: '', name, version, ms };
    }
    default:
      return { state: 'failed', at, reason: endText(end, browserLabel(session)) };
  }
}
