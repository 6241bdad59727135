import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../httpErrors';

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Why a request must not come from a program on this machine; `undefined` for an acceptable one. A page that resolves its own host name to
 * 127.0.0.1 is recognised by the Host header, a page that sends a request to the service by the Origin header.
 */
export function hostOrOriginFault(request: IncomingMessage): string | undefined {
  const port = request.socket.localPort;
  const allowed = LOOPBACK_NAMES.map((name) => `${name}:${port ?? ''}`);
  const host = request.headers.host ?? '';
  if (!allowed.includes(host.toLowerCase())) return 'The Host header does not name this service.';
  const { origin } = request.headers;
  if (origin !== undefined && !allowed.includes(origin.toLowerCase().replace(/^https?:\/\//, ''))) {
    return 'Requests from web pages are not accepted.';
  }
  return undefined;
}

/** Throws 403 for a foreign Host or Origin, 401 without the right bearer token. */
export function authorize(request: IncomingMessage, token: string): void {
  const fault = hostOrOriginFault(request);
  if (fault !== undefined) throw new ApiError(403, 'forbidden', fault);
  const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (given === undefined || !sameSecret(given, token)) {
    throw new ApiError(401, 'unauthorized', 'The authorization token is missing or wrong.');
  }
}

/** Compares two secrets in constant time. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
