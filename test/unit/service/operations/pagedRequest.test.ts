import assert from 'node:assert/strict';
import { ServiceError } from '../../../../src/service/serviceErrors';
import type { Operation } from '../../../../src/service/operations/operation';
import { pages, readPage, type List } from '../../../../src/service/operations/pagedRequest';
import type { HttpResponse } from '../../../../src/service/wire/http';

const LIST: List<{ id: string }> = {
  name: 'listThings',
  path: ['things'],
  query: { query: 'x' },
  item: (value) => {
    assert(typeof value === 'number');
    return { id: `t${value}` };
  },
};

/** A page of numbers as the service sends it. */
function page(items: readonly number[], headers: Record<string, string> = {}): HttpResponse {
  return { status: 200, headers, bytes: new TextEncoder().encode(JSON.stringify(items)) };
}

/** Reads the whole list from a service that answers with `answer`; gives the ids and the offsets that were asked for. */
async function readAll(answer: (offset: number) => HttpResponse): Promise<{ ids: string[]; offsets: number[] }> {
  const offsets: number[] = [];
  const run = <T>(operation: Operation<T>): Promise<T> => {
    const offset = Number(operation.query?.['offset']);
    offsets.push(offset);
    assert.equal(operation.query?.['limit'], 100);
    assert.equal(operation.query['query'], 'x');
    return Promise.resolve(operation.read(answer(offset)));
  };
  const ids: string[] = [];
  for await (const thing of pages(LIST, run)) ids.push(thing.id);
  return { ids, offsets };
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);
const idsOf = (from: number, to: number): string[] => numbers(from, to).map((number) => `t${number}`);

describe('a list', () => {
  it('is read page by page with the absolute next offset', async () => {
    const { ids, offsets } = await readAll((offset) =>
      page(numbers(offset, Math.min(offset + 100, 250)), {
        'x-has-more': String(offset + 100 < 250),
        'x-next-offset': offset + 100 < 250 ? String(offset + 100) : '0',
      }),
    );
    assert.deepEqual(ids, idsOf(0, 250));
    assert.deepEqual(offsets, [0, 100, 200]);
  });

  it('has one page when the response has no paging headers', async () => {
    assert.deepEqual((await readAll(() => page([1, 2]))).offsets, [0]);
    assert.deepEqual(await readAll(() => page([])), { ids: [], offsets: [0] });
  });

  it('counts its items when the next offset is missing, does not advance, is not a number or skips a page', async () => {
    for (const next of [undefined, '0', '2', '-5', 'soon', '1000000', '1e9']) {
      const { ids } = await readAll((offset) =>
        page(offset < 6 ? numbers(offset, offset + 2) : [], {
          'x-has-more': 'true',
          ...(next === undefined ? {} : { 'x-next-offset': next }),
        }),
      );
      assert.deepEqual(ids, idsOf(0, 6), `next offset ${next}`);
    }
  });

  it('is read one page at a time on request, which names the offset of the next one', async () => {
    const asked: unknown[] = [];
    const read = async (offset: number): Promise<{ ids: string[]; next: number | undefined }> => {
      const { items, next } = await readPage(LIST, offset, (operation) => {
        asked.push(operation.query?.['offset']);
        const isLast = offset === 100;
        return Promise.resolve(operation.read(page(numbers(offset, offset + 3), { 'x-has-more': String(!isLast) })));
      });
      return { ids: items.map(({ id }) => id), next };
    };
    assert.deepEqual(await read(0), { ids: idsOf(0, 3), next: 3 });
    assert.deepEqual(await read(100), { ids: idsOf(100, 103), next: undefined });
    assert.deepEqual(asked, [0, 100]);
  });

  it('ends when a page is repeated, and contains each item once', async () => {
    const { ids, offsets } = await readAll(() => page([1, 2], { 'x-has-more': 'true', 'x-next-offset': '2' }));
    assert.deepEqual(ids, ['t1', 't2']);
    assert.deepEqual(offsets, [0, 2]);
  });

  it('contains each item once, even if new ones move it to the next page', async () => {
    const { ids } = await readAll((offset) =>
      offset === 0
        ? page([1, 2, 3], { 'x-has-more': 'true', 'x-next-offset': '3' })
        : page([3, 4], { 'x-has-more': 'false' }),
    );
    assert.deepEqual(ids, ['t1', 't2', 't3', 't4']);
  });

  it('contains each item once, even if a page repeats it', async () => {
    assert.deepEqual((await readAll(() => page([1, 2, 1]))).ids, ['t1', 't2']);
  });

  it('fails when it does not end', async () => {
    await assert.rejects(
      readAll((offset) => page([offset], { 'x-has-more': 'true' })),
      (error) =>
        error instanceof ServiceError && error.kind === 'invalidAnswer' && error.message.includes('1000 pages'),
    );
  });

  it('requests only the pages that are read', async () => {
    let asked = 0;
    const run = <T>(operation: Operation<T>): Promise<T> => {
      asked += 1;
      return Promise.resolve(operation.read(page([asked], { 'x-has-more': 'true', 'x-next-offset': String(asked) })));
    };
    for await (const thing of pages(LIST, run)) if (thing.id === 't2') break;
    assert.equal(asked, 2);
  });
});
