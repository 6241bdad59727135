import { fieldOf, listField, optionalText, present, textsField } from '../../base/fields';
import type {
  BrowserPool,
  Browser,
  BrowserUsage,
  ConcurrencyLimits,
  FileInfo,
  NetworkConfig,
  PoolReference,
  Profile,
  ProxyChoice,
  StoredExtension,
  Viewport,
} from '../model';
import type { ErrorBody, ErrorDetail } from '../interface';
import {
  flag,
  lenient,
  listOf,
  nested,
  number,
  recordOf,
  optional,
  record,
  text,
  texts,
  type JsonObject,
} from './decodeFields';

// Each resource is validated field by field. A field of a wrong type is a `DecodeError` that names it, an optional field may also be null, and
// unknown fields are ignored.

/**
 * A profile; `where` names it in errors, as in the functions below.
 * @throws DecodeError
 */
export function decodeProfile(value: unknown, where = 'profile'): Profile {
  const fields = recordOf(value, where);
  return {
    id: text(fields, 'id', where),
    ...optional(fields, 'created_at', where, text),
    ...optional(fields, 'name', where, text),
    ...optional(fields, 'updated_at', where, text),
    ...optional(fields, 'last_used_at', where, text),
  };
}

function decodeViewport(value: unknown, where: string): Viewport {
  const fields = recordOf(value, where);
  return {
    width: number(fields, 'width', where),
    height: number(fields, 'height', where),
    ...optional(fields, 'refresh_rate', where, number),
  };
}

function decodePool(value: unknown, where: string): PoolReference {
  const fields = recordOf(value, where);
  return { id: text(fields, 'id', where), ...optional(fields, 'name', where, text) };
}

/**
 * A pool of browsers.
 * @throws DecodeError
 */
export function decodeBrowserPool(value: unknown, where = 'pool'): BrowserPool {
  const fields = recordOf(value, where);
  const extensions = extensionsOfPool(fields);
  return {
    ...decodePool(value, where),
    ...optional(fields, 'available_count', where, number),
    ...(extensions.length > 0 && { extensions }),
  };
}

/** What a pool's configuration names, and the ids that the service has found for it. Anything of another shape is left out. */
function extensionsOfPool(fields: JsonObject): string[] {
  const listed = listField(fields['browser_pool_config'], 'extensions');
  const named = listed.flatMap((entry) => ['id', 'name'].flatMap((name) => optionalText(entry, name) ?? []));
  return [...new Set([...named, ...textsField(fields, 'extension_ids')])];
}

function decodeProxy(value: unknown, where: string): ProxyChoice {
  const fields = recordOf(value, where);
  return {
    ...lenient(fields, 'mode', where, text),
    ...lenient(fields, 'id', where, text),
    ...lenient(fields, 'name', where, text),
  };
}

function decodeNetwork(value: unknown, where: string): NetworkConfig {
  const { private_hosts: hosts } = recordOf(value, where);
  if (hosts === undefined || hosts === null) return {};
  const inner = `${where}.private_hosts`;
  return { privateHosts: listOf(hosts, inner, (host, at) => text({ host }, 'host', at)) };
}

/**
 * The limits of an account.
 * @throws DecodeError
 */
export function decodeAccountLimits(value: unknown, where = 'limits'): ConcurrencyLimits {
  const fields = recordOf(value, where);
  const { maxConcurrentSessions: account } = optional(fields, 'max_concurrent_sessions', where, number);
  const { defaultProjectMaxConcurrentSessions: perProject } = optional(
    fields,
    'default_project_max_concurrent_sessions',
    where,
    number,
  );
  return { ...(account === undefined ? {} : { account }), ...(perProject === undefined ? {} : { perProject }) };
}

/**
 * The most browsers of a project at the same time; undefined where it has no limit of its own.
 * @throws DecodeError
 */
export function decodeProjectLimit(value: unknown, where = 'limits'): number | undefined {
  return optional(recordOf(value, where), 'max_concurrent_sessions', where, number).maxConcurrentSessions;
}

function decodeUsage(value: unknown, where: string): BrowserUsage {
  return { uptimeMs: number(recordOf(value, where), 'uptime_ms', where) };
}

/** The session's identifier; the interface document names only the path parameter `id`. */
function sessionId(fields: JsonObject, where: string): string {
  return fields['session_id'] === undefined && typeof fields['id'] === 'string'
    ? fields['id']
    : text(fields, 'session_id', where);
}

/**
 * A session. Only its identifier is required; without a DevTools address that is empty.
 * @throws DecodeError
 */
export function decodeBrowser(value: unknown, where = 'browser'): Browser {
  const fields = recordOf(value, where);
  return {
    id: sessionId(fields, where),
    devToolsUrl: optional(fields, 'cdp_ws_url', where, text).cdpWsUrl ?? '',
    ...optional(fields, 'created_at', where, text),
    ...optional(fields, 'webdriver_ws_url', where, text, 'webDriverUrl'),
    ...optional(fields, 'headless', where, flag),
    ...optional(fields, 'stealth', where, flag),
    ...optional(fields, 'timeout_seconds', where, number),
    ...optional(fields, 'browser_live_view_url', where, text, 'liveViewUrl'),
    ...optional(fields, 'base_url', where, text),
    ...optional(fields, 'deleted_at', where, text),
    ...optional(fields, 'name', where, text),
    ...optional(fields, 'tags', where, texts),
    ...optional(fields, 'profile', where, nested(decodeProfile)),
    ...optional(fields, 'viewport', where, nested(decodeViewport)),
    ...optional(fields, 'kiosk_mode', where, flag),
    ...optional(fields, 'gpu', where, flag),
    ...optional(fields, 'start_url', where, text),
    ...optional(fields, 'proxy_id', where, text),
    ...lenient(fields, 'proxy', where, nested(decodeProxy)),
    ...lenient(fields, 'region', where, text),
    ...lenient(fields, 'memory', where, text),
    ...lenient(fields, 'network', where, nested(decodeNetwork)),
    ...lenient(fields, 'profile_save_changes', where, flag),
    ...optional(fields, 'pool', where, nested(decodePool)),
    ...optional(fields, 'usage', where, nested(decodeUsage)),
    ...lenient(fields, 'usage_status', where, text),
    ...optional(fields, 'telemetry', where, record),
    ...optional(fields, 'chrome_policy', where, record),
  };
}

/**
 * The record of a stored extension.
 * @throws DecodeError
 */
export function decodeStoredExtension(value: unknown, where = 'extension'): StoredExtension {
  const fields = recordOf(value, where);
  return {
    id: text(fields, 'id', where),
    ...optional(fields, 'created_at', where, text),
    ...optional(fields, 'size_bytes', where, number),
    ...optional(fields, 'name', where, text),
    ...optional(fields, 'last_used_at', where, text),
    ...optional(fields, 'checksum', where, text),
  };
}

/**
 * One entry of a folder; all of its fields are required.
 * @throws DecodeError
 */
export function decodeFileInfo(value: unknown, where = 'file'): FileInfo {
  const fields = recordOf(value, where);
  return {
    name: text(fields, 'name', where),
    path: text(fields, 'path', where),
    isFolder: flag(fields, 'is_dir', where),
    sizeBytes: number(fields, 'size_bytes', where),
    modifiedAt: text(fields, 'mod_time', where),
    mode: text(fields, 'mode', where),
  };
}

/** The number of details of an error that are read; the first ones say what is wrong. */
const MOST_DETAILS = 20;

function decodeErrorDetail(value: unknown): ErrorDetail | undefined {
  const [code, message] = [optionalText(value, 'code'), optionalText(value, 'message')];
  if (code === undefined && message === undefined) return undefined;
  return present({ code, message });
}

/**
 * The parts of an error body that have the interface's shape; undefined when it has none. Never throws, since that would hide the original
 * error. Of the details the first 20 are read. `code` is optional, because the part of the service inside the browser's machine sends none.
 */
export function decodeErrorBody(value: unknown): Partial<ErrorBody> | undefined {
  const [code, message] = [optionalText(value, 'code'), optionalText(value, 'message')];
  if (message === undefined) return undefined;
  const given = fieldOf(value, 'details');
  const details = Array.isArray(given)
    ? given.slice(0, MOST_DETAILS).flatMap((one) => decodeErrorDetail(one) ?? [])
    : undefined;
  return { message, ...present({ code, details, inner_error: decodeErrorDetail(fieldOf(value, 'inner_error')) }) };
}
