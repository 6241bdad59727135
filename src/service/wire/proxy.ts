import * as l10n from '@vscode/l10n';
import { urlOf } from '../../base/url';
import { AddressError } from '../serviceAddress';

/** VS Code's settings of the same names; with an empty `proxy` the usual environment variables apply. */
export interface ProxySettings {
  proxy?: string;
  /** Hosts without a proxy; when empty, `NO_PROXY` applies. */
  noProxy?: readonly string[];
  /** False accepts any certificate of the proxy and of the service, as VS Code itself does. */
  strictSsl?: boolean;
}

/** The proxy of each scheme, empty for none, and the hosts without a proxy. */
export interface ProxyChoice {
  httpProxy: string;
  httpsProxy: string;
  /** Comma-separated. */
  noProxy: string;
}

/** Supported schemes of proxies; `socks` is the same as `socks5`. */
const SCHEMES = new Set(['http:', 'https:', 'socks5:', 'socks:']);

/**
 * The proxies of settings and environment: first the setting, then `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, of which the variable in lower
 * case takes precedence. A proxy without a scheme is an HTTP proxy, as for curl.
 * @throws AddressError when one is not a valid URL.
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

/** Whether the hosts of `noProxy` name a host, or a domain that it belongs to, as undici reads them: each may have a port. */
export function isBypassed(noProxy: string, host: string, port: number): boolean {
  return noProxy.split(/[,\s]/).some((entry) => {
    const [name = '', onlyPort] = entry.toLowerCase().split(/:(?=\d+$)/);
    if (name === '' || (onlyPort !== undefined && Number(onlyPort) !== port)) return false;
    const domain = name.replace(/^\*?\./, '');
    return name === '*' || host.toLowerCase() === domain || host.toLowerCase().endsWith(`.${domain}`);
  });
}

function readHosts(hosts: readonly string[]): string {
  const named = hosts.map((host) => host.trim()).filter((host) => host !== '');
  // undici accepts the star for every host only as the whole value.
  return named.includes('*') ? '*' : named.join(',');
}

function readProxy(text: string): string {
  if (text === '') return '';
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = urlOf(whole);
  if (!url || url.hostname === '' || !SCHEMES.has(url.protocol)) {
    // The message does not repeat the value, which may contain a password.
    throw new AddressError(
      l10n.t(
        'The proxy in the setting http.proxy or in HTTPS_PROXY is not a usable address. Write one such as http://proxy.example.com:3128.',
      ),
    );
  }
  return whole;
}
