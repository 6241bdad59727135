/** Address of the public service (source: the official client 0.84.0). */
export const CLOUD_BASE_URL = 'https://api.onkernel.com';

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether `url` stays on this machine. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK_HOSTS.has(url.hostname);
}

/** A base address that must not be used; the message says why and what would do. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

/**
 * A checked base address without trailing slash. The token travels to it, so only `https:` is accepted, and `http:` on
 * loopback; credentials, query and fragment in it are refused.
 * @throws AddressError
 */
export function parseBaseUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw new AddressError(`"${text}" is not an address. Write one such as https://service.example.com.`);
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
    throw new AddressError(
      'The address must begin with https:// (http:// is allowed for this machine only), because the token is sent to it.',
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new AddressError('The address must not hold a user name, a password, a query or a fragment.');
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}
