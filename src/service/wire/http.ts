import type { Body, UploadProgress } from './body';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One HTTP request. */
export interface HttpRequest {
  method: HttpMethod;
  /** Absolute URL, with query. */
  url: URL;
  headers: Record<string, string>;
  body?: Body;
  /** The longest body of a successful answer, in bytes. */
  maxBytes: number;
  /** Whether nothing of that body is needed: then its status alone counts, also when the connection ends within the body. */
  mayBreakOff?: boolean;
  signal: AbortSignal;
  /** Called when the connection has accepted bytes of the body. */
  onSent?: UploadProgress;
}

/** A complete HTTP response; of an error, a long body is cut. */
export interface HttpResponse {
  status: number;
  /** Names in lower case; a repeated header is joined with a comma. */
  headers: Record<string, string>;
  bytes: Uint8Array;
}
