import type { WebSocket } from 'ws';
import { SecretSocket } from '../base/secretSocket';
import { WebSocketTransport } from '../devtools/protocol/webSocket';
import type { DevToolsAddress } from '../service/devToolsAddress';

/** The longest message of a client, in bytes: a command may have a file in it. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * Begins to listen at an address of the DevTools of a browser for one run of a command, with a secret of its own, so that the command does not
 * get that of the service. It ends with `close`.
 */
export function relayTo(browser: DevToolsAddress): Promise<SecretSocket> {
  return SecretSocket.listen({ maxPayload: MAX_MESSAGE_BYTES, onClient: (client) => join(client, browser) });
}

/** Gives a client a connection to the browser, whose other end it becomes. */
function join(client: WebSocket, browser: DevToolsAddress): (text: string) => void {
  // What comes before the browser's connection is there.
  const early: string[] = [];
  let send = (text: string): void => void early.push(text);
  WebSocketTransport.open(browser, (message) => client.send(message)).then(
    (upstream) => {
      upstream.onclose = () => client.close();
      client.on('close', () => upstream.close());
      if (client.readyState !== client.OPEN) upstream.close();
      send = (text) => upstream.send(text);
      for (const text of early.splice(0)) send(text);
    },
    () => client.close(),
  );
  return (text) => send(text);
}
