import { isLoopback } from './serviceAddress';

/** Names a browser among those of all services, since the ids of two services may be the same: the address of its service, and its id there. */
export type BrowserKey = `${string} ${string}`;

/** The key of a browser of the service at `baseUrl`. */
export function browserKey(baseUrl: URL, browserId: string): BrowserKey {
  return `${serviceKey(baseUrl)} ${browserId}`;
}

/**
 * Names the service at `baseUrl`. The programs of a user may name a service on this machine in different ways, so all names of the machine count
 * as one.
 */
export function serviceKey(baseUrl: URL): string {
  const url = new URL(baseUrl);
  if (isLoopback(url)) url.hostname = 'localhost';
  return url.href.replace(/\/+$/, '');
}
