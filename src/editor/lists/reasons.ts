import * as l10n from '@vscode/l10n';
import { ServiceError } from '../../service/serviceErrors';
import { shortened } from '../../base/units';
import { sentenceFor } from '../messages';

/** Longest reason beside a list, in characters; the log has all of it. */
const REASON_LENGTH = 80;

/** Why a list could not be loaded, in a few words without a full stop. */
export function shortReason(error: unknown): string {
  if (!(error instanceof ServiceError)) return shortened(sentenceFor(error) ?? String(error), REASON_LENGTH);
  const reasons: Partial<Record<ServiceError['kind'], string>> = {
    unreachable: l10n.t('the service cannot be reached'),
    timeout: l10n.t('the service did not answer in time'),
    rateLimited: l10n.t('too many requests to the service'),
    server: l10n.t('the service failed'),
    forbidden: l10n.t('the service forbids it'),
  };
  return reasons[error.kind] ?? shortened(error.message, REASON_LENGTH);
}
