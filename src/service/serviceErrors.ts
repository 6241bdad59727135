import type { ErrorDetail } from './interface';

/**
 * The kind of a failure. The editor has one sentence of advice for each kind.
 * `invalidAnswer`: the response of the service (or of a proxy) does not conform to the interface. `unsupported`: the service does not have
 * the operation.
 */
export type ServiceErrorKind =
  | 'unreachable'
  | 'timeout'
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'unsupported'
  | 'conflict'
  | 'badRequest'
  | 'tooLarge'
  | 'rateLimited'
  | 'server'
  | 'invalidAnswer';

/** The operation of an error of kind `unsupported` where the service gives no DevTools address for a browser. */
export const DEVTOOLS = 'devTools';

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
  /** A sentence about what the service asks for. */
  advice?: string;
  /** How long the service asks to wait before the next request, in milliseconds. */
  retryAfterMs?: number;
  /** Whether the service names what the request was about, such as the id of a browser; its path alone names it not. */
  namesSubject?: boolean;
  /**
   * Whether the operation may have been done in spite of the error: the response was lost, came too late, or was an error of the
   * service. False means that it certainly was not done.
   */
  mayHaveHappened: boolean;
  cause?: unknown;
}

/** A failed request, with everything that the service says about it. Contains no credential. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly kind: ServiceErrorKind;
  readonly operation: string;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly details: readonly ErrorDetail[];
  readonly innerError: ErrorDetail | undefined;
  readonly requestId: string | undefined;
  /** A sentence about what the service asks for. */
  readonly advice: string | undefined;
  /** How long the service asks to wait before the next request, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Whether the service names what the request was about, such as the id of a browser; its path alone names it not. */
  readonly namesSubject: boolean;
  /** As in `ServiceErrorFields`: when true, the outcome has to be checked before the request is repeated. */
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
    this.advice = fields.advice;
    this.retryAfterMs = fields.retryAfterMs;
    this.namesSubject = fields.namesSubject ?? false;
    this.mayHaveHappened = fields.mayHaveHappened;
  }

  /**
   * All that the service says, as sentences: the message, details and inner error, each with its code, and what it asks for. A detail
   * whose text is a part of the message adds its code to that of the message, and no sentence.
   */
  get sentences(): string[] {
    const { message, code, details, innerError, advice = '' } = this;
    const others = [...details, ...(innerError ? [innerError] : [])];
    const isSaid = (detail: ErrorDetail): boolean => detail.message !== undefined && message.includes(detail.message);
    const codes = [code, ...others.filter(isSaid).map((detail) => detail.code)].filter((one) => one !== undefined);
    const own = { message, code: [...new Set(codes)].join(', ') };
    const texts = [own, ...others.filter((detail) => !isSaid(detail))].map(sentenceOf);
    return [...new Set([...texts, advice])].filter((text) => text !== '');
  }

  /** The messages of `details` and `inner_error`, without the message itself. */
  get reasons(): string[] {
    const texts = [...this.details, ...(this.innerError ? [this.innerError] : [])].map(
      (detail) => detail.message ?? detail.code ?? '',
    );
    return [...new Set(texts)].filter((text) => text !== '' && text !== this.message);
  }
}

/** A text of the service with its code, ended by a full stop. */
function sentenceOf({ message = '', code = '' }: ErrorDetail): string {
  const words = message.trim().replace(/[.\s]+$/, '');
  if (words === '') return code === '' ? '' : `${code}.`;
  // A message may say its code itself.
  return code === '' || words.includes(code) ? `${words}.` : `${words} (${code}).`;
}

/** The kind of failure of an HTTP status (interface document, "Errors", and the official client's classes). */
export function kindOfStatus(status: number): ServiceErrorKind {
  return KINDS[status] ?? (status >= 500 ? 'server' : 'invalidAnswer');
}

const KINDS: Readonly<Record<number, ServiceErrorKind>> = {
  400: 'badRequest',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  405: 'unsupported',
  408: 'timeout',
  409: 'conflict',
  413: 'tooLarge',
  422: 'badRequest',
  429: 'rateLimited',
  501: 'unsupported',
};
