import * as l10n from '@vscode/l10n';
import { BlockList, isIP } from 'node:net';
import { urlOf } from '../base/url';
import { isLoopback } from './serviceAddress';
import { DEVTOOLS, ServiceError } from './serviceErrors';

/** Addresses of this machine and of networks that the internet does not reach (source: IANA's registries of special-purpose addresses). */
const NEAR = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  NEAR.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  NEAR.addSubnet(network, prefix, 'ipv6');
}

declare const isChecked: unique symbol;

/**
 * The address of a browser's DevTools, which was checked: {@link devToolsAddress} alone makes one, and nothing else can be connected to. It is
 * a credential.
 */
export type DevToolsAddress = string & { readonly [isChecked]: true };

/**
 * The DevTools address of a browser after its check: `address` is what the service at `service` has named, which it chooses freely: nobody else's machine and nothing in the
 * user's own network may be reached through it. It must be `wss:` and lead to the internet or to the service's own host; only a service on
 * this machine may name `ws:` and addresses nearby. A host name is not looked up: the certificate that `wss:` requires proves it.
 * @throws ServiceError, of kind `unsupported` without an address; it does not contain the address, because that is a credential.
 */
export function devToolsAddress(address: string, service: URL): DevToolsAddress {
  if (address === '') {
    throw new ServiceError({
      kind: 'unsupported',
      operation: DEVTOOLS,
      message: l10n.t('This service gives no DevTools address for the browser, which this needs.'),
      mayHaveHappened: false,
    });
  }
  const url = urlOf(address);
  const isServiceHere = isLoopback(service);
  if (url?.protocol === 'wss:') {
    if (isServiceHere || url.hostname === service.hostname || !isNear(url)) return address as DevToolsAddress;
    throw refusal(l10n.t('it leads to this machine or into a private network'));
  }
  if (url?.protocol === 'ws:' && isServiceHere && isNear(url)) return address as DevToolsAddress;
  throw refusal(l10n.t('it does not begin with wss://'));
}

function isNear({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  const version = isIP(host);
  if (version !== 0) return NEAR.check(host, version === 4 ? 'ipv4' : 'ipv6');
  return /(?:^|\.)localhost\.?$/.test(host);
}

function refusal(why: string): ServiceError {
  return new ServiceError({
    kind: 'invalidAnswer',
    operation: 'getBrowser',
    message: l10n.t(
      "Sideload does not connect to the address that the service gave for the browser's DevTools: {0}.",
      why,
    ),
    mayHaveHappened: false,
  });
}
