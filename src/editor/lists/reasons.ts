import * as l10n from '@vscode/l10n';
import { ServiceError } from '../../service/serviceErrors';
import { shortened } from '../../base/units';
import { sentenceFor } from '../messages';

/** Longest reason beside a list, in characters; the log has all of it. */
const REASON_LENGTH = 80;

/** Why a list could not be loaded, in a few words without a full stop. */
export function shortReason(error: unknown): string {
  if (!(error instanceof ServiceError)) return shortened(sentenceFor(error) ?? String(error), REASON_LENGTH);
  switch (error.kind) {
    case 'unreachable':
      return l10n.t('the service cannot be reached');
    case 'timeout':
      return l10n.t('the service did not answer in time');
    case 'rateLimited':
      return l10n.t('too many requests to the service');
    case 'server':
      return l10n.t('the service failed');
    case 'forbidden':
      return l10n.t('the service forbids it');
    default:
      return shortened(error.message, REASON_LENGTH);
  }
}
