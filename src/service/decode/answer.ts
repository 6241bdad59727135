import * as l10n from '@vscode/l10n';
import type { HttpResponse } from '../wire/http';
import { DecodeError } from './decodeFields';

/** The number of characters of a body that is not JSON in an error, enough to recognise the page of a proxy. */
const EXCERPT_LENGTH = 120;

/** The number of bytes of a body that is not JSON to make the excerpt from. */
const EXCERPT_BYTES = 16 * 1024;

/** The number of characters of a content type in an error. */
const TYPE_LENGTH = 100;

/** The eight bytes that every PNG begins with. */
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Removes credentials from a text. */
export type Clean = (text: string) => string;

/** The whole body is of another kind than expected; `describeBody` describes it. */
export class BodyError extends DecodeError {
  constructor() {
    super('the body is of another kind');
  }
}

/**
 * The JSON body of a response, whatever its content type.
 * @throws BodyError when the body is not JSON.
 */
export function jsonOf(response: HttpResponse): unknown {
  const value = parseJson(response);
  if (value === undefined) throw new BodyError();
  return value;
}

/** The JSON body of a response; undefined when it is not JSON. */
export function parseJson(response: HttpResponse): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(response.bytes)) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Validates an empty response. A web page is not accepted: it comes from an intermediary, such as the log-in page of a network, and the
 * service has not received the request.
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
 * @throws DecodeError when they do not have its signature.
 */
export function pngOf(response: HttpResponse): Uint8Array {
  if (PNG_SIGNATURE.some((byte, at) => response.bytes[at] !== byte)) {
    throw new DecodeError(l10n.t('the answer is not a PNG ({0}, {1} bytes)', typeOf(response), response.bytes.length));
  }
  return response.bytes;
}

/**
 * Describes an unexpected body, with an excerpt of its text. `clean` gets the text before it is cut, so that no part of a credential remains.
 */
export function describeBody(response: HttpResponse, clean: Clean): string {
  if (response.bytes.length === 0) return l10n.t('the answer has no body');
  const text = textOfPage(clean(new TextDecoder().decode(response.bytes.subarray(0, EXCERPT_BYTES))));
  const type = typeOf(response);
  const begin = text.slice(0, EXCERPT_LENGTH);
  if (parseJson(response) !== undefined) {
    return text === ''
      ? l10n.t('the answer is JSON of another shape ({0})', type)
      : l10n.t('the answer is JSON of another shape ({0}); it begins with "{1}"', type, begin);
  }
  if (isPage(response)) {
    return text === ''
      ? l10n.t('the answer is a web page; a log-in page or a proxy may have answered instead of the service')
      : l10n.t(
          'the answer is a web page that begins with "{0}"; a log-in page or a proxy may have answered instead of the service',
          begin,
        );
  }
  if (type.includes('json')) {
    return text === ''
      ? l10n.t('the answer is broken JSON ({0})', type)
      : l10n.t('the answer is broken JSON ({0}); it begins with "{1}"', type, begin);
  }
  return text === ''
    ? l10n.t('the answer is not JSON ({0})', type)
    : l10n.t('the answer is not JSON ({0}); it begins with "{1}"', type, begin);
}

/**
 * The text of a web page without its tags, scripts and styles; a script without an end goes on to the end. Any text may be given: the
 * time is linear in its length.
 */
function textOfPage(page: string): string {
  return page
    .replace(/<(script|style)\b.*?(?:<\/\1\s*>|$)/gis, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

function typeOf(response: HttpResponse): string {
  return response.headers['content-type']?.slice(0, TYPE_LENGTH) ?? l10n.t('no content type');
}

function isPage(response: HttpResponse): boolean {
  return response.headers['content-type']?.toLowerCase().startsWith('text/html') ?? false;
}
