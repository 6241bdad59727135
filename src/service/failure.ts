import * as l10n from '@vscode/l10n';
import { numberField, optionalText, present, textField } from '../base/fields';
import { shortened, sizeText } from '../base/units';
import { BodyError, describeBody, parseJson, type Clean } from './decode/answer';
import { decodeErrorBody } from './decode/decode';
import type { DecodeError } from './decode/decodeFields';
import { kindOfStatus, type ServiceErrorFields, type ServiceErrorKind } from './serviceErrors';
import type { ErrorBody, ErrorDetail } from './interface';
import type { HttpResponse } from './wire/http';
import { readRetryAfter } from './wire/retry';

/** Longest message of the service in an error, and longest detail of one, in characters. */
const MESSAGE_LENGTH = 2000;

/** Longest code or id of the service in an error, in characters. */
const CODE_LENGTH = 200;

/** A sentence about the service at `host`; `detail` has the code of the failure, and the peer if it is known. */
type Sentence = (host: string, detail: string) => string;

const notInTime: Sentence = (host, detail) =>
  l10n.t('The service at {0} could not be reached: it did not accept a connection in time ({1}).', host, detail);

/** Codes of Node and undici for a connection that was never established: the service has received nothing of the request. */
const NOT_CONNECTED: Readonly<Record<string, Sentence>> = {
  ECONNREFUSED: (host, detail) =>
    l10n.t('The service at {0} could not be reached: nothing answers at that address ({1}).', host, detail),
  EADDRNOTAVAIL: (host, detail) =>
    l10n.t('The service at {0} could not be reached: nothing can answer at that address ({1}).', host, detail),
  ENOTFOUND: (host, detail) =>
    l10n.t('The service at {0} could not be reached: its host name is unknown ({1}).', host, detail),
  EAI_AGAIN: (host, detail) =>
    l10n.t('The service at {0} could not be reached: its host name could not be looked up ({1}).', host, detail),
  EHOSTUNREACH: (host, detail) =>
    l10n.t('The service at {0} could not be reached: there is no route to it ({1}).', host, detail),
  ENETUNREACH: (host, detail) =>
    l10n.t('The service at {0} could not be reached: there is no network ({1}).', host, detail),
  ETIMEDOUT: notInTime,
  UND_ERR_CONNECT_TIMEOUT: notInTime,
};

/** Codes for a connection that was closed while it was in use. */
const CLOSED = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
]);

/** OpenSSL's codes for certificate errors, as Node reports them. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/;

/** The code of a request for a project that does not exist: what the request is about may well exist. */
const UNKNOWN_PROJECT = 'project_not_found';

/** The context of a failure, for its message. */
export interface FailureContext {
  operation: string;
  /** Whether it changes nothing. */
  isRead: boolean;
  /** Whether a 404 means that the operation does not exist, unless its message names what the request was about. */
  notFoundIsMissing: boolean;
  /** The id or name of what the request was about; empty when it was about none. */
  about: string;
  /** The path of what the request was about, below the base address, not encoded. */
  aboutPath: string;
  /** Host and port of the service. */
  host: string;
  clean: Clean;
}

/** The failure of a response with a status other than 2xx, with everything that the service says about it. */
export function statusError(response: HttpResponse, context: FailureContext): ServiceErrorFields {
  const { operation, clean } = context;
  const { status } = response;
  const body = decodeErrorBody(parseJson(response));
  const isNamed = namesSubject(body, context);
  const kind = kindOf(status, body?.code, isNamed, context);
  const requestId = response.headers['x-request-id'];
  const shared = {
    kind,
    operation,
    status,
    // An error of the service, or of a proxy before it, may occur after the operation was done.
    mayHaveHappened: kind === 'server' || kind === 'timeout',
    ...(isNamed && { namesSubject: true }),
    ...(requestId === undefined ? {} : { requestId: codeText(requestId, clean) }),
  };
  if (status >= 300 && status < 400) {
    return {
      ...shared,
      message: l10n.t(
        'The service answered with a redirect ({0}), which is not followed because the token would be sent along.',
        status,
      ),
    };
  }
  const described = { ...shared, ...retryAdvice(response) };
  if (body?.message === undefined) {
    return { ...described, message: `${status}: ${describeBody(response, clean)}.` };
  }
  return {
    ...described,
    message: messageText(body.message, clean),
    ...(body.code === undefined ? {} : { code: codeText(body.code, clean) }),
    details: (body.details ?? []).map((detail) => cleanDetail(detail, clean)),
    ...(body.inner_error ? { innerError: cleanDetail(body.inner_error, clean) } : {}),
  };
}

function kindOf(
  status: number,
  code: string | undefined,
  isNamed: boolean,
  { notFoundIsMissing }: FailureContext,
): ServiceErrorKind {
  if (code === UNKNOWN_PROJECT) return 'badRequest';
  return notFoundIsMissing && status === 404 && !isNamed ? 'unsupported' : kindOfStatus(status);
}

/**
 * Whether an answer names what the request was about. Servers that do not know a path repeat it, as in "Route GET:/browsers/one not found": that
 * is about the operation.
 */
function namesSubject(body: Partial<ErrorBody> | undefined, { about, aboutPath }: FailureContext): boolean {
  if (about === '' || !body) return false;
  const said = [body, ...(body.details ?? []), body.inner_error ?? {}].flatMap(({ message }) => message ?? []);
  const paths = [aboutPath, encodeURI(aboutPath)];
  return said.some((text) => paths.reduce((rest, path) => rest.replaceAll(path, ''), text).includes(about));
}

/** The failure of a request whose response was not received completely. */
export function connectionError(cause: unknown, context: FailureContext): ServiceErrorFields {
  const { operation, host, clean } = context;
  const coded = codedError(cause);
  const code = optionalText(coded, 'code');
  const failure = (message: string, { mayHaveHappened }: { mayHaveHappened: boolean }): ServiceErrorFields => ({
    kind: 'unreachable',
    operation,
    message,
    mayHaveHappened,
    cause: cleanCause(cause, clean),
  });

  const proxyStatus = /^Proxy response \((\d+)\)/.exec(messageOf(cause))?.[1];
  if (proxyStatus === '407') {
    return failure(
      l10n.t(
        'The service at {0} could not be reached: the proxy wants a name and a password, as in http://name:password@host.',
        host,
      ),
      { mayHaveHappened: false },
    );
  }
  if (proxyStatus !== undefined) {
    return failure(
      l10n.t('The service at {0} could not be reached: the proxy refused to connect to it ({1}).', host, proxyStatus),
      { mayHaveHappened: false },
    );
  }
  const reason = messageText(messageOf(cause), clean);
  if (code === undefined)
    return failure(l10n.t('The request to {0} failed: {1}.', host, reason), { mayHaveHappened: true });
  const detail = `${code}${peerOf(cause)}`;
  // A network that fails while a connection is in use has the same codes as one over which none can be made.
  const isInUse = ['read', 'write'].includes(textField(coded, 'syscall'));
  const notConnected = isInUse ? undefined : NOT_CONNECTED[code];
  if (notConnected) return failure(notConnected(host, detail), { mayHaveHappened: false });
  if (CERTIFICATE.test(code)) {
    return failure(
      l10n.t(
        "The service at {0} could not be reached: its certificate is not trusted ({1}); name the file of your organization's certificate in NODE_EXTRA_CA_CERTS.",
        host,
        detail,
      ),
      { mayHaveHappened: false },
    );
  }
  if (isInUse || CLOSED.has(code)) {
    return failure(l10n.t('The connection to {0} was closed before the response was complete ({1}).', host, detail), {
      mayHaveHappened: true,
    });
  }
  if (code.startsWith('HPE_')) {
    return {
      ...failure(l10n.t('The response from {0} is not HTTP ({1}).', host, detail), { mayHaveHappened: true }),
      kind: 'invalidAnswer',
    };
  }
  return failure(l10n.t('The request to {0} failed: {1}.', host, `${reason} (${detail})`), { mayHaveHappened: true });
}

/** The failure of a request without a complete response within `limitMs`. */
export function timeoutError(limitMs: number, { operation, host }: FailureContext): ServiceErrorFields {
  return {
    kind: 'timeout',
    operation,
    message: l10n.t('The service at {0} gave no answer within {1} s.', host, Number((limitMs / 1000).toPrecision(2))),
    mayHaveHappened: true,
  };
}

/** The failure of a request whose response has more than `maxBytes`, of which nothing was kept. */
export function tooLargeError(maxBytes: number, { operation, host }: FailureContext): ServiceErrorFields {
  return {
    kind: 'invalidAnswer',
    operation,
    message: l10n.t(
      'The answer of the service at {0} to {1} has more than {2}, so it was not read.',
      host,
      operation,
      sizeText(maxBytes),
    ),
    mayHaveHappened: true,
  };
}

/** The failure of a successful response that does not conform to the interface. */
export function invalidAnswerError(
  error: DecodeError,
  response: HttpResponse,
  { operation, isRead, clean }: FailureContext,
): ServiceErrorFields {
  const what = error instanceof BodyError ? describeBody(response, clean) : messageText(error.message, clean);
  const isDone = !isRead && parseJson(response) !== undefined;
  return {
    kind: 'invalidAnswer',
    operation,
    status: response.status,
    message: isDone
      ? l10n.t(
          'The service says that it has done this ({0}), but its answer does not conform to its interface: {1}. Look whether it was done before you try again.',
          response.status,
          what,
        )
      : l10n.t('The answer of the service does not conform to its interface: {0}.', what),
    mayHaveHappened: true,
  };
}

/** A sentence about the time to wait, if the service names one. */
function retryAdvice(response: HttpResponse): { advice?: string } {
  const ms = readRetryAfter(response.headers);
  return ms === undefined ? {} : { advice: l10n.t('The service asks to wait {0} s.', Math.ceil(ms / 1000)) };
}

/** A message of the service, without credentials and not longer than anybody reads. */
function messageText(text: string, clean: Clean): string {
  return shortened(clean(text), MESSAGE_LENGTH);
}

/** The same of a code or an id. */
function codeText(text: string, clean: Clean): string {
  return shortened(clean(text), CODE_LENGTH);
}

function cleanDetail(detail: ErrorDetail, clean: Clean): ErrorDetail {
  const { code, message } = detail;
  return present({ code: code && codeText(code, clean), message: message && messageText(message, clean) });
}

/** The cause for the log: only its name, message and stack, without credentials. */
function cleanCause(cause: unknown, clean: Clean): Error {
  const copy = new Error(clean(messageOf(cause)));
  if (cause instanceof Error) {
    copy.name = cause.name;
    if (cause.stack !== undefined) copy.stack = clean(cause.stack);
  }
  return copy;
}

/** The first error with a code among a failure and its causes. */
function codedError(cause: unknown): Error | undefined {
  if (!(cause instanceof Error)) return undefined;
  return optionalText(cause, 'code') === undefined ? codedError(cause.cause) : cause;
}

/** The peer of the connection, which may be a proxy. */
function peerOf(cause: unknown): string {
  const [address, port] = [textField(cause, 'address'), numberField(cause, 'port')];
  return address === '' || port === 0 ? '' : ` ${address}:${port}`;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
