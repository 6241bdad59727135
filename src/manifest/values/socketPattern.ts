const LAST_PORT = 65535;

/**
 * True for the hosts and ports that an app may connect to: `host`, `*.host`, `host:port` or `host:*`. An operation without an address, such
 * as the membership of a multicast group, has an empty pattern. Source: the patterns of SocketPermissionEntry of Chromium, measured on Chromium 156.
 */
export function isSocketPattern(pattern: string, { takesAddress }: { takesAddress: boolean }): boolean {
  if (!takesAddress) return pattern === '';
  const [host = '', port = '', ...rest] = pattern.split(':');
  if (rest.length > 0 || /^\s|\s$/.test(host.replace(/[^\0-\x7f]/g, 'x'))) return false;
  if (port === '' || port === '*') return true;
  return /^[+]?\d+$/.test(port) && Number(port) >= 1 && Number(port) <= LAST_PORT;
}
