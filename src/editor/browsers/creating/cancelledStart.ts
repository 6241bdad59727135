import { once } from 'node:events';
import type { Browser } from '../../../service/model';
import { withProgressUnlessCancelled } from '../../notify';
import type { BrowserWiring } from '../browserWiring';

/**
 * What `create` resolves to, with a notification that can cancel it; undefined when the user cancels. A service goes on starting a browser whose
 * answer nobody waits for: so it is awaited all the same, and `end` is called with the browser as soon as it is there.
 * @throws an error of the service
 */
export async function createUnlessCancelled(
  { lists, log }: Pick<BrowserWiring, 'lists' | 'log'>,
  title: string,
  create: () => Promise<Browser | undefined>,
  end: (browser: Browser) => Promise<void>,
): Promise<{ browser: Browser | undefined } | undefined> {
  const creating = create().then((browser) => ({ browser }));
  const created = await withProgressUnlessCancelled(title, (signal) =>
    Promise.race([creating, once(signal, 'abort').then(() => undefined)]),
  );
  if (created) return created;
  log.info('Create Browser: cancelled; the browser ends as soon as it has started');
  creating
    .then(({ browser }) => browser && end(browser))
    .catch((error: unknown) => log.warn(`Create Browser: the cancelled browser was not ended: ${String(error)}`))
    .finally(() => void lists.browsers.refresh());
  return undefined;
}
