import * as l10n from '@vscode/l10n';
import { commands, Disposable, Uri, type Extension } from 'vscode';
import { fieldOf, listField, optionalText } from '../base/fields';
import type { CommandId } from '../ids';
import { ServiceError } from '../service/serviceErrors';
import type { Failures } from './failures';
import { showInformation } from './notify';

/** What a command does. Its argument is a tree row when it was run on one; otherwise it can be anything. */
export type Handler = (argument?: unknown) => unknown;

export interface CommandsOptions {
  failures: Failures;
  /** Called when something turned out to no longer exist. */
  refresh: () => unknown;
  /** Sideload itself, whose `package.json` has the menus of the commands. */
  extension: Extension<unknown>;
}

/**
 * Registers a handler for every command. Only this wrapper catches all errors: one with a message for the user is shown, with the
 * next step as a button; an unexpected one is logged with its stack.
 */
export function registerCommands(
  handlers: Record<CommandId, Handler>,
  { failures, refresh, extension }: CommandsOptions,
): Disposable {
  const aboveViews = commandsAboveViews(extension.packageJSON);
  return Disposable.from(
    ...Object.entries(handlers).map(([id, handler]) =>
      commands.registerCommand(id, async (...args: readonly unknown[]) => {
        try {
          failures.forget(id);
          if (aboveViews.has(id) && isOfFocus(args)) return await handler();
          if (isOfForgottenRow(args)) {
            showInformation(l10n.t('Nothing was done: VS Code was drawing this row again. Run the command once more.'));
            return undefined;
          }
          return await handler(args[0]);
        } catch (error) {
          if (error instanceof ServiceError && error.kind === 'notFound') void refresh();
          failures.report(error, id);
          return undefined;
        }
      }),
    ),
  );
}

/**
 * Whether a command comes from the button above a view, which passes the focused row if there is one, and the selected rows if there are several.
 * A row has the focus because it was looked at: nobody has chosen it for a command of the whole view. The menu of files passes a file in its place.
 */
function isOfFocus(args: readonly unknown[]): boolean {
  return args.length === 2 && !(args[0] instanceof Uri);
}

/**
 * Whether a menu has run a command on a row that VS Code no longer knew, as for a moment while it draws the row above. Menus of rows pass the row
 * and the selected ones, the latter undefined unless there are several. Nothing else passes two arguments that are undefined, but the buttons above
 * views.
 */
function isOfForgottenRow(args: readonly unknown[]): boolean {
  return args.length === 2 && args.every((arg) => arg === undefined);
}

/** The ids of the commands of the buttons above views, by Sideload's `package.json`. */
function commandsAboveViews(manifest: unknown): ReadonlySet<string | undefined> {
  const menus = fieldOf(fieldOf(manifest, 'contributes'), 'menus');
  return new Set(listField(menus, 'view/title').map((entry) => optionalText(entry, 'command')));
}
