import assert from 'node:assert/strict';
import { createServer } from 'node:net';

/** A port of 127.0.0.1 that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert(typeof address === 'object' && address !== null);
  await new Promise((resolve) => server.close(resolve));
  return address.port;
}
