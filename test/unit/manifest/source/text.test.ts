import assert from 'node:assert/strict';
import { Text } from '../../../../src/manifest/source/text';

describe('positions in a text', () => {
  it('count UTF-16 units and columns from 0, without a byte order mark, with every kind of line end', () => {
    const text = new Text(Buffer.from('\uFEFFé😀\r\nb\rc\nd'));
    const positions = ['é', '😀', 'b', 'c', 'd'].map((letter) =>
      text.position(Buffer.from(text.bytes).indexOf(letter)),
    );
    assert.deepEqual(
      positions.map(({ offset, line, column }) => [offset, line, column]),
      [
        [0, 0, 0],
        [1, 0, 1],
        [5, 1, 0],
        [7, 2, 0],
        [9, 3, 0],
      ],
    );
  });

  it('are correct far into a long line', () => {
    const content = '€'.repeat(5000) + 'x';
    const text = new Text(Buffer.from(content));
    assert.equal(text.position(15_000).column, 5000);
    assert.equal(text.position(99_999).offset, 5001);
  });
});
