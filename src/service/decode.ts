import type { BrowserSession, ErrorBody, ErrorDetail, FileInfo, Profile, StoredExtension, Viewport } from './model';

/** Foreign data did not have the shape of the interface; the message names the field. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

type Fields = Record<string, unknown>;

/** `value` as a JSON object; `where` names it in the error. */
function object(value: unknown, where: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DecodeError(`${where} should be an object but is ${kindOf(value)}`);
  }
  return value as Fields;
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

function text(fields: Fields, name: string, where: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new DecodeError(`${where}.${name} should be a string but is ${kindOf(value)}`);
  return value;
}

function number(fields: Fields, name: string, where: string): number {
  const value = fields[name];
  if (typeof value !== 'number') throw new DecodeError(`${where}.${name} should be a number but is ${kindOf(value)}`);
  return value;
}

function flag(fields: Fields, name: string, where: string): boolean {
  const value = fields[name];
  if (typeof value !== 'boolean')
    throw new DecodeError(`${where}.${name} should be true or false but is ${kindOf(value)}`);
  return value;
}

/** Reads a field that may be absent or null; the result leaves such a field out. */
function optional<K extends string, T>(
  fields: Fields,
  name: K,
  where: string,
  read: (fields: Fields, name: string, where: string) => T,
): Partial<Record<K, T>> {
  const value = fields[name];
  if (value === undefined || value === null) return {};
  const result: Partial<Record<K, T>> = {};
  result[name] = read(fields, name, where);
  return result;
}

/** A list whose items `item` reads; the error names the index. */
export function decodeList<T>(value: unknown, where: string, item: (value: unknown, where: string) => T): T[] {
  if (!Array.isArray(value)) throw new DecodeError(`${where} should be a list but is ${kindOf(value)}`);
  return value.map((entry: unknown, index) => item(entry, `${where}[${index}]`));
}

export function decodeProfile(value: unknown, where = 'profile'): Profile {
  const fields = object(value, where);
  return {
    id: text(fields, 'id', where),
    created_at: text(fields, 'created_at', where),
    ...optional(fields, 'name', where, text),
    ...optional(fields, 'updated_at', where, text),
    ...optional(fields, 'last_used_at', where, text),
  };
}

function viewport(fields: Fields, name: string, where: string): Viewport {
  const inner = `${where}.${name}`;
  const size = object(fields[name], inner);
  return {
    width: number(size, 'width', inner),
    height: number(size, 'height', inner),
    ...optional(size, 'refresh_rate', inner, number),
  };
}

function tags(fields: Fields, name: string, where: string): Record<string, string> {
  const inner = `${where}.${name}`;
  const entries = object(fields[name], inner);
  return Object.fromEntries(Object.keys(entries).map((key) => [key, text(entries, key, inner)]));
}

export function decodeBrowserSession(value: unknown, where = 'browser'): BrowserSession {
  const fields = object(value, where);
  return {
    session_id: text(fields, 'session_id', where),
    created_at: text(fields, 'created_at', where),
    cdp_ws_url: text(fields, 'cdp_ws_url', where),
    webdriver_ws_url: optional(fields, 'webdriver_ws_url', where, text).webdriver_ws_url ?? '',
    headless: flag(fields, 'headless', where),
    stealth: optional(fields, 'stealth', where, flag).stealth ?? false,
    timeout_seconds: number(fields, 'timeout_seconds', where),
    ...optional(fields, 'browser_live_view_url', where, text),
    ...optional(fields, 'deleted_at', where, text),
    ...optional(fields, 'name', where, text),
    ...optional(fields, 'tags', where, tags),
    ...optional(fields, 'profile', where, (all, name, place) => decodeProfile(all[name], `${place}.${name}`)),
    ...optional(fields, 'viewport', where, viewport),
    ...optional(fields, 'kiosk_mode', where, flag),
    ...optional(fields, 'start_url', where, text),
  };
}

export function decodeStoredExtension(value: unknown, where = 'extension'): StoredExtension {
  const fields = object(value, where);
  return {
    id: text(fields, 'id', where),
    created_at: text(fields, 'created_at', where),
    size_bytes: number(fields, 'size_bytes', where),
    ...optional(fields, 'name', where, text),
    ...optional(fields, 'last_used_at', where, text),
    ...optional(fields, 'checksum', where, text),
  };
}

export function decodeFileInfo(value: unknown, where = 'file'): FileInfo {
  const fields = object(value, where);
  return {
    name: text(fields, 'name', where),
    path: text(fields, 'path', where),
    is_dir: flag(fields, 'is_dir', where),
    size_bytes: number(fields, 'size_bytes', where),
    mod_time: text(fields, 'mod_time', where),
    mode: text(fields, 'mode', where),
  };
}

function decodeErrorDetail(value: unknown): ErrorDetail | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { code, message } = value as Fields;
  const detail: ErrorDetail = {};
  if (typeof code === 'string') detail.code = code;
  if (typeof message === 'string') detail.message = message;
  return detail.code === undefined && detail.message === undefined ? undefined : detail;
}

/**
 * An error body as far as it has the interface's shape, or undefined when it has not. Never throws: an error about an error
 * would hide the first one. `code` may be missing, since the part of the service inside the browser's machine sends none.
 */
export function decodeErrorBody(value: unknown): Partial<ErrorBody> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { code, message, details, inner_error: inner } = value as Fields;
  if (typeof message !== 'string') return undefined;
  const innerError = decodeErrorDetail(inner);
  return {
    message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(Array.isArray(details)
      ? { details: details.map(decodeErrorDetail).filter((detail) => detail !== undefined) }
      : {}),
    ...(innerError ? { inner_error: innerError } : {}),
  };
}
