import { fieldOf, listField, objectOf, optionalText, textField } from '../base/fields';
import { urlOf } from '../base/url';

/** Who asks for what, in a browser that waits for an answer. */
export interface PausedRequest {
  /** By which it is answered. */
  readonly requestId: string;
  readonly method: string;
  readonly url: URL;
  /** By name in lower case; values as node has them, with a character for each byte. */
  readonly headers: ReadonlyMap<string, string>;
  /** The frame, or the target of the worker. */
  readonly frameId: string;
  /** `Document` for what a page or frame shows. */
  readonly resourceType: string;
  /** Undefined when it has none. */
  readonly body: Buffer | undefined;
  /** Whether a part of the body is a file on the browser's machine, whose bytes the browser does not send. */
  readonly hasFile: boolean;
}

/**
 * Reads a `Fetch.requestPaused` event; undefined for one without an id or an address. A file of the browser's machine is an entry of
 * `postDataEntries` without bytes (C-FETCH-FILE).
 */
export function pausedRequestOf(params: unknown): PausedRequest | undefined {
  const requestId = optionalText(params, 'requestId');
  const request = fieldOf(params, 'request');
  const url = urlOf(textField(request, 'url'));
  if (requestId === undefined || !url) return undefined;
  const entries = listField(request, 'postDataEntries').map((entry) => optionalText(entry, 'bytes'));
  const bytes = entries.flatMap((entry) => (entry === undefined ? [] : [Buffer.from(entry, 'base64')]));
  const headers = Object.entries(objectOf(fieldOf(request, 'headers'))).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name.toLowerCase(), headerBytes(value)] as const] : [],
  );
  return {
    requestId,
    method: textField(request, 'method'),
    url,
    headers: new Map(headers),
    frameId: textField(params, 'frameId'),
    resourceType: textField(params, 'resourceType'),
    body: fieldOf(request, 'hasPostData') === true || entries.length > 0 ? Buffer.concat(bytes) : undefined,
    hasFile: bytes.length < entries.length,
  };
}

/** The value of a header as node has it, with a character for each byte; DevTools gives its text, which is UTF-8 on the wire (C-FETCH-HEADERS). */
export function headerBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** The text of a header's value. */
export function headerText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Whether an event source asks, or code that reads such a stream by itself: both have the type `XHR` (C-FETCH-EVENTS). */
export function isEventSource({ method, headers }: PausedRequest): boolean {
  return method === 'GET' && headers.get('accept') === 'text/event-stream';
}
