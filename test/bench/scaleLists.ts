import { browserNode, profileNode, type Node } from '../../src/editor/lists/nodes';
import { ListRows } from '../../src/editor/lists/listRows';
import { PagedList } from '../../src/editor/lists/pagedList';
import { ProfileUsers } from '../../src/editor/lists/profileUsers';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import type { Browser, Profile } from '../../src/service/model';
import { FakeService } from '../standins/fakeService';
import { atEnd } from '../support/cleanup';
import { HELD, timed, type ScaleCase } from './scaleCase';

const TOKEN = 'token';

/** The lists of a service, up to the rows that VS Code gets: its browsers, and as many profiles, each used by one of them. */
export const lists: ScaleCase = {
  things: 'browsers in a list',
  full: 10_000,
  figures: {
    'first rows': { growth: 1.5, most: 200 },
    refresh: { growth: 12 },
    profiles: {},
    ...HELD,
  },
  prepare: async (_bench, count) => {
    const service = await FakeService.start(TOKEN);
    atEnd('the service with lists', () => service.stop());
    service.sessions = Array.from({ length: count }, (_, at) => ({ session_id: `s${at}`, name: `many-${at}` }));
    const client = new ServiceClient({ baseUrl: parseBaseUrl(service.baseUrl), token: TOKEN, log: silentLogger });
    atEnd('its client', () => client.close());
    const read = (offset: number): ReturnType<typeof client.pageOfBrowsers> => client.pageOfBrowsers({}, offset);
    const rowOf = (browser: Browser): Node<Browser> => browserNode(browser, { role: 'none', now: Date.now() });
    const show = ({ items, hasMore }: PagedList<Browser>, rows: ListRows<Browser>): Promise<unknown> =>
      rows.update(items, rowOf, { canRetry: false, hasMore });
    const [all, rows] = [new PagedList<Browser>(), new ListRows<Browser>()];
    await all.reload(read);
    while (all.hasMore) await all.readMore(read);
    await show(all, rows);
    if (rows.shown.length !== count) throw new Error(`there are ${rows.shown.length} rows`);
    const profiles = Array.from({ length: count }, (_, at): Profile => ({ id: `p${at}`, name: `profile-${at}` }));
    const users = all.items.map((browser, at): Browser => ({ ...browser, profile: { id: `p${at}` } }));
    return async () => {
      const first = await timed(async () => {
        const list = new PagedList<Browser>();
        await list.reload(read);
        await show(list, new ListRows<Browser>());
      });
      const refresh = await timed(async () => {
        await all.reload(read);
        await show(all, rows);
      });
      const profileRows = await timed(async () => {
        const using = new ProfileUsers(users);
        const profileRow = (profile: Profile): Node<Profile> =>
          profileNode(profile, using.of(profile), { now: Date.now() });
        await new ListRows<Profile>().update(profiles, profileRow, { canRetry: false, hasMore: false });
      });
      const held = Math.max(first.held, refresh.held, profileRows.held);
      return { 'first rows': first.ms, refresh: refresh.ms, profiles: profileRows.ms, held };
    };
  },
};
