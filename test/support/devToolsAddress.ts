import { devToolsAddress, type DevToolsAddress } from '../../src/service/devToolsAddress';

/** A service on this machine, whose browsers are here, too. */
export const SERVICE_HERE = new URL('http://127.0.0.1/');

/** The DevTools address of a browser of a local service. */
export function addressOf({ devToolsUrl }: { devToolsUrl: string }): DevToolsAddress {
  return devToolsAddress(devToolsUrl, SERVICE_HERE);
}

/** The address of a browser in memory, which nothing connects to. */
export const IN_MEMORY = addressOf({ devToolsUrl: 'ws://127.0.0.1/' });
