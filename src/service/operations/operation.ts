import { expectNoContent } from '../decode/answer';
import type { Body, UploadProgress } from '../wire/body';
import type { HttpMethod, HttpResponse } from '../wire/http';

/** Parameters after the `?`; a nested record becomes `name[key]=value`, and what is undefined is left out. */
export type Query = Record<string, string | number | boolean | Record<string, string> | undefined>;

/** One operation of the interface, as it goes over the wire. */
export interface Operation<T> {
  /** As the interface names it, such as `uploadExtensionsToBrowser`. */
  name: string;
  method: HttpMethod;
  /** Segments of the path below the base address, not encoded. */
  path: readonly string[];
  query?: Query;
  body?: Body;
  /** Media type asked for; JSON when absent. */
  accept?: string;
  /** `long` for what makes the service start a browser or move an archive. */
  patience?: 'short' | 'long';
  /** Milliseconds that the operation takes by what it asks for, on top of the patience: a key held down, a wait for a pool. */
  worksMs?: number;
  /** A repeated GET or DELETE does no harm; everything else is sent once. */
  idempotent?: boolean;
  /** A 404 on a *repeated* attempt means that the first one worked although its answer was lost. */
  goneIsDone?: boolean;
  onProgress?: UploadProgress | undefined;
  /** Makes the result of a successful answer; throws a `DecodeError` when it is not of the interface. */
  read: (response: HttpResponse) => T;
}

/** A read: repeated after a passing fault. */
export function get<T>(
  name: string,
  path: readonly string[],
  read: (response: HttpResponse) => T,
  query?: Query,
): Operation<T> {
  return { name, method: 'GET', path, idempotent: true, read, ...(query ? { query } : {}) };
}

/** A deletion: repeated after a passing fault. */
export function remove(name: string, path: readonly string[]): Operation<void> {
  return { name, method: 'DELETE', path, accept: '*/*', idempotent: true, goneIsDone: true, read: expectNoContent };
}

/** A request with a JSON body and an answer that says no more than that it was done. Sent once. */
export function command(
  name: string,
  method: 'POST' | 'PUT',
  path: readonly string[],
  value: unknown,
): Operation<void> {
  return { name, method, path, body: { kind: 'json', value }, accept: '*/*', read: expectNoContent };
}
