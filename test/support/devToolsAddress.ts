import { devToolsAddress, type DevToolsAddress } from '../../src/service/devToolsAddress';

/** A service on this machine, whose browsers are here, too. */
export const SERVICE_HERE = new URL('http://127.0.0.1/');

/** The DevTools address of a browser of a local service. */
export function addressOf({ cdp_ws_url: address }: { cdp_ws_url: string }): DevToolsAddress {
  return devToolsAddress(address, SERVICE_HERE);
}

/** The address of a browser in memory, which nothing connects to. */
export const IN_MEMORY = addressOf({ cdp_ws_url: 'ws://127.0.0.1/' });
