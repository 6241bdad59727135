import { fieldOf, listField, objectOf, optionalText, textField } from '../base/fields';

/** Who asks for what, in a browser that waits for an answer. */
export interface PausedRequest {
  /** By which it is answered. */
  readonly requestId: string;
  readonly method: string;
  readonly url: URL;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** The frame, or the target of the worker. */
  readonly frameId: string;
  /** `Document` for what a page or frame shows. */
  readonly resourceType: string;
  /** Undefined when it has none. */
  readonly body: Buffer | undefined;
  /** Whether a part of the body is a file on the browser's machine, whose bytes the browser does not tell. */
  readonly hasFile: boolean;
}

/**
 * Reads a `Fetch.requestPaused` event; undefined for one without an id or an address. A file of the browser's machine is an entry of
 * `postDataEntries` without bytes (C-FETCH-FILE).
 */
export function pausedRequestOf(params: unknown): PausedRequest | undefined {
  const requestId = optionalText(params, 'requestId');
  const request = fieldOf(params, 'request');
  const address = textField(request, 'url');
  if (requestId === undefined || !URL.canParse(address)) return undefined;
  const entries = listField(request, 'postDataEntries').map((entry) => optionalText(entry, 'bytes'));
  const bytes = entries.flatMap((entry) => (entry === undefined ? [] : [Buffer.from(entry, 'base64')]));
  const headers = Object.entries(objectOf(fieldOf(request, 'headers'))).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [],
  );
  return {
    requestId,
    method: textField(request, 'method'),
    url: new URL(address),
    headers: new Map(headers),
    frameId: textField(params, 'frameId'),
    resourceType: textField(params, 'resourceType'),
    body: fieldOf(request, 'hasPostData') === true || entries.length > 0 ? Buffer.concat(bytes) : undefined,
    hasFile: bytes.length < entries.length,
  };
}

/** Whether an event source asks, or code that reads such a stream by itself: both have the type `XHR` (C-FETCH-EVENTS). */
export function isEventSource({ method, headers }: PausedRequest): boolean {
  return method === 'GET' && headers.get('accept') === 'text/event-stream';
}
