import { urlOf } from './url';

/** The names by which a program reaches the servers of its own machine, as in `URL.hostname`. */
export const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The beginning of such an address of plain HTTP, in a text, as the source of a regular expression. */
export const LOOPBACK_ORIGIN = String.raw`http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?![\w.:-])`;

/** The port of plain HTTP on the machine itself that an address names; undefined for every other address. */
export function loopbackPort(address: string): number | undefined {
  const url = address.startsWith('http://') ? urlOf(address) : undefined;
  return url && LOOPBACK_HOSTS.has(url.hostname) ? Number(url.port || 80) : undefined;
}

/** Ports of this machine; `any` for all of them. */
export type LoopbackPorts = 'any' | readonly number[];

/** Whether an address is one of plain HTTP at one of these ports of this machine. */
export function isAtPort(address: string, ports: LoopbackPorts = []): boolean {
  const port = loopbackPort(address);
  return port !== undefined && (ports === 'any' || ports.includes(port));
}
