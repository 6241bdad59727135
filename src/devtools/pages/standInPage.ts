import { attach, closeTarget } from '../protocol/attach';
import type { CDPSession, Connection, Protocol } from '../protocol/connect';

/** What the page shows: enough for scripts that look for a body. */
const HTML = Buffer.from('<!doctype html><title>Sideload</title><body><main>Sideload</main></body>').toString('base64');

/** A tab that shows an empty page at an address of the web. Close it. */
export interface StandInPage {
  targetId: string;
  close: () => Promise<void>;
}

/**
 * Opens an empty page at an http or https address, without asking the network for it: content scripts run there as on the real one.
 * `prepare` is awaited before. Rejects when the browser does not do it.
 */
export async function openStandIn(
  connection: Connection,
  url: string,
  prepare: (page: CDPSession) => Promise<unknown> = () => Promise.resolve(),
): Promise<StandInPage> {
  const { targetId } = await connection.send('Target.createTarget', { url: 'about:blank' });
  const close = (): Promise<void> => closeTarget(connection, targetId);
  try {
    const page = await attach(connection, targetId);
    if (!page) throw new Error('The tab was closed');
    page.on('Fetch.requestPaused', ({ requestId, request }: Protocol.Fetch.RequestPausedEvent) => {
      const isPage = request.url === url;
      const answer = isPage
        ? page.send('Fetch.fulfillRequest', {
            requestId,
            responseCode: 200,
            responseHeaders: [{ name: 'content-type', value: 'text/html; charset=utf-8' }],
            body: HTML,
          })
        : page.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
      answer.catch(() => undefined);
    });
    // Requests of the page alone; files of extensions are not asked for over the network.
    await page.send('Fetch.enable', { patterns: [{ urlPattern: 'http*' }] });
    await prepare(page);
    const { errorText } = await page.send('Page.navigate', { url });
    if (errorText !== undefined) throw new Error(errorText);
    return { targetId, close };
  } catch (error) {
    await close();
    throw error;
  }
}
