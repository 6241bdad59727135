import type { Translate } from '../chromium/sharedPipe';
import { isJsonObject, type JsonObject } from '../requestFields';
import type { Jail } from '../files/jail';

/** A command as the browser gets it, and how to change its response for the client. */
export interface TranslatedCommand {
  command: unknown;
  translate?: Translate;
}

/**
 * Translates paths between a client, which uses the paths of the service's machines, and the browser on this machine: those of the
 * `Extensions` domain, and of files that are given to a page. All other commands and responses stay as they are. Throws for a path with a null character.
 */
export function translatePaths(command: unknown, jail: Jail): TranslatedCommand {
  const method = isJsonObject(command) ? command['method'] : undefined;
  if (!isJsonObject(command) || typeof method !== 'string') return { command };
  if (method === 'DOM.setFileInputFiles') return { command: withRealFiles(command, jail) };
  if (!method.startsWith('Extensions.')) return { command };
  const translate: Translate = (response) => toClient(response, jail);
  const { params } = command;
  if (method !== 'Extensions.loadUnpacked' || !isJsonObject(params)) return { command, translate };
  const { path } = params;
  if (typeof path !== 'string' || !isBelow(jail.extensionsRoot, path)) return { command, translate };
  return { command: { ...command, params: { ...params, path: jail.real(path) } }, translate };
}

function toClient(response: JsonObject, jail: Jail): JsonObject {
  return Object.fromEntries(Object.entries(response).map(([name, value]) => [name, rewritten(value, jail)]));
}

function rewritten(value: unknown, jail: Jail): unknown {
  if (typeof value === 'string') return jail.clientText(value);
  if (Array.isArray(value)) return value.map((item: unknown) => rewritten(item, jail));
  return isJsonObject(value) ? toClient(value, jail) : value;
}

/** Files that were not written by the service stay as they are: they are on this machine, where the client is, too. */
function withRealFiles(command: JsonObject, jail: Jail): JsonObject {
  const { params } = command;
  const files: unknown = isJsonObject(params) ? params['files'] : undefined;
  if (!isJsonObject(params) || !Array.isArray(files)) return command;
  const real = files.map((file: unknown) =>
    typeof file === 'string' && isBelow(jail.uploadsRoot, file) ? jail.real(file) : file,
  );
  return { ...command, params: { ...params, files: real } };
}

function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
