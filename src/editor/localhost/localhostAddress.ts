import { LOOPBACK_HOSTS } from '../../base/loopback';
import { urlOf } from '../../base/url';

/** The address on this computer that a person has typed: a port, or an address by plain HTTP with or without its scheme; else undefined. */
export function localhostAddress(typed: string): URL | undefined {
  const text = typed.trim();
  const full = /^\d{1,5}(?=\/|$)/.test(text)
    ? `http://localhost:${text}`
    : text.includes('://')
      ? text
      : `http://${text}`;
  const url = urlOf(full);
  return url?.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname) ? url : undefined;
}

/** The port of an address on this computer by plain HTTP; undefined for any other address. */
export function localhostPort(address: string): number | undefined {
  const url = address.includes('://') ? localhostAddress(address) : undefined;
  return url && (url.port === '' ? 80 : Number(url.port));
}
