import * as l10n from '@vscode/l10n';

import { ServiceError } from '../service/errors';
import { shortened } from '../units';
import { TOKEN_VARIABLE, TokenMissingError, TokenStorageError } from './errors';

/** Names of the errors whose message is written for the user. */
const USER_MESSAGES = new Set([
  'AddressError',
  'ArchiveError',
  'DecodeError',
  'DevToolsError',
  'FolderNameError',
  'LocalServiceError',
  'UserError',
]);

/** Longest text of the service in a sentence, in characters; a notification of VS Code has at most 1000. */
const QUOTED_LENGTH = 700;

/** The sentence for the user about `error`: what happened and what to do. Undefined for an unexpected error. */
export function sentenceFor(error: unknown): string | undefined {
  if (error instanceof TokenMissingError) return l10n.t('The service needs a token. Run "Sideload: Set Token".');
  if (error instanceof TokenStorageError) {
    return l10n.t(
      'The editor could not {0} the token in its secret storage. Set the environment variable {1} before the editor starts instead.',
      error.message,
      TOKEN_VARIABLE,
    );
  }
  if (error instanceof ServiceError) return serviceSentence(error);
  if (!(error instanceof Error) || !USER_MESSAGES.has(error.name)) return undefined;
  return error.name === 'DevToolsError'
    ? l10n.t(
        'DevTools of the browser could not be reached: {0}. Refresh the list; if the browser no longer exists, create another.',
        error.message,
      )
    : error.message;
}

function serviceSentence(error: ServiceError): string {
  const said = shortened([error.message, ...error.reasons].join(' '), QUOTED_LENGTH);
  switch (error.kind) {
    case 'unreachable':
      return l10n.t('{0} Check the connection, the proxy settings and the address of the service.', said);
    case 'timeout':
      return l10n.t('{0} Try again; the log shows the request.', said);
    case 'unauthorized':
      return l10n.t('The service did not accept the token ({0}). Run "Sideload: Set Token".', said);
    case 'forbidden':
      return l10n.t(
        'The service forbids this: {0} The token may lack the permission, or the plan of the account.',
        said,
      );
    case 'notFound':
      return l10n.t('It no longer exists: {0} The list is refreshed.', said);
    case 'conflict':
      return l10n.t('It exists already: {0} Choose another name.', said);
    case 'badRequest':
      return l10n.t('The service refused the request: {0}', said);
    case 'tooLarge':
      return l10n.t(
        'The service refused the request as too large ({0}). Leave files out with the setting sideload.exclude.',
        said,
      );
    case 'rateLimited':
      return l10n.t('Rate limit reached: {0} Try again later.', said);
    case 'server':
      return l10n.t('The service failed: {0} Try again; if it fails again, create another browser.', said);
    case 'invalidAnswer':
      return l10n.t('{0} Check the address of the service.', said);
  }
}
