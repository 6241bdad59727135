import type { AcquireBrowserRequest, CreateBrowserRequest, ReleaseBrowserRequest } from '../../service/model';
import { invalidInput } from '../errors';
import { optionalFlag, optionalInteger, optionalText, requiredText, type Fields } from '../fields';
import { readCreateRequest, readStartUrl, readTags } from '../sessions/sessionRequest';

/** What all browsers of a pool are, and how many there are. As the wire has it under `browser_pool_config`. */
export interface PoolConfig extends Omit<CreateBrowserRequest, 'tags'> {
  size: number;
}

/** Most browsers of one pool. The service's limit is a matter of the plan; here it is a matter of the machine. */
export const MAX_POOL_SIZE = 20;
/** How long a browser of a pool may be left alone after it was acquired, when the pool names no other time. */
const POOL_TIMEOUT_SECONDS = 600;
const NAME_PATTERN = /^[a-zA-Z0-9._-]{1,255}$/;
const MAX_ACQUIRE_SECONDS = 3600;

/** Reads the body of a create request; 400 names the first wrong field. */
export function readPoolConfig(fields: Fields): PoolConfig {
  const { tags: _tags, ...browser } = readCreateRequest({ ...fields, profile: withoutSaving(fields) });
  checkName(browser.name);
  return { timeout_seconds: POOL_TIMEOUT_SECONDS, ...browser, size: readSize(fields) ?? missingSize() };
}

/** Reads an update on top of what a pool is: fields that are absent stay, empty ones of `profile.id` and `start_url` clear. */
export function readPoolUpdate(fields: Fields, now: PoolConfig): PoolConfig {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
  const next = readPoolConfig({ ...now, ...given, ...(given['name'] === '' ? { name: now.name } : {}) });
  return next;
}

/** Reads what the next browser of a pool is asked to be, and how long to wait for it. */
export function readAcquire(fields: Fields): AcquireBrowserRequest {
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

/** Reads which browser goes back, and whether it is used again (it is, unless told otherwise). */
export function readRelease(fields: Fields): Required<ReleaseBrowserRequest> {
  return { session_id: requiredText(fields, 'session_id'), reuse: optionalFlag(fields, 'reuse') ?? true };
}

/** Pools load their profile and never write it back; a wish to save is ignored, as the service does. */
function withoutSaving(fields: Fields): unknown {
  const profile = fields['profile'] ?? undefined;
  if (typeof profile !== 'object' || profile === null || Array.isArray(profile)) return profile;
  const { save_changes: _ignored, ...rest } = { save_changes: undefined, ...profile };
  return 'id' in rest && rest.id === '' && !('name' in rest && rest.name) ? undefined : rest;
}

function readSize(fields: Fields): number | undefined {
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
