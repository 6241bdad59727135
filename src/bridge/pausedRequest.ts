import { fieldOf } from '../base/fields';

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
 * Reads a `Fetch.requestPaused` event; undefined for one without an id or an address. Chromium 156 gives a file of the browser's machine as an
 * entry of `postDataEntries` without bytes.
 */
export function pausedRequestOf(params: unknown): PausedRequest | undefined {
  const requestId = fieldOf(params, 'requestId');
  const request = fieldOf(params, 'request');
  const address = fieldOf(request, 'url');
  if (typeof requestId !== 'string' || typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const entries: unknown[] = [fieldOf(request, 'postDataEntries') ?? []].flat();
  const parts = entries.map((entry) => fieldOf(entry, 'bytes'));
  const bytes = parts.flatMap((part) => (typeof part === 'string' ? [Buffer.from(part, 'base64')] : []));
  const headers = Object.entries(fieldOf(request, 'headers') ?? {});
  return {
    requestId,
    method: text(fieldOf(request, 'method')),
    url: new URL(address),
    headers: new Map(headers.map(([name, value]) => [name.toLowerCase(), String(value)])),
    frameId: text(fieldOf(params, 'frameId')),
    resourceType: text(fieldOf(params, 'resourceType')),
    body: fieldOf(request, 'hasPostData') === true || parts.length > 0 ? Buffer.concat(bytes) : undefined,
    hasFile: bytes.length < parts.length,
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
