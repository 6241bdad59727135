import { l10n, type ExtensionContext } from 'vscode';
import type { SideloadApi } from './editor/agents/api';
import { registerCommands } from './editor/commandRegistry';
import { createLog } from './editor/channelLog';
import { createSideload } from './editor/sideload';
import { loadTexts } from './base/translations';

/** Called by VS Code when the extension is first needed. Composes and registers, and awaits nothing. Returns the API for other extensions. */
export function activate(context: ExtensionContext): SideloadApi {
  if (l10n.bundle) loadTexts(l10n.bundle);
  const log = createLog();
  const sideload = createSideload(context, log);
  context.subscriptions.push(
    registerCommands(sideload.handlers, { ...sideload, extension: context.extension }),
    sideload,
    // VS Code disposes in this order: the log comes last, because the others write to it.
    log,
  );
  return sideload.api;
}
