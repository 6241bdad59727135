import * as l10n from '@vscode/l10n';
import { commands } from 'vscode';
import { VIEWS } from '../../../ids';
import type { BrowserService } from '../../../service/browserService';
import { ConcurrencyLimits } from '../../../service/concurrencyLimits';
import { ServiceError } from '../../../service/serviceErrors';
import { askModal } from '../../notify';
import { readServiceSettings } from '../../settings';

/** Longest time for each answer, in milliseconds: the creation waits for it. */
const ANSWER_LIMIT_MS = 3000;

const limits = new ConcurrencyLimits();

/**
 * Whether another browser may be created: asks the user when as many run as the account or the project may have, since the service would
 * refuse it. True where the service reports no limit, or not soon.
 */
export async function mayCreate(client: BrowserService): Promise<boolean> {
  // The local service has none.
  if (readServiceSettings().service === 'local') return true;
  const limit = await limits.of(client, AbortSignal.timeout(ANSWER_LIMIT_MS)).catch(withoutAnswer);
  if (limit === undefined || limit < 1 || !(await areRunning(client, limit))) return true;
  const show = l10n.t('Show Browsers');
  const create = l10n.t('Create It Anyway');
  const choice = await askModal(
    l10n.t('{0} browsers are running, which is the limit of your account or project.', limit),
    [l10n.t('The service will probably refuse another one. Delete a browser that is no longer needed first.')],
    show,
    create,
  );
  if (choice === show) await commands.executeCommand(`${VIEWS.browsers}.focus`);
  return choice === create;
}

/** Whether at least `count` browsers run. One request, for the page that begins with the last of them. */
async function areRunning(client: BrowserService, count: number): Promise<boolean> {
  const page = await client.pageOfBrowsers({}, count - 1, AbortSignal.timeout(ANSWER_LIMIT_MS)).catch(withoutAnswer);
  return (page?.items.length ?? 0) > 0;
}

/** A failure that concerns the creation, too, is reported by that. */
function withoutAnswer(error: unknown): undefined {
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  if (!(error instanceof ServiceError) && !isTimeout) throw error;
}
