import type {
  AcquireBrowserRequest,
  CreateBrowserRequest,
  ReleaseBrowserRequest,
} from '../../../src/service/interface';
import { invalidInput } from '../../../src/local/httpErrors';
import {
  optionalFlag,
  optionalInteger,
  optionalText,
  requiredText,
  type JsonObject,
} from '../../../src/local/requestFields';
import { readCreateRequest, readStartUrl, readTags } from '../../../src/local/sessions/sessionRequest';

/** The settings of a pool's browsers, and their number; in the wire format of `browser_pool_config`. */
export interface PoolConfig extends Omit<CreateBrowserRequest, 'tags'> {
  size: number;
}

/** The largest size of a pool. The service's limit depends on the plan; this one on the machine. */
const MAX_POOL_SIZE = 20;
/** The default `timeout_seconds` of an acquired browser. */
const POOL_TIMEOUT_SECONDS = 600;
const NAME_PATTERN = /^[a-zA-Z0-9._-]{1,255}$/;
const MAX_ACQUIRE_SECONDS = 3600;

/** Validates the body of a create request; 400 names the first invalid field. */
export function readPoolConfig(fields: JsonObject): PoolConfig {
  const { tags: _tags, ...browser } = readCreateRequest({ ...fields, profile: withoutSaving(fields) });
  checkName(browser.name);
  return { timeout_seconds: POOL_TIMEOUT_SECONDS, ...browser, size: readSize(fields) ?? missingSize() };
}

/** Applies an update to a config: absent fields do not change, an empty `profile.id` or `start_url` removes the value. */
export function readPoolUpdate(fields: JsonObject, now: PoolConfig): PoolConfig {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
  const next = readPoolConfig({ ...now, ...given, ...(given['name'] === '' ? { name: now.name } : {}) });
  return next;
}

/** Validates the body of an acquire request. */
export function readAcquire(fields: JsonObject): AcquireBrowserRequest {
  const request: AcquireBrowserRequest = {};
  const seconds = optionalInteger(fields, 'acquire_timeout_seconds');
  if (seconds !== undefined) {
    if (seconds < 0 || seconds > MAX_ACQUIRE_SECONDS) {
      throw invalidInput(`"acquire_timeout_seconds" must be from 0 to ${MAX_ACQUIRE_SECONDS}.`);
    }
    request.acquire_timeout_seconds = seconds;
  }
  const name = optionalText(fields, 'name');
  if (name) request.name = name;
  const tags = readTags(fields);
  if (tags) request.tags = tags;
  const startUrl = readStartUrl(fields);
  if (startUrl !== undefined) request.start_url = startUrl;
  return request;
}

/** Validates the body of a release request; by default the browser is reused. */
export function readRelease(fields: JsonObject): Required<ReleaseBrowserRequest> {
  return { session_id: requiredText(fields, 'session_id'), reuse: optionalFlag(fields, 'reuse') ?? true };
}

/** Pools load their profile and never save it; `save_changes` is ignored, as by the service. */
function withoutSaving(fields: JsonObject): unknown {
  const profile = fields['profile'] ?? undefined;
  if (typeof profile !== 'object' || profile === null || Array.isArray(profile)) return profile;
  const { save_changes: _ignored, ...rest } = { save_changes: undefined, ...profile };
  return 'id' in rest && rest.id === '' && !('name' in rest && rest.name) ? undefined : rest;
}

function readSize(fields: JsonObject): number | undefined {
  const size = optionalInteger(fields, 'size');
  if (size !== undefined && (size < 1 || size > MAX_POOL_SIZE)) {
    throw invalidInput(`"size" must be from 1 to ${MAX_POOL_SIZE}.`);
  }
  return size;
}

function missingSize(): never {
  throw invalidInput('"size" is required.');
}

function checkName(name: string | undefined): void {
  if (name !== undefined && !NAME_PATTERN.test(name)) {
    throw invalidInput('A pool name is 1 to 255 letters, digits, dots, underscores and hyphens.');
  }
}
