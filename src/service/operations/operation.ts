import { bytesOf, expectNoContent } from '../decode/answer';
import type { Body, Content, FormFile, UploadProgress } from '../wire/body';
import { wireValue } from '../wire/fieldNames';
import type { HttpMethod, HttpResponse } from '../wire/http';

/** How many bytes a MiB has. */
export const MEBIBYTE = 1024 * 1024;

/** The longest answer with one small record, or with none, in bytes. */
export const RECORD_BYTES = MEBIBYTE;

/** The longest download that no caller has limited, in bytes: the service accepts archives of 50 MiB. */
export const DOWNLOAD_BYTES = 64 * MEBIBYTE;

/** Query parameters; a nested record becomes `name[key]=value`, and undefined ones are omitted. */
export type Query = Record<string, string | number | boolean | Record<string, string> | undefined>;

/** One operation of the interface. */
export interface Operation<T> {
  /** Its name in the interface, such as `uploadExtensionsToBrowser`. */
  name: string;
  method: HttpMethod;
  /** Segments of the path below the base URL, not encoded. */
  path: readonly string[];
  query?: Query;
  body?: Body;
  /** The accepted media type; JSON by default. */
  accept?: string;
  /** `long` for operations that start a browser or transfer an archive. */
  timeLimit?: 'short' | 'long';
  /** Milliseconds that the requested work itself takes, added to the time limit: a key held down, a wait for a pool. */
  durationMs?: number;
  /** The longest successful answer, in bytes; `RECORD_BYTES` by default. */
  maxBytes?: number;
  /** Whether it may be sent again, as GET and DELETE; everything else is sent once. */
  idempotent?: boolean;
  /**
   * A 404 means that the service does not have the operation, for example because its path names no resource that could be missing. A message that
   * names what the path is about says otherwise.
   */
  notFoundIsMissing?: boolean;
  /** A 404 on a *repeated* attempt means that the first one succeeded although its response was lost. */
  notFoundIsDone?: boolean;
  onProgress?: UploadProgress | undefined;
  /** Ends it, with its reason. */
  signal?: AbortSignal | undefined;
  /** Decodes a successful response; throws a `DecodeError`, or rejects with it, when it does not conform to the interface. */
  read: (response: HttpResponse) => T | Promise<T>;
}

/** A read, which is retried after a transient failure. */
export function get<T>(
  name: string,
  path: readonly string[],
  read: (response: HttpResponse) => T | Promise<T>,
  query?: Query,
): Operation<T> {
  return { name, method: 'GET', path, idempotent: true, read, ...(query ? { query } : {}) };
}

/** A deletion, which is retried after a transient failure. */
export function remove(name: string, path: readonly string[]): Operation<void> {
  return { name, method: 'DELETE', path, accept: '*/*', idempotent: true, notFoundIsDone: true, read: expectNoContent };
}

/** A JSON body with the names of the interface. */
function jsonBody(value: unknown): Body {
  return { kind: 'json', value: wireValue(value) };
}

/** A request with a JSON body. Sent once. */
export function send<T>(
  name: string,
  method: 'POST' | 'PUT' | 'PATCH',
  path: readonly string[],
  value: unknown,
  read: (response: HttpResponse) => T | Promise<T>,
): Operation<T> {
  return { name, method, path, body: jsonBody(value), read };
}

/** A request with a JSON body and an empty response. Sent once. */
export function command(
  name: string,
  method: 'POST' | 'PUT',
  path: readonly string[],
  value: unknown,
): Operation<void> {
  return { ...send(name, method, path, value, expectNoContent), accept: '*/*' };
}

/** An archive in a form. */
export function zipPart(name: string, fileName: string, content: Content): FormFile {
  return { name, fileName, content, contentType: 'application/zip' };
}

/** A request that sends files, with an empty response. Sent once. */
export function upload(name: string, method: 'POST' | 'PUT', path: readonly string[], body: Body): Operation<void> {
  return { name, method, path, body, accept: '*/*', timeLimit: 'long', read: expectNoContent };
}

/** A read of a file of at most `maxBytes`. */
export function download(
  name: string,
  path: readonly string[],
  query?: Query,
  maxBytes = DOWNLOAD_BYTES,
): Operation<Uint8Array> {
  return { ...get(name, path, bytesOf, query), accept: 'application/octet-stream', timeLimit: 'long', maxBytes };
}
