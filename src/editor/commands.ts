import * as l10n from '@vscode/l10n';
import { commands, Disposable } from 'vscode';
import type { CommandId } from '../ids';
import { ServiceError } from '../service/errors';
import type { Log } from './log';
import { sentenceFor, waysOutOf } from './messages';
import { showErrorWithWaysOut } from './waysOut';

/** What a command does. Its argument is a tree row when it was run on one; otherwise it can be anything. */
export type Handler = (argument?: unknown) => unknown;

export interface CommandsOptions {
  log: Log;
  /** Called when something turned out to no longer exist. */
  refresh: () => unknown;
}

/**
 * Registers a handler for every command. Only this wrapper catches all errors: one with a message for the user is shown, with the
 * next step as a button; an unexpected one is logged with its stack.
 */
export function registerCommands(handlers: Record<CommandId, Handler>, options: CommandsOptions): Disposable {
  return Disposable.from(
    ...Object.entries(handlers).map(([id, handler]) =>
      commands.registerCommand(id, async (argument?: unknown) => {
        try {
          return await handler(argument);
        } catch (error) {
          reportFailure(error, id, options);
          return undefined;
        }
      }),
    ),
  );
}

/** Logs and shows the error that something has ended with which the user has started; `id` says what it was. */
export function reportFailure(error: unknown, id: string, { log, refresh }: CommandsOptions): void {
  const sentence = sentenceFor(error);
  log.error(`${id}: ${sentence ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))}`);
  if (error instanceof ServiceError && error.kind === 'notFound') void refresh();
  const text = sentence ?? l10n.t('Unexpected error. See the log.');
  // The notification stays until the user closes it; the command itself has ended.
  void showErrorWithWaysOut(text, waysOutOf(error));
}
