import assert from 'node:assert/strict';
import { AddressSwap } from '../../standins/addressSwap';

describe('AddressSwap', () => {
  const text = 'a 127.0.0.1:40001 b 127.0.0.1:40002 c 127.0.0.1:400 ws://127.0.0.1:40001/x';
  const swapped = 'a 127.0.0.1:50005 b 127.0.0.1:40002 c 127.0.0.1:400 ws://127.0.0.1:50005/x';

  it('replaces the address wherever the stream is cut', () => {
    for (let cut = 0; cut <= text.length; cut++) {
      const swap = new AddressSwap(40001, 50005);
      const parts = [swap.next(Buffer.from(text.slice(0, cut))), swap.next(Buffer.from(text.slice(cut))), swap.rest()];
      assert.equal(Buffer.concat(parts).toString(), swapped, `cut at ${cut}`);
    }
  });

  it('replaces the address in a stream of single bytes', () => {
    const swap = new AddressSwap(40001, 50005);
    const parts = [...Buffer.from(text)].map((byte) => swap.next(Buffer.from([byte])));
    assert.equal(Buffer.concat([...parts, swap.rest()]).toString(), swapped);
  });

  it('holds nothing back but digits of what may be the port', () => {
    const swap = new AddressSwap(40001, 50005);
    assert.equal(swap.next(Buffer.from('n = 127.0.0.1:')).toString(), 'n = 127.0.0.1:');
    assert.equal(swap.next(Buffer.from('400')).toString(), '');
    assert.equal(swap.next(Buffer.from('9')).toString(), '4009');
    assert.equal(swap.rest().toString(), '');
  });

  it('refuses ports of different lengths', () => {
    assert.throws(() => new AddressSwap(4000, 50005));
  });
});
