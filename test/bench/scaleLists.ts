import { browserNode, type Node } from '../../src/editor/lists/nodes';
import { mergeRows } from '../../src/editor/lists/listRows';
import { PagedList } from '../../src/editor/lists/pagedList';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import type { Browser } from '../../src/service/model';
import { FakeService } from '../standins/fakeService';
import { atEnd } from '../support/cleanup';
import { HELD, timed, type ScaleCase } from './scaleCase';

const TOKEN = 'token';

/** The list of browsers of a service, up to the rows that VS Code gets. */
export const lists: ScaleCase = {
  things: 'browsers in a list',
  full: 10_000,
  figures: { 'first rows': { growth: 1.5, most: 200 }, refresh: { growth: 12 }, ...HELD },
  prepare: async (_bench, count) => {
    const service = await FakeService.start(TOKEN);
    atEnd('the service with lists', () => service.stop());
    service.sessions = Array.from({ length: count }, (_, at) => ({ session_id: `s${at}`, name: `many-${at}` }));
    const client = new ServiceClient({ baseUrl: parseBaseUrl(service.baseUrl), token: TOKEN, log: silentLogger });
    atEnd('its client', () => client.close());
    const read = (offset: number): ReturnType<typeof client.pageOfBrowsers> => client.pageOfBrowsers({}, offset);
    const nodesOf = ({ items }: PagedList<Browser>): Node<Browser>[] =>
      items.map((browser) => browserNode(browser, { role: 'none', now: Date.now() }));
    const all = new PagedList<Browser>(({ id }) => id);
    await all.reload(read);
    while (all.hasMore) await all.readMore(read);
    let rows: readonly Node<Browser>[] = nodesOf(all);
    if (rows.length !== count) throw new Error(`there are ${rows.length} rows`);
    return async () => {
      const first = await timed(async () => {
        const list = new PagedList<Browser>(({ id }) => id);
        await list.reload(read);
        nodesOf(list);
      });
      const refresh = await timed(async () => {
        await all.reload(read);
        rows = mergeRows(rows, nodesOf(all)).rows;
      });
      return { 'first rows': first.ms, refresh: refresh.ms, held: Math.max(first.held, refresh.held) };
    };
  },
};
