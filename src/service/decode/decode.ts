import { fieldOf, listField, optionalText, present, textsField } from '../../base/fields';
import type { BrowserPool, Browser, ConcurrencyLimits, FileInfo } from '../model';
import type { ErrorBody, ErrorDetail } from '../interface';
import {
  decoder,
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
  type FieldReader,
  type JsonObject,
} from './decodeFields';

// Each resource is validated field by field. A field of a wrong type is a `DecodeError` that names it, an optional field may also be null, and
// unknown fields are ignored.

/**
 * A profile.
 * @throws DecodeError
 */
export const decodeProfile = decoder('profile', {
  id: text,
  created_at: optional(text),
  name: optional(text),
  updated_at: optional(text),
  last_used_at: optional(text),
});

const decodeViewport = decoder('viewport', { width: number, height: number, refresh_rate: optional(number) });

const decodePool = decoder('pool', { id: text, name: optional(text) });

const decodeListedPool = decoder('pool', { id: text, name: optional(text), available_count: optional(number) });

/**
 * A pool of browsers.
 * @throws DecodeError
 */
export function decodeBrowserPool(value: unknown, where = 'pool'): BrowserPool {
  const extensions = extensionsOfPool(recordOf(value, where));
  return { ...decodeListedPool(value, where), ...(extensions.length > 0 && { extensions }) };
}

/** What a pool's configuration names, and the ids that the service has found for it. Anything of another shape is left out. */
function extensionsOfPool(fields: JsonObject): string[] {
  const listed = listField(fields['browser_pool_config'], 'extensions');
  const named = listed.flatMap((entry) => ['id', 'name'].flatMap((name) => optionalText(entry, name) ?? []));
  return [...new Set([...named, ...textsField(fields, 'extension_ids')])];
}

const decodeProxy = decoder('proxy', { mode: lenient(text), id: lenient(text), name: lenient(text) });

const hosts: FieldReader<string[]> = (fields, name, where) =>
  listOf(fields[name], `${where}.${name}`, (host, at) => text({ host }, 'host', at));

const decodeNetwork = decoder('network', { private_hosts: optional(hosts) });

const decodeLimits = decoder('limits', {
  max_concurrent_sessions: optional(number),
  default_project_max_concurrent_sessions: optional(number),
});

/**
 * The limits of an account.
 * @throws DecodeError
 */
export function decodeAccountLimits(value: unknown): ConcurrencyLimits {
  const { maxConcurrentSessions: account, defaultProjectMaxConcurrentSessions: perProject } = decodeLimits(value);
  return present({ account, perProject });
}

const decodeOwnLimit = decoder('limits', { max_concurrent_sessions: optional(number) });

/**
 * The most browsers of a project at the same time; undefined where it has no limit of its own.
 * @throws DecodeError
 */
export function decodeProjectLimit(value: unknown): number | undefined {
  return decodeOwnLimit(value).maxConcurrentSessions;
}

/** The session's identifier; the interface document names only the path parameter `id`. */
const sessionId: FieldReader<string> = (fields, name, where) =>
  fields[name] === undefined && typeof fields['id'] === 'string' ? fields['id'] : text(fields, name, where);

const decodeSession = decoder('browser', {
  session_id: sessionId,
  cdp_ws_url: optional(text),
  created_at: optional(text),
  webdriver_ws_url: optional(text),
  headless: optional(flag),
  stealth: optional(flag),
  timeout_seconds: optional(number),
  browser_live_view_url: optional(text),
  base_url: optional(text),
  deleted_at: optional(text),
  name: optional(text),
  tags: optional(texts),
  profile: optional(nested(decodeProfile)),
  viewport: optional(nested(decodeViewport)),
  kiosk_mode: optional(flag),
  gpu: optional(flag),
  start_url: optional(text),
  proxy_id: optional(text),
  proxy: lenient(nested(decodeProxy)),
  region: lenient(text),
  memory: lenient(text),
  network: lenient(nested(decodeNetwork)),
  profile_save_changes: lenient(flag),
  pool: optional(nested(decodePool)),
  usage: optional(nested(decoder('usage', { uptime_ms: number }))),
  usage_status: lenient(text),
  telemetry: optional(record),
  chrome_policy: optional(record),
  restart_optional: lenient(flag),
});

/**
 * A session. Only its identifier is required; without a DevTools address that is empty.
 * @throws DecodeError
 */
export function decodeBrowser(value: unknown, where?: string): Browser {
  const { sessionId: id, cdpWsUrl: devToolsUrl = '', ...session } = decodeSession(value, where);
  const { webdriverWsUrl: webDriverUrl, browserLiveViewUrl: liveViewUrl, ...others } = session;
  return { id, devToolsUrl, ...present({ webDriverUrl, liveViewUrl }), ...others };
}

/**
 * The record of a stored extension.
 * @throws DecodeError
 */
export const decodeStoredExtension = decoder('extension', {
  id: text,
  created_at: optional(text),
  size_bytes: optional(number),
  name: optional(text),
  last_used_at: optional(text),
  checksum: optional(text),
});

const decodeEntry = decoder('file', {
  name: text,
  path: text,
  is_dir: flag,
  size_bytes: number,
  mod_time: text,
  mode: text,
});

/**
 * One entry of a folder; all of its fields are required.
 * @throws DecodeError
 */
export function decodeFileInfo(value: unknown, where?: string): FileInfo {
  const { name, path, isDir: isFolder, sizeBytes, modTime: modifiedAt, mode } = decodeEntry(value, where);
  return { name, path, isFolder, sizeBytes, modifiedAt, mode };
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
