import * as l10n from '@vscode/l10n';

import { DEVTOOLS, ServiceError } from '../service/serviceErrors';
import type { NoBrowserDetail } from '../service/interface';
import { shortened } from '../base/units';
import { COMMANDS, SETTINGS } from '../ids';
import { BROWSER_VARIABLE, TOKEN_VARIABLE } from '../service/serviceAddress';
import {
  RefusedError,
  TokenMissingError,
  TokenStorageError,
  UntrustedError,
  UserError,
  type WayOut,
} from './errorTexts';

/** Names of the errors whose message is written for the user. */
const USER_MESSAGES = new Set([
  'AddressError',
  'ArchiveError',
  'DecodeError',
  'DevToolsError',
  'FolderNameError',
  'LocalServiceError',
  'ProjectError',
  'ReplaceError',
  'UserError',
]);

/** The local service's code when it finds no browser on the machine. */
const NO_BROWSER_CODE = 'browser_not_found';

/** The codes of the service for a project that cannot be used begin so: it is not found, or the account has none. */
const PROJECT_CODES = 'project';

/** Longest text of the service in a sentence, in characters; a notification of VS Code has at most 1000. */
const QUOTED_LENGTH = 700;

/** The sentence for the user about `error`: what happened and what to do. Undefined for an unexpected error. */
export function sentenceFor(error: unknown): string | undefined {
  if (error instanceof TokenMissingError) return l10n.t('The service needs a token. Run "Sideload: Set Token…".');
  if (error instanceof TokenStorageError) {
    return l10n.t(
      "The editor's secret storage does not work. Set the environment variable {0} before the editor starts instead.",
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

/**
 * What ends the state that an error is about: `push`, the end of another push; `answer`, an answer of the service; `otherService`, another
 * service, token or setting of it; `trust`, that of the workspace.
 */
export type FailureEnd = 'push' | 'answer' | 'otherService' | 'trust';

/** What ends the state that `error` is about; undefined where it is about what has happened, which stays true. */
export function failureEnd(error: unknown): FailureEnd | undefined {
  if (error instanceof RefusedError) return 'push';
  if (error instanceof UntrustedError) return 'trust';
  if (error instanceof TokenMissingError) return 'otherService';
  if (error instanceof Error && ['AddressError', 'ProjectError'].includes(error.name)) return 'otherService';
  if (!(error instanceof ServiceError)) return undefined;
  if (error.code === NO_BROWSER_CODE || error.code?.startsWith(PROJECT_CODES) === true) return 'otherService';
  switch (error.kind) {
    case 'unauthorized':
      return 'otherService';
    case 'unreachable':
    case 'rateLimited':
      return 'answer';
    default:
      return undefined;
  }
}

/** Buttons for which a notification has room; the texts of more are cut off. */
const MOST_BUTTONS = 3;

/** The commands that help with `error`, the best first; showing the log is the last where there is room. */
export function waysOutOf(error: unknown): WayOut[] {
  const showLog = { label: l10n.t('Show Log'), command: COMMANDS.showLog };
  if (error instanceof UserError) return error.waysOut.length > 0 ? [...error.waysOut] : [showLog];
  return [...serviceWays(error), showLog].slice(0, MOST_BUTTONS);
}

function serviceWays(error: unknown): WayOut[] {
  const setToken = { label: l10n.t('Set Token'), command: COMMANDS.setToken };
  const chooseService = { label: l10n.t('Choose Service'), command: COMMANDS.chooseService };
  const openSetting = (id: string): WayOut => ({
    label: l10n.t('Open Setting'),
    command: 'workbench.action.openSettings',
    arguments: [id],
  });
  if (error instanceof TokenMissingError || error instanceof TokenStorageError) return [setToken];
  if (error instanceof Error && error.name === 'AddressError') return [chooseService];
  if (error instanceof Error && error.name === 'FolderNameError') return [openSetting(SETTINGS.folderName)];
  if (error instanceof Error && error.name === 'ProjectError') return [openSetting(SETTINGS.project)];
  if (!(error instanceof ServiceError)) return [];
  if (error.code?.startsWith(PROJECT_CODES) === true) return [openSetting(SETTINGS.project)];
  switch (error.kind) {
    case 'unauthorized':
      return [setToken];
    case 'unreachable':
    case 'invalidAnswer':
      return [chooseService];
    case 'tooLarge':
      return [{ label: l10n.t('Show What Is Pushed'), command: COMMANDS.showContents }];
    case 'notFound':
      return [{ label: l10n.t('Refresh'), command: COMMANDS.refresh }];
    case 'unsupported':
      return error.operation === 'listBrowsers' || error.operation === 'createBrowser'
        ? [{ label: l10n.t('Enter Browser Id'), command: COMMANDS.enterBrowser }]
        : [];
    default:
      return error.code === NO_BROWSER_CODE
        ? [
            {
              ...openSetting(SETTINGS.browserPath),
              // The settings of a machine have a page of their own there.
              inRemoteWindow: {
                command: 'workbench.action.openRemoteSettings',
                arguments: [{ query: SETTINGS.browserPath }],
              },
            },
            { label: l10n.t('How to Install One'), command: COMMANDS.installBrowser },
            chooseService,
          ]
        : [];
  }
}

/** What was looked for; `said` is the message of a service that sends no details of the search. */
function noBrowserSentence({ details }: ServiceError, said: string): string {
  const messages = (code: NoBrowserDetail['code']): string[] =>
    details.filter((detail) => detail.code === code).map(({ message }) => message ?? '');
  const [bySetting] = messages('named_by_setting');
  if (bySetting !== undefined) {
    return l10n.t(
      'No browser was found on this machine. "{0}", which the setting {1} names, is not an executable file.',
      bySetting,
      SETTINGS.browserPath,
    );
  }
  const [byVariable] = messages('named_by_variable');
  if (byVariable !== undefined) {
    return l10n.t(
      'No browser was found on this machine. "{0}", which the environment variable {1} names, is not an executable file.',
      byVariable,
      BROWSER_VARIABLE,
    );
  }
  const folders = messages('searched_folder');
  if (folders.length === 0) return l10n.t('No browser was found on this machine. {0}', said);
  return l10n.t(
    'No browser was found on this machine. Chromium, Chrome for Testing, Google Chrome, Microsoft Edge and Brave are neither in a folder of PATH nor in {0}.',
    shortened(folders.join(', '), QUOTED_LENGTH),
  );
}

/** What a service cannot do that does not have an operation of the interface, and what to do instead. */
function missingSentence(operation: string): string {
  const noFiles = l10n.t("This service gives no access to the files on a browser's machine.");
  const sentences = new Map([
    ['listBrowsers', l10n.t('This service does not list browsers. Enter the id of one.')],
    ['listProfiles', l10n.t('This service does not list profiles. Enter the id or the name of one.')],
    ['listExtensions', l10n.t('This service does not list stored extensions. Enter the id or the name of one.')],
    ['uploadExtension', l10n.t('This service stores no extensions. Push the extension to a browser instead.')],
    [
      'createBrowser',
      l10n.t('This service starts no browsers here. Start one as the service describes it, and enter its id.'),
    ],
    ['getBrowser', l10n.t('This service does not describe its browsers.')],
    ['screenshot', l10n.t('This service gives no pictures of a browser.')],
    ...['listFiles', 'uploadZip', 'writeFile'].map((name) => [name, noFiles] as const),
  ]);
  return sentences.get(operation) ?? l10n.t('This service does not have the operation "{0}".', operation);
}

function serviceSentence(error: ServiceError): string {
  const said = shortened(error.sentences.join(' '), QUOTED_LENGTH);
  const sentences: Record<ServiceError['kind'], string> = {
    unreachable: l10n.t('{0} Check the connection, the proxy settings and the address of the service.', said),
    timeout: l10n.t('{0} Try again; the log shows the request.', said),
    unauthorized: l10n.t('The service did not accept the token ({0}). Run "Sideload: Set Token…".', said),
    forbidden: l10n.t(
      'The service forbids this: {0} The token may lack the permission, or the plan of the account.',
      said,
    ),
    notFound: l10n.t('Not found: {0} It may have been deleted meanwhile: refresh the list, or check the id.', said),
    unsupported:
      error.operation === DEVTOOLS
        ? error.message
        : l10n.t('{0} It answered: {1}', missingSentence(error.operation), said),
    conflict: l10n.t('{0} Choose another name.', said),
    // An id or a name that was refused before any request has no status.
    badRequest: error.status === undefined ? said : l10n.t('The service refused the request: {0}', said),
    tooLarge: l10n.t(
      'The service refused the request as too large ({0}). Leave files out with the setting sideload.exclude.',
      said,
    ),
    rateLimited: l10n.t('Rate limit reached: {0} Try again later.', said),
    server:
      error.code === NO_BROWSER_CODE
        ? noBrowserSentence(error, error.message)
        : l10n.t('The service failed: {0} Try again; if it fails again, create another browser.', said),
    invalidAnswer: l10n.t('{0} Check the address of the service.', said),
  };
  return sentences[error.kind];
}
