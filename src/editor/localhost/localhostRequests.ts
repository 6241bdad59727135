import * as l10n from '@vscode/l10n';
import { shortened, sizeText, tableLines } from '../../base/units';
import type { BridgeCounts, BridgedRequest } from '../../bridge/requestLog';

/** How much of an address or of who has asked is shown, in characters: both are of others. */
const MAX_LENGTH = 200;

/** The requests of one browser, as a text: the newest first. */
export function requestsText(
  { browser, ports, requests, refused, bytes }: BridgeCounts & { browser: string; ports: string },
  latest: readonly BridgedRequest[],
): string {
  const head = [
    l10n.t('What {0} has asked of {1} on this computer, the newest first.', browser, ports),
    [
      requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', requests),
      sizeText(bytes),
      ...(refused === 0 ? [] : [l10n.t('{0} without an answer', refused)]),
    ].join(', '),
    '',
  ];
  const rows = latest.map(({ at, method, address, asker, outcome, ms, bytes: size }) => [
    new Date(at).toLocaleTimeString(),
    typeof outcome === 'number' ? String(outcome) : OUTCOMES[outcome](),
    `${Math.round(ms)} ms`,
    typeof outcome === 'number' ? sizeText(size) : '',
    method,
    shortened(address, MAX_LENGTH),
    shortened(asker ?? '', MAX_LENGTH),
  ]);
  const titles = [
    l10n.t('Time'),
    l10n.t('Status'),
    l10n.t('Took'),
    l10n.t('Size'),
    l10n.t('Method'),
    l10n.t('Address'),
    l10n.t('Asked by'),
  ];
  return [...head, ...tableLines([titles, ...rows])].join('\n');
}

/** Why a request has no answer. */
const OUTCOMES: Record<Exclude<BridgedRequest['outcome'], number>, () => string> = {
  refused: () => l10n.t('nothing listens there'),
  broken: () => l10n.t('the server broke off'),
  tooLarge: () => l10n.t('larger than 32 MB'),
  timeout: () => l10n.t('no answer within 30 s'),
  fileUpload: () => l10n.t("a file of the browser's computer"),
  foreignOrigin: () => l10n.t('refused: another origin'),
  foreignPage: () => l10n.t('refused: another page'),
  foreignFrame: () => l10n.t('refused: a frame of another page'),
  storm: () => l10n.t('paused: asked again without end'),
  noOrigin: () => l10n.t('refused: sent without an origin'),
};
