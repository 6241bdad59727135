import assert from 'node:assert/strict';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Display } from '../standins/display';

/**
 * A local service whose `press_key` reaches the screen and not a page, as on the service's own machines: a proxy on loopback
 * that presses the keys itself and carries all other requests on.
 */
export interface KeyboardProxy {
  baseUrl: string;
  /** The keys that were pressed, by their X names. */
  pressed: string[];
  close(): Promise<void>;
}

export async function startKeyboardProxy(target: URL, display: Display): Promise<KeyboardProxy> {
  const pressed: string[] = [];
  const server = createServer((incoming, response) => {
    const isKey = incoming.url?.endsWith('/computer/press_key') === true;
    const done = isKey ? press(incoming, response) : Promise.resolve(carry(incoming, response));
    done.catch(() => response.destroy());
  });
  const press = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body: unknown = await json(incoming);
    assert(typeof body === 'object' && body !== null && 'keys' in body && Array.isArray(body.keys));
    for (const key of body.keys.map(String)) {
      pressed.push(key);
      await display.press(key);
    }
    response.end();
  };
  const carry = (incoming: IncomingMessage, response: ServerResponse): void => {
    const { method, url } = incoming;
    const headers = { ...incoming.headers, host: target.host };
    const outgoing = request({ host: target.hostname, port: target.port, path: url, method, headers });
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.once('error', () => response.destroy());
    incoming.pipe(outgoing);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert(typeof address === 'object' && address !== null);
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    pressed,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
