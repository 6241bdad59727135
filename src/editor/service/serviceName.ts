import * as l10n from '@vscode/l10n';
import { urlOf } from '../../base/url';
import { readServiceSettings } from '../settings';

/** The service in use in one or two words: `Local`, `Cloud`, or its host. */
export function serviceName(): string {
  const { service, serviceUrl } = readServiceSettings();
  return {
    local: l10n.t('Local'),
    cloud: l10n.t('Cloud'),
    other: urlOf(serviceUrl)?.host ?? l10n.t('Other service'),
  }[service];
}
