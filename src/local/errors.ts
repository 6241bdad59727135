import type { ErrorBody, ErrorDetail } from '../service/model';

/** An error that a client is meant to see: its status and the fields of the interface's Error body. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    /** Seconds to wait before another try; sent as `Retry-After`. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = 'ApiError';
  }

  /** The body as it goes over the wire. */
  body(): ErrorBody {
    const body: ErrorBody = { code: this.code, message: this.message };
    if (this.details.length > 0) body.details = [...this.details];
    return body;
  }
}

/** 400: the request as a whole makes no sense. */
export function badRequest(message: string, details: readonly ErrorDetail[] = []): ApiError {
  return new ApiError(400, 'bad_request', message, details);
}

/** 400 that names one wrong value in `details`, in the shape the interface document gives as its example. */
export function invalidInput(message: string): ApiError {
  return badRequest(message, [{ code: 'invalid_input', message }]);
}

/** 400 for extensions that Chromium does not load, with its reasons. */
export function refusedBy(details: readonly ErrorDetail[]): ApiError {
  return badRequest(`Chromium refused the extension: ${details[0]?.message ?? 'no reason given'}`, details);
}

/** 404 for a resource that is addressed by `id`. */
export function notFound(kind: string, id: string): ApiError {
  return new ApiError(404, 'not_found', `No ${kind} has the id or name "${id}".`);
}

/** 409: the name is taken. */
export function nameTaken(kind: string, name: string): ApiError {
  return new ApiError(409, 'conflict', `A ${kind} named "${name}" already exists.`);
}

/** 400 `resource_in_use`: the thing cannot go while somebody uses it. */
export function inUse(message: string): ApiError {
  return new ApiError(400, 'resource_in_use', message);
}

/** 500 with a sentence that says what failed. */
export function internal(message: string, details: readonly ErrorDetail[] = []): ApiError {
  return new ApiError(500, 'internal_error', message, details);
}

/** 503: the browser or the service is on its way down or up. */
export function unavailable(message: string): ApiError {
  return new ApiError(503, 'unavailable', message);
}

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** True for an error of the file system with that code, such as `ENOENT`. */
export function isFileError(thrown: unknown, ...codes: string[]): boolean {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' && codes.includes(thrown.code);
}
