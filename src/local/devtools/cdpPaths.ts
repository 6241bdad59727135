import { EXTENSIONS_ROOT } from '../../service/model';
import type { Translate } from '../chromium/sharedPipe';
import { isJsonObject, type JsonObject } from '../fields';
import type { Jail } from '../files/jail';

/** A command as the browser gets it, and how to change its response for the client. */
export interface TranslatedCommand {
  command: unknown;
  translate?: Translate;
}

/**
 * Translates paths between a client, which uses the paths of the service's machines, and the browser on this machine. Only the
 * `Extensions` domain has paths; all other commands and responses stay as they are. Throws for a path with a null character.
 */
export function translatePaths(command: unknown, jail: Jail): TranslatedCommand {
  const method = isJsonObject(command) ? command['method'] : undefined;
  if (!isJsonObject(command) || typeof method !== 'string' || !method.startsWith('Extensions.')) return { command };
  const translate: Translate = (response) => toClient(response, jail);
  const { params } = command;
  if (method !== 'Extensions.loadUnpacked' || !isJsonObject(params)) return { command, translate };
  const { path } = params;
  if (typeof path !== 'string' || !isServicePath(path)) return { command, translate };
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

function isServicePath(path: string): boolean {
  return path === EXTENSIONS_ROOT || path.startsWith(`${EXTENSIONS_ROOT}/`);
}
