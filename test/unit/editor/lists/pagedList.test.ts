import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { mergeRows } from '../../../../src/editor/lists/listRows';
import { browserNode, type Node } from '../../../../src/editor/lists/nodes';
import { PagedList } from '../../../../src/editor/lists/pagedList';
import type { Identified, ListPage } from '../../../../src/service/operations/pagedRequest';
import { ServiceClient } from '../../../../src/service/client';
import { silentLogger } from '../../../../src/service/logger';
import type { Browser } from '../../../../src/service/model';

const COUNT = 10_000;
const NOW = Date.parse('2026-05-01T12:00:00Z');

/** Reads from the numbers below `count`, three at a time, and notes the offsets. */
function numbers(count: () => number, offsets: number[] = []) {
  return (offset: number): Promise<ListPage<Identified>> => {
    offsets.push(offset);
    const end = Math.min(offset + 3, count());
    const items = Array.from({ length: Math.max(0, end - offset) }, (_, at) => ({ id: String(offset + at) }));
    return Promise.resolve({ items, next: end < count() ? end : undefined });
  };
}

const idsOf = ({ items }: PagedList<Identified>): number[] => items.map(({ id }) => Number(id));

describe('a list in pages', () => {
  it('reads one page at first, further ones on request, and on a reload as many as before', async () => {
    const offsets: number[] = [];
    const list = new PagedList<Identified>();
    const read = numbers(() => 8, offsets);
    await list.reload(read);
    assert.deepEqual([idsOf(list), list.hasMore], [[0, 1, 2], true]);
    await list.readMore(read);
    await list.reload(read);
    assert.deepEqual([idsOf(list), list.hasMore], [[0, 1, 2, 3, 4, 5], true]);
    await list.readMore(read);
    assert.deepEqual([list.items.length, list.hasMore], [8, false]);
    await list.readMore(read);
    assert.deepEqual(offsets, [0, 3, 0, 3, 6]);
  });

  it('has each item once, becomes shorter with the list, and is as it was when a page cannot be read', async () => {
    let count = 6;
    const list = new PagedList<Identified>();
    const read = numbers(() => count);
    await list.reload(read);
    await list.readMore(() => Promise.resolve({ items: [{ id: '2' }, { id: '3' }], next: undefined }));
    assert.deepEqual(idsOf(list), [0, 1, 2, 3]);
    await assert.rejects(
      list.reload((offset) => (offset === 0 ? read(0) : Promise.reject(new Error('no')))),
      /no/,
    );
    assert.deepEqual(idsOf(list), [0, 1, 2, 3]);
    count = 2;
    await list.reload(read);
    assert.deepEqual([idsOf(list), list.hasMore], [[0, 1], false]);
    list.remove('0');
    assert.deepEqual(idsOf(list), [1]);
  });

  it('has nothing again that was removed while it was read, until it is read once more', async () => {
    const list = new PagedList<Browser>();
    const page = { items: [browser(1), browser(2)], next: undefined };
    let answer: (page: ListPage<Browser>) => void = () => undefined;
    const reading = list.reload(() => new Promise((resolve) => (answer = resolve)));
    list.remove('s1');
    answer(page);
    await reading;
    assert.deepEqual(
      list.items.map(({ id }) => id),
      ['s2'],
    );
    await list.reload(() => Promise.resolve(page));
    assert.equal(list.items.length, 2);
  });
});

describe('a list of 10,000 browsers', () => {
  const paths: string[] = [];
  let server: Server;
  let client: ServiceClient;

  before(async () => {
    server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      paths.push(url.search);
      const [limit, offset] = ['limit', 'offset'].map((name) => Number(url.searchParams.get(name)));
      const end = Math.min((offset ?? 0) + (limit ?? 0), COUNT);
      response.setHeader('content-type', 'application/json');
      response.setHeader('x-has-more', String(end < COUNT));
      response.setHeader('x-next-offset', String(end < COUNT ? end : 0));
      response.end(JSON.stringify(Array.from({ length: end - (offset ?? 0) }, (_, at) => browser((offset ?? 0) + at))));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    assert.ok(typeof address === 'object' && address);
    client = new ServiceClient({ baseUrl: new URL(`http://127.0.0.1:${address.port}/`), log: silentLogger });
  });

  after(async () => {
    await client.close();
    server.close();
  });

  it('has its first rows after one request, and draws only what has changed after a refresh', async () => {
    const list = new PagedList<Browser>();
    const rowOf = (item: Browser): Node<Browser> => browserNode(item, { role: 'none', now: NOW });
    const read = (offset: number): Promise<ListPage<Browser>> => client.pageOfBrowsers({}, offset);
    await list.reload(read);
    const first = await mergeRows([], list.items, rowOf);
    assert.deepEqual([first.rows.length, list.hasMore, paths.length], [100, true, 1]);

    await list.readMore(read);
    assert.deepEqual([list.items.length, paths.length], [200, 2]);
    const second = await mergeRows(first.rows, list.items, rowOf);
    assert.equal(second.isSameOrder, false);
    assert.equal(second.rows[0], first.rows[0]);

    await list.reload(read);
    const third = await mergeRows(second.rows, list.items, rowOf);
    assert.deepEqual([third.isSameOrder, third.changed], [true, []]);
    const targetOf = (item: Browser): Node<Browser> =>
      item.id === 's7' ? browserNode(item, { role: 'target', now: NOW }) : rowOf(item);
    const fourth = await mergeRows(third.rows, list.items, targetOf);
    assert.deepEqual([fourth.isSameOrder, fourth.changed], [true, [third.rows[7]]]);
    assert.match(third.rows[7]?.description ?? '', /^target · /);
  });

  it('sends a search to the service', async () => {
    paths.length = 0;
    await client.pageOfBrowsers({ query: 'a b' }, 0);
    assert.deepEqual(paths, ['?query=a%20b&limit=100&offset=0']);
  });
});

function browser(number: number): Browser {
  return {
    id: `s${number}`,
    createdAt: '2026-05-01T11:57:30Z',
    devToolsUrl: 'ws://127.0.0.1/cdp',
    webDriverUrl: '',
    headless: true,
    stealth: false,
    timeoutSeconds: 60,
    name: `browser-${number}`,
  };
}
