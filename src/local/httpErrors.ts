import type { ErrorBody, ErrorDetail } from '../service/interface';

/** An error response: its status and the fields of the interface's Error body. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    /** Seconds to wait before a retry; sent as `Retry-After`. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = 'ApiError';
  }

  body(): ErrorBody {
    const body: ErrorBody = { code: this.code, message: this.message };
    if (this.details.length > 0) body.details = [...this.details];
    return body;
  }
}

/** 400: the request is invalid as a whole. */
export function badRequest(message: string, details: readonly ErrorDetail[] = []): ApiError {
  return new ApiError(400, 'bad_request', message, details);
}

/** 400 with one invalid value in `details`, in the shape of the interface document's example. */
export function invalidInput(message: string): ApiError {
  return badRequest(message, [{ code: 'invalid_input', message }]);
}

/** 400: Chromium refused extensions, with its reasons. */
export function refusedByChromium(details: readonly ErrorDetail[]): ApiError {
  return badRequest(`Chromium refused the extension: ${details[0]?.message ?? 'no reason given'}`, details);
}

/** 404: there is no resource with that id or name. */
export function notFound(kind: string, id: string): ApiError {
  return new ApiError(404, 'not_found', `No ${kind} has the id or name "${id}".`);
}

/** 409: the name is taken. */
export function nameTaken(kind: string, name: string): ApiError {
  return new ApiError(409, 'conflict', `${kind === 'extension' ? 'An' : 'A'} ${kind} named "${name}" already exists.`);
}

/** 400 `resource_in_use`: the resource cannot be deleted while it is in use. */
export function inUse(message: string): ApiError {
  return new ApiError(400, 'resource_in_use', message);
}

/** 500 with a message that says what failed. */
export function internalError(message: string, details: readonly ErrorDetail[] = []): ApiError {
  return new ApiError(500, 'internal_error', message, details);
}

/** 503: the browser or the service is starting or shutting down. */
export function unavailable(message: string): ApiError {
  return new ApiError(503, 'unavailable', message);
}

/** The message of a thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** True for an error of the file system with one of the codes, such as `ENOENT`. */
export function isFileError(thrown: unknown, ...codes: string[]): boolean {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' && codes.includes(thrown.code);
}
