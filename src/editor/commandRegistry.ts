import { commands, Disposable } from 'vscode';
import type { CommandId } from '../ids';
import { ServiceError } from '../service/serviceErrors';
import type { Failures } from './failures';

/** What a command does. Its argument is a tree row when it was run on one; otherwise it can be anything. */
export type Handler = (argument?: unknown) => unknown;

export interface CommandsOptions {
  failures: Failures;
  /** Called when something turned out to no longer exist. */
  refresh: () => unknown;
}

/**
 * Registers a handler for every command. Only this wrapper catches all errors: one with a message for the user is shown, with the
 * next step as a button; an unexpected one is logged with its stack.
 */
export function registerCommands(
  handlers: Record<CommandId, Handler>,
  { failures, refresh }: CommandsOptions,
): Disposable {
  return Disposable.from(
    ...Object.entries(handlers).map(([id, handler]) =>
      commands.registerCommand(id, async (argument?: unknown) => {
        try {
          failures.forget(id);
          return await handler(argument);
        } catch (error) {
          if (error instanceof ServiceError && error.kind === 'notFound') void refresh();
          failures.report(error, id);
          return undefined;
        }
      }),
    ),
  );
}
