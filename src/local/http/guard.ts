import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors';

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Why a request is not from a program on this machine, or `undefined` when it may be. A page in a browser that resolves
 * its own name to 127.0.0.1 is known by its Host, a page that posts to us by its Origin.
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

/** Compares two secrets in a time that tells nothing about where they differ. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
