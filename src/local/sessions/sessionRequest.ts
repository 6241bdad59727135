import {
  MAX_TIMEOUT_SECONDS,
  MEMORY_SIZES,
  MIN_TIMEOUT_SECONDS,
  REGIONS,
  UPLOAD_RESTART,
  UPLOAD_RESTARTS,
  type CreateBrowserRequest,
  type UploadRestart,
  type Viewport,
} from '../../service/interface';
import { invalidInput } from '../httpErrors';
import {
  objectList,
  optionalObject,
  optionalFlag,
  optionalInteger,
  optionalText,
  requiredInteger,
  textList,
  type JsonObject,
} from '../requestFields';

const MAX_START_URL_BYTES = 2048;
const MAX_TAGS = 50;
const MAX_NAME_LENGTH = 255;
const MAX_VIEWPORT_PX = 7680;

/** Validates the body of a create request; 400 names the first invalid field. Fields that only the cloud service supports are ignored. */
export function readCreateRequest(fields: JsonObject): CreateBrowserRequest {
  const request: CreateBrowserRequest = {};
  const name = optionalText(fields, 'name');
  if (name !== undefined && name.length > MAX_NAME_LENGTH) throw invalidInput('"name" is longer than 255 characters.');
  if (name) request.name = name;
  const headless = optionalFlag(fields, 'headless');
  if (headless !== undefined) request.headless = headless;
  const stealth = optionalFlag(fields, 'stealth');
  if (stealth !== undefined) request.stealth = stealth;
  const kiosk = optionalFlag(fields, 'kiosk_mode');
  if (kiosk !== undefined) request.kiosk_mode = kiosk;
  const startUrl = readStartUrl(fields);
  if (startUrl !== undefined) request.start_url = startUrl;
  const tags = readTags(fields);
  if (tags) request.tags = tags;
  const timeout = readTimeout(fields);
  if (timeout !== undefined) request.timeout_seconds = timeout;
  const viewport = readViewport(fields);
  if (viewport) request.viewport = viewport;
  const profile = optionalObject(fields, 'profile');
  if (profile) request.profile = readProfileChoice(profile);
  const extensions = objectList(fields, 'extensions').map((entry) => readReference(entry, 'extensions'));
  if (extensions.length > 0) request.extensions = extensions;
  checkCloudFields(fields);
  return request;
}

/** What only the cloud service has is ignored, but 400 as there when it cannot be meant. */
function checkCloudFields(fields: JsonObject): void {
  requireOneOf(fields, 'region', REGIONS);
  requireOneOf(fields, 'memory', MEMORY_SIZES);
  const network = optionalObject(fields, 'network');
  if (network) textList(network, 'private_hosts');
  const proxy = optionalObject(fields, 'proxy');
  const choices = ['mode', 'id', 'name'].filter((name) => proxy && optionalText(proxy, name));
  if (proxy && choices.length !== 1) throw invalidInput('"proxy" needs exactly one of mode, id and name.');
}

function requireOneOf<T extends string>(fields: JsonObject, name: string, values: readonly T[]): T | undefined {
  const value = optionalText(fields, name);
  const found = values.find((one) => one === value);
  if (value !== undefined && !found) throw invalidInput(`"${name}" must be ${values.join(' or ')}.`);
  return found;
}

/** What the query of an upload to a browser says of the restart; 400 for what there is not. */
export function readUploadRestart(query: JsonObject): UploadRestart | undefined {
  return requireOneOf(query, UPLOAD_RESTART, UPLOAD_RESTARTS);
}

/** `{id|name, save_changes?}` */
export function readProfileChoice(fields: JsonObject): NonNullable<CreateBrowserRequest['profile']> {
  const saveChanges = optionalFlag(fields, 'save_changes');
  return { ...readReference(fields, 'profile'), ...(saveChanges === undefined ? {} : { save_changes: saveChanges }) };
}

/** Tags, at most 50; `undefined` when the field is absent. */
export function readTags(fields: JsonObject): Record<string, string> | undefined {
  const tags = optionalObject(fields, 'tags');
  if (!tags) return undefined;
  const entries = Object.entries(tags).map(([key, value]): [string, string] => {
    if (typeof value !== 'string') throw invalidInput(`The tag "${key}" must be a string.`);
    return [key, value];
  });
  if (entries.length > MAX_TAGS) throw invalidInput(`At most ${MAX_TAGS} tags are possible.`);
  return Object.fromEntries(entries);
}

/** Width and height in pixels; `undefined` when the field is absent. */
export function readViewport(fields: JsonObject): Viewport | undefined {
  const given = optionalObject(fields, 'viewport');
  if (!given) return undefined;
  const [width, height] = [requiredInteger(given, 'width'), requiredInteger(given, 'height')];
  for (const side of [width, height]) {
    if (side < 1 || side > MAX_VIEWPORT_PX)
      throw invalidInput(`"viewport" sides must be 1 to ${MAX_VIEWPORT_PX} pixels.`);
  }
  const refreshRate = optionalInteger(given, 'refresh_rate');
  return { width, height, ...(refreshRate === undefined ? {} : { refresh_rate: refreshRate }) };
}

function readTimeout(fields: JsonObject): number | undefined {
  const seconds = optionalInteger(fields, 'timeout_seconds');
  if (seconds !== undefined && (seconds < MIN_TIMEOUT_SECONDS || seconds > MAX_TIMEOUT_SECONDS)) {
    throw invalidInput(`"timeout_seconds" must be from ${MIN_TIMEOUT_SECONDS} to ${MAX_TIMEOUT_SECONDS}.`);
  }
  return seconds;
}

/** An absolute URL; `undefined` when absent or empty. */
export function readStartUrl(fields: JsonObject): string | undefined {
  const url = optionalText(fields, 'start_url');
  if (url === undefined || url === '') return undefined;
  if (Buffer.byteLength(url) > MAX_START_URL_BYTES) throw invalidInput('"start_url" is longer than 2048 bytes.');
  if (!isUrl(url)) throw invalidInput('"start_url" must be a whole address, such as https://example.com/.');
  return url;
}

/** Whether `new URL` takes a text. `URL.canParse` does not say so: that of Node 20 is wrong once optimised. */
function isUrl(text: string): boolean {
  try {
    return new URL(text) instanceof URL;
  } catch {
    return false;
  }
}

function readReference(fields: JsonObject, what: string): { id?: string; name?: string } {
  const id = optionalText(fields, 'id');
  const name = optionalText(fields, 'name');
  if (id) return { id };
  if (name) return { name };
  throw invalidInput(`"${what}" needs an id or a name.`);
}
