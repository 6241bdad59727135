import type { HttpResponse } from '../wire/http';
import { DecodeError } from './fields';

/** The first characters of a body that is not JSON, shown so that a proxy's page can be recognised. */
const EXCERPT_LENGTH = 120;

/** Of a body that is not JSON no more than this is looked at, in bytes. */
const LOOKED_AT_BYTES = 16 * 1024;

/** The eight bytes that every PNG begins with. */
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Takes credentials out of a text. */
export type Clean = (text: string) => string;

/** The body as a whole is something else; `describeBody` says what. */
export class BodyError extends DecodeError {
  constructor() {
    super('the body is of another kind');
  }
}

/**
 * The JSON of an answer, whatever its content type says.
 * @throws BodyError when the body is not JSON.
 */
export function jsonOf(response: HttpResponse): unknown {
  const value = parseJson(response);
  if (value === undefined) throw new BodyError();
  return value;
}

/** The JSON of an answer, or undefined when its body is not JSON. */
export function parseJson(response: HttpResponse): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(response.bytes)) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * The end of an operation that answers with no content. A web page is no such answer: it comes from something between, such
 * as the log-in page of a network, and the service has not seen the request.
 * @throws BodyError
 */
export function expectNoContent(response: HttpResponse): void {
  if (isPage(response) && response.bytes.length > 0) throw new BodyError();
}

/**
 * The bytes of a download.
 * @throws BodyError when it is a web page.
 */
export function bytesOf(response: HttpResponse): Uint8Array {
  if (isPage(response)) throw new BodyError();
  return response.bytes;
}

/**
 * The bytes of a PNG.
 * @throws DecodeError when they do not begin like one.
 */
export function pngOf(response: HttpResponse): Uint8Array {
  if (PNG_SIGNATURE.some((byte, at) => response.bytes[at] !== byte)) {
    throw new DecodeError(`the answer is not a PNG (${typeOf(response)}, ${response.bytes.length} bytes)`);
  }
  return response.bytes;
}

/**
 * What a body is that is not what was expected, with its beginning in words. `clean` sees the text before it is cut, so that
 * no half of a credential stays.
 */
export function describeBody(response: HttpResponse, clean: Clean): string {
  if (response.bytes.length === 0) return 'the answer has no body';
  const text = clean(new TextDecoder().decode(response.bytes.subarray(0, LOOKED_AT_BYTES)))
    .replace(/<(script|style)\b.*?<\/\1\s*>/gis, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const begins = text === '' ? '' : `; it begins with "${text.slice(0, EXCERPT_LENGTH)}"`;
  return `the answer is ${kindOf(response)} (${typeOf(response)})${begins}`;
}

function kindOf(response: HttpResponse): string {
  if (parseJson(response) !== undefined) return 'JSON of another shape';
  return typeOf(response).includes('json') ? 'broken JSON' : 'not JSON';
}

function typeOf(response: HttpResponse): string {
  return response.headers['content-type'] ?? 'no content type';
}

function isPage(response: HttpResponse): boolean {
  return typeOf(response).toLowerCase().startsWith('text/html');
}
