import { AddressError } from '../address';

/** VS Code's settings of the same names; an empty `proxy` leaves the choice to the usual environment variables. */
export interface ProxySettings {
  proxy?: string;
  /** Hosts that are reached directly; empty leaves it to `NO_PROXY`. */
  noProxy?: readonly string[];
  /** False accepts any certificate, of the proxy and behind it, as VS Code itself then does. */
  strictSsl?: boolean;
}

/** Which proxy to use for which scheme, and for which hosts none; an empty text means none. */
export interface ProxyChoice {
  httpProxy: string;
  httpsProxy: string;
  /** Hosts with commas between. */
  noProxy: string;
}

/** Schemes of proxies that can be used; `socks` is the same as `socks5`. */
const SCHEMES = new Set(['http:', 'https:', 'socks5:', 'socks:']);

/**
 * The proxies that settings and environment ask for: the setting first, then `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in
 * lower case before upper case. A proxy without a scheme, as curl takes it, is an HTTP proxy.
 * @throws AddressError when one is not an address.
 */
export function chooseProxy(settings: ProxySettings, env: NodeJS.ProcessEnv = process.env): ProxyChoice {
  const variable = (name: string): string => env[name] ?? env[name.toUpperCase()] ?? '';
  const set = settings.proxy?.trim() ?? '';
  const httpProxy = readProxy(set || variable('http_proxy'));
  return {
    httpProxy,
    httpsProxy: readProxy(set || variable('https_proxy')) || httpProxy,
    noProxy: readHosts(settings.noProxy?.length ? settings.noProxy : variable('no_proxy').split(',')),
  };
}

function readHosts(hosts: readonly string[]): string {
  const named = hosts.map((host) => host.trim()).filter((host) => host !== '');
  // undici knows the star for every host only when it stands alone.
  return named.includes('*') ? '*' : named.join(',');
}

function readProxy(text: string): string {
  if (text === '') return '';
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (!url || url.hostname === '' || !SCHEMES.has(url.protocol)) {
    // Its text is not repeated: it may hold a password.
    throw new AddressError(
      'The proxy in the setting http.proxy or in HTTPS_PROXY is not a usable address. Write one such as http://proxy.example.com:3128.',
    );
  }
  return whole;
}
