import { BodyError, describeBody, parseJson, type Clean } from './decode/answer';
import { decodeErrorBody } from './decode/decode';
import type { DecodeError } from './decode/fields';
import { kindOfStatus, type ServiceErrorFields } from './errors';
import type { ErrorDetail } from './model';
import type { HttpResponse } from './wire/http';
import { readRetryAfter } from './wire/retry';

/** Codes of Node and undici for a connection that never came about: the service has seen nothing of the request. */
const NOT_CONNECTED: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at that address',
  EADDRNOTAVAIL: 'nothing can answer at that address',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no network',
  ETIMEDOUT: 'it did not accept a connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not accept a connection in time',
};

/** The same for a connection that broke while it was in use. */
const CUT = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);

/** Codes of OpenSSL's verdict over a certificate, as Node passes them on. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/;

/** What is known where a failure is put into words. */
export interface FailureContext {
  operation: string;
  /** Host and port of the service. */
  host: string;
  clean: Clean;
}

/** The failure that a status other than 2xx stands for, with everything that the service says about it. */
export function refusal(response: HttpResponse, { operation, clean }: FailureContext): ServiceErrorFields {
  const { status } = response;
  const kind = kindOfStatus(status);
  const requestId = response.headers['x-request-id'];
  const shared = {
    kind,
    operation,
    status,
    // A fault of the service, or of a proxy before it, may come after the work was done.
    mayHaveHappened: kind === 'server' || kind === 'timeout',
    ...(requestId === undefined ? {} : { requestId: clean(requestId) }),
  };
  if (status >= 300 && status < 400) {
    return {
      ...shared,
      message: `The service answered with a redirect (${status}), which is not followed because the token would go along. Check the address of the service.`,
    };
  }
  const wait = waitOf(response);
  const body = decodeErrorBody(parseJson(response));
  if (body?.message === undefined) return { ...shared, message: `${status}: ${describeBody(response, clean)}.${wait}` };
  return {
    ...shared,
    message: clean(body.message) + wait,
    ...(body.code === undefined ? {} : { code: clean(body.code) }),
    details: (body.details ?? []).map((detail) => cleanDetail(detail, clean)),
    ...(body.inner_error ? { innerError: cleanDetail(body.inner_error, clean) } : {}),
  };
}

/** The failure of a request that got no whole answer. */
export function connectionError(cause: unknown, context: FailureContext): ServiceErrorFields {
  const { operation, host, clean } = context;
  const code = codeOf(cause);
  const named = code === undefined ? '' : ` (${code}${peerOf(cause)})`;
  const failure = (message: string, mayHaveHappened: boolean): ServiceErrorFields => ({
    kind: 'unreachable',
    operation,
    message,
    mayHaveHappened,
    cause: cleanCause(cause, clean),
  });
  const unreached = (why: string): ServiceErrorFields =>
    failure(`The service at ${host} could not be reached: ${why}.`, false);

  const proxyStatus = /^Proxy response \((\d+)\)/.exec(messageOf(cause))?.[1];
  if (proxyStatus === '407') return unreached('the proxy wants a name and a password, as in http://name:password@host');
  if (proxyStatus !== undefined) return unreached(`the proxy refused to connect to it (${proxyStatus})`);
  if (code === undefined) return failure(`The request to ${host} failed: ${clean(messageOf(cause))}.`, true);
  const why = NOT_CONNECTED[code];
  if (why !== undefined) return unreached(why + named);
  if (CERTIFICATE.test(code)) {
    return unreached(
      `its certificate is not trusted${named}; name the file of your organization's certificate in NODE_EXTRA_CA_CERTS`,
    );
  }
  if (CUT.has(code)) return failure(`The connection to ${host} was cut before the answer was there${named}.`, true);
  if (code.startsWith('HPE_')) {
    return { ...failure(`What answers at ${host} does not speak HTTP${named}.`, true), kind: 'invalidAnswer' };
  }
  return failure(`The request to ${host} failed: ${clean(messageOf(cause))}${named}.`, true);
}

/** The failure of a request whose time ran out after `limitMs`. */
export function timeOut(limitMs: number, { operation, host }: FailureContext): ServiceErrorFields {
  return {
    kind: 'timeout',
    operation,
    message: `The service at ${host} gave no answer within ${Number((limitMs / 1000).toPrecision(2))} s.`,
    mayHaveHappened: true,
  };
}

/** The failure of a request whose answer says that it succeeded but is not of the interface. */
export function unreadable(
  error: DecodeError,
  response: HttpResponse,
  { operation, clean }: FailureContext,
): ServiceErrorFields {
  const what = error instanceof BodyError ? describeBody(response, clean) : clean(error.message);
  return {
    kind: 'invalidAnswer',
    operation,
    status: response.status,
    message: `The service sent an answer that is not of its interface: ${what}.`,
    mayHaveHappened: true,
  };
}

function waitOf(response: HttpResponse): string {
  const ms = readRetryAfter(response.headers);
  return ms === undefined ? '' : ` The service asks to wait ${Math.ceil(ms / 1000)} s.`;
}

function cleanDetail(detail: ErrorDetail, clean: Clean): ErrorDetail {
  return {
    ...(detail.code === undefined ? {} : { code: clean(detail.code) }),
    ...(detail.message === undefined ? {} : { message: clean(detail.message) }),
  };
}

/** The cause for the log: its name, message and stack, without anything else that it carries along. */
function cleanCause(cause: unknown, clean: Clean): Error {
  const copy = new Error(clean(messageOf(cause)));
  if (cause instanceof Error) {
    copy.name = cause.name;
    if (cause.stack !== undefined) copy.stack = clean(cause.stack);
  }
  return copy;
}

function codeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const code: unknown = 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : codeOf(cause.cause);
}

/** Where a connection was to go: with a proxy that is the proxy. */
function peerOf(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null || !('address' in cause) || !('port' in cause)) return '';
  return ` ${String(cause.address)}:${String(cause.port)}`;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
