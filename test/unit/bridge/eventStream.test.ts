import assert from 'node:assert/strict';
import { EventStreamReader, type StreamItem } from '../../../src/bridge/eventStream';

/** What a stream says that comes in pieces of so many bytes. */
function itemsOf(stream: string | Buffer, size = Infinity, lastId?: string): StreamItem[] {
  const bytes = Buffer.from(stream);
  const reader = new EventStreamReader(lastId);
  const items: StreamItem[] = [];
  for (let at = 0; at < bytes.length; at += size) items.push(...reader.push(bytes.subarray(at, at + size)));
  return items;
}

const event = (data: string, type = 'message', lastEventId = ''): StreamItem => ({ type, data, lastEventId });

describe('a stream of server-sent events', () => {
  const streams: [what: string, stream: string, items: StreamItem[]][] = [
    ['an event', 'data: one\n\n', [event('one')]],
    ['several lines of data', 'data: one\ndata:two\ndata:  three\n\n', [event('one\ntwo\n three')]],
    ['each kind of line end', 'data: 1\r\rdata: 2\r\n\r\ndata: 3\n\n', [event('1'), event('2'), event('3')]],
    ['a named one', 'event: built\ndata: {}\n\ndata: x\n\n', [event('{}', 'built'), event('x')]],
    [
      'ids, which stay',
      'id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\n',
      [event('a', 'message', '7'), event('b', 'message', '7'), event('c')],
    ],
    ['an id without an event', 'id: 7\n\n', [event('', '', '7')]],
    ['an id that is none', 'id: a\0b\ndata: a\n\n', [event('a')]],
    ['comments, and fields that nobody knows', ': ping\nother: 1\ndata: a\n\n:\n\n', [event('a')]],
    ['a name without data', 'event: built\n\ndata: a\n\n', [event('a')]],
    ['data without a value', 'data\n\ndata\ndata\n\n', [event(''), event('\n')]],
    ['a pause', 'retry: 50\nretry: no\nretry:\n\n', [{ retryMs: 50 }]],
    ['what is cut off at the end', 'data: a\n\ndata: b\n', [event('a')]],
    ['letters of several bytes, after a byte order mark', '\uFEFFdata: äö€😀\n\n', [event('äö€😀')]],
  ];
  for (const [what, stream, items] of streams) {
    it(`has ${what}, in whatever pieces it comes`, () => {
      for (const size of [Infinity, 1, 2, 3, 7]) assert.deepEqual(itemsOf(stream, size), items, `${size} bytes`);
    });
  }

  it('goes on with the id of the stream before', () => {
    assert.deepEqual(itemsOf('data: a\n\n', 1, '41'), [event('a', 'message', '41')]);
  });

  it('ends with an event that is too long', () => {
    const reader = new EventStreamReader();
    const piece = Buffer.alloc(8 * 1024 * 1024, 'x');
    assert.throws(() => {
      for (let time = 0; time < 5; time++) reader.push(piece);
    }, RangeError);
  });
});
