import type { Body, UploadProgress } from './body';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What goes over the wire, once. */
export interface HttpRequest {
  method: HttpMethod;
  /** Absolute address, with query. */
  url: URL;
  headers: Record<string, string>;
  body?: Body;
  signal: AbortSignal;
  /** Told whenever bytes of the body have been taken by the connection. */
  onSent?: UploadProgress;
}

/** A whole answer. */
export interface HttpResponse {
  status: number;
  /** Names in lower case; a repeated header is joined with a comma. */
  headers: Record<string, string>;
  bytes: Uint8Array;
}
