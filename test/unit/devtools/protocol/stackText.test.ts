import assert from 'node:assert/strict';
import { splitStack } from '../../../../src/devtools/protocol/stackText';

const ORIGIN = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';

describe('a stack in a text', () => {
  it('ends the text, and has the places of all scripts, in files with colons, too', () => {
    const [text, places] = splitStack(
      `a\nb\n    at f (${ORIGIN}/x:1.js:2:26)\n    at native\n    at https://e.com/y.js:4:72`,
    );
    assert.equal(text, 'a\nb');
    assert.deepEqual(places, [
      { url: `${ORIGIN}/x:1.js`, line: 1, column: 25 },
      { url: 'https://e.com/y.js', line: 3, column: 71 },
    ]);
  });
});
