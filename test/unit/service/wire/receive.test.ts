import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { AnswerTooLargeError, receive } from '../../../../src/service/wire/receive';

/** A body of `count` chunks of `size` bytes, which counts the chunks that are taken from it. */
function bodyOf(count: number, size: number): { body: Readable; taken: () => number } {
  let taken = 0;
  const body = Readable.from(
    (function* () {
      for (; taken < count; taken++) yield Buffer.alloc(size, taken % 256);
    })(),
    { objectMode: false, highWaterMark: 1 },
  );
  return { body, taken: () => taken };
}

describe('a received body', () => {
  it('is complete up to its limit, in chunks of any size, whatever length was announced', async () => {
    for (const [count, size] of [
      [0, 1],
      [1, 1],
      [3000, 1],
      [7, 1000],
      [1, 100_000],
    ] as const) {
      for (const announced of [undefined, String(count * size), '1', 'x', '-1', '100000']) {
        const bytes = await receive(bodyOf(count, size).body, announced, 100_000, 'reject');
        const expected = Array.from({ length: count }, (_, at) => Buffer.alloc(size, at % 256));
        assert.ok(Buffer.concat(expected).equals(bytes), `${count} times ${size}, announced ${announced}`);
      }
    }
  });

  it('is rejected without being read when its announced length is beyond the limit', async () => {
    const { body, taken } = bodyOf(10, 10);
    await assert.rejects(receive(body, '10000000000', 50, 'reject'), AnswerTooLargeError);
    assert.ok(body.destroyed);
    assert.equal(taken(), 0);
  });

  it('is not read any further once it is beyond the limit', async () => {
    for (const tooLong of ['reject', 'cut'] as const) {
      const { body, taken } = bodyOf(1_000_000, 10);
      const received = receive(body, undefined, 55, tooLong);
      if (tooLong === 'cut') assert.equal((await received).length, 55);
      else await assert.rejects(received, AnswerTooLargeError);
      assert.ok(body.destroyed);
      assert.ok(taken() < 20, `${taken()} chunks`);
    }
  });

  it('rejects with the error of its stream', async () => {
    const body = new Readable({ read: () => body.destroy(new Error('closed')) });
    await assert.rejects(receive(body, undefined, 10, 'reject'), /closed/);
  });
});
