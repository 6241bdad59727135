import * as l10n from '@vscode/l10n';

import { ServiceError } from '../service/errors';
import { TOKEN_VARIABLE, TokenMissingError, TokenStorageError } from './errors';

/** Names of errors below the editor whose message is written for people. */
const SPOKEN_ERRORS = new Set([
  'AddressError',
  'ArchiveError',
  'DecodeError',
  'DevToolsError',
  'FolderNameError',
  'LocalServiceError',
  'UserError',
]);

/** Longest text that is shown about one thing, in characters: a manifest may hold values of megabytes, which messages repeat. */
const SHOWN_LENGTH = 1000;

/** A text as it is shown: long ones end with an ellipsis. */
export function shortened(text: string): string {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

/** The sentence for people about `error`: what happened and what to do. Undefined for an error that nobody foresaw. */
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
  if (!(error instanceof Error) || !SPOKEN_ERRORS.has(error.name)) return undefined;
  return error.name === 'DevToolsError'
    ? l10n.t(
        'The browser could not be asked through DevTools: {0}. Refresh the list; if the browser is gone, create another.',
        error.message,
      )
    : error.message;
}

function serviceSentence(error: ServiceError): string {
  const said = [error.message, ...error.reasons].join(' ');
  switch (error.kind) {
    case 'unreachable':
      return l10n.t('{0} Check the connection, the proxy settings and the address of the service.', said);
    case 'timeout':
      return l10n.t('{0} Try again; the log tells what was asked.', said);
    case 'unauthorized':
      return l10n.t('The service did not accept the token ({0}). Run "Sideload: Set Token".', said);
    case 'forbidden':
      return l10n.t(
        'The service forbids this: {0} The token may lack the permission, or the plan of the account.',
        said,
      );
    case 'notFound':
      return l10n.t('It is no longer there: {0} The list is refreshed.', said);
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
      return l10n.t('The service asks for patience: {0} Try again in a while.', said);
    case 'server':
      return l10n.t('The service failed: {0} Try again; if it goes on, create another browser.', said);
    case 'invalidAnswer':
      return l10n.t('{0} Check the address of the service.', said);
  }
}
