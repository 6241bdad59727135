import { createServer } from 'node:http';
import { fieldOf } from '../../src/base/fields';

/** A site on this machine, whose pages are all alike. */
export interface Site {
  /** Ends with a slash. */
  url: string;
  close: () => void;
}

/** Starts one, which content scripts may run in. */
export async function startSite(page = '<title>Site</title>hello'): Promise<Site> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(page);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${String(fieldOf(server.address(), 'port'))}/`, close };
}
