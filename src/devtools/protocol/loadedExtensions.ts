import * as l10n from '@vscode/l10n';
import { textField } from '../../base/fields';
import { type Connection, DevToolsError, type Protocol } from './connect';
import { LoadRefusedError } from './loadRefused';

/** The browser's error for a command that it does not know or does not support on this connection. */
const METHOD_MISSING = /wasn't found|[Mm]ethod not available|not allowed/;

/** An extension as the browser knows it; `path` is the folder it was loaded from, on the browser's machine. */
export type LoadedExtension = Protocol.Extensions.ExtensionInfo;

/**
 * The unpacked and other extensions of the browser's profile, disabled ones included.
 * @throws DevToolsError when the browser does not support it
 */
export async function listExtensions(connection: Connection): Promise<LoadedExtension[]> {
  try {
    const { extensions } = await connection.send('Extensions.getExtensions');
    return extensions.map(({ id, name, version, path, enabled }) => ({ id, name, version, path, enabled }));
  } catch (cause) {
    throw METHOD_MISSING.test(refusalOf(cause) ?? '') ? missingError() : cause;
  }
}

/**
 * Loads the folder `path` of the browser's machine, or reloads it when it is loaded already: same id, storage and web tabs kept, a
 * new worker. Resolves to the extension's id before the new worker has started.
 * @throws LoadRefusedError
 */
export async function loadUnpacked(connection: Connection, path: string): Promise<string> {
  try {
    const { id } = await connection.send('Extensions.loadUnpacked', { path });
    return id;
  } catch (cause) {
    const text = refusalOf(cause);
    if (text === undefined) throw cause;
    throw METHOD_MISSING.test(text) ? missingError() : new LoadRefusedError(text);
  }
}

/**
 * Uninstalls an extension with its storage, until a folder on the command line loads it again. Extensions that DevTools has not loaded last are left
 * unchanged (C-UNINSTALL-LOADED).
 */
export async function uninstall(connection: Connection, id: string): Promise<void> {
  try {
    await connection.send('Extensions.uninstall', { id });
  } catch (cause) {
    if (refusalOf(cause) === undefined) throw cause;
  }
}

/** The browser's own text, when it answered the command with an error (and not when the connection was lost). */
function refusalOf(cause: unknown): string | undefined {
  const text = cause instanceof Error ? textField(cause, 'originalMessage') : '';
  return text === '' || text === 'Target closed' ? undefined : text;
}

function missingError(): DevToolsError {
  return new DevToolsError(l10n.t('its DevTools cannot load extensions (Chromium 149 or newer can)'));
}
