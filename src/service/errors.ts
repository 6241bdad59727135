import type { ErrorDetail } from './model';

/**
 * What kind of failure a person has to deal with. Each kind has one sentence of advice in the editor.
 * `invalidAnswer`: the service (or a proxy between) sent something that is not of the interface.
 */
export type ServiceErrorKind =
  | 'unreachable'
  | 'timeout'
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'badRequest'
  | 'tooLarge'
  | 'rateLimited'
  | 'server'
  | 'invalidAnswer';

export interface ServiceErrorFields {
  kind: ServiceErrorKind;
  /** Name of the operation, such as `uploadExtensionsToBrowser`. */
  operation: string;
  message: string;
  status?: number;
  code?: string;
  details?: ErrorDetail[];
  innerError?: ErrorDetail;
  requestId?: string;
  /**
   * Whether the service may have done what was asked although no answer says so: the answer was lost, came too late, or was a
   * fault of the service. False means that it certainly did not.
   */
  mayHaveHappened: boolean;
  cause?: unknown;
}

/** A request that did not succeed, with everything the service said about it. Holds no credential. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly kind: ServiceErrorKind;
  readonly operation: string;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly details: readonly ErrorDetail[];
  readonly innerError: ErrorDetail | undefined;
  readonly requestId: string | undefined;
  /** As in `ServiceErrorFields`: when true, what was asked has to be looked for before it is asked for again. */
  readonly mayHaveHappened: boolean;

  constructor(fields: ServiceErrorFields) {
    super(fields.message, { cause: fields.cause });
    this.kind = fields.kind;
    this.operation = fields.operation;
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details ?? [];
    this.innerError = fields.innerError;
    this.requestId = fields.requestId;
    this.mayHaveHappened = fields.mayHaveHappened;
  }

  /** The lower-level sentences of the service: `details`, then `inner_error`, without repeating the message. */
  get reasons(): string[] {
    const texts = [...this.details, ...(this.innerError ? [this.innerError] : [])].map(
      (detail) => detail.message ?? detail.code ?? '',
    );
    return [...new Set(texts)].filter((text) => text !== '' && text !== this.message);
  }
}

/** The kind of failure that an HTTP status stands for (interface document, "Errors", and the official client's classes). */
export function kindOfStatus(status: number): ServiceErrorKind {
  switch (status) {
    case 400:
    case 422:
      return 'badRequest';
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 404:
      return 'notFound';
    case 408:
      return 'timeout';
    case 409:
      return 'conflict';
    case 413:
      return 'tooLarge';
    case 429:
      return 'rateLimited';
    default:
      return status >= 500 ? 'server' : 'invalidAnswer';
  }
}
