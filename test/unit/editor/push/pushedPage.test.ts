import assert from 'node:assert/strict';
import { pushedPageAddress } from '../../../../src/editor/push/pushedPage';

const ID = 'abcdefghijklmnopabcdefghijklmnop';

describe('pushedPageAddress', () => {
  const archive = {
    digests: new Map([
      ['example.com', ''],
      ['docs.dev/a.html', ''],
    ]),
  };

  it('takes a file of the archive for a page of the extension, and other names of hosts for the web', () => {
    assert.equal(pushedPageAddress(ID, archive, 'example.com'), `chrome-extension://${ID}/example.com`);
    assert.equal(pushedPageAddress(ID, archive, 'docs.dev/a.html#b'), `chrome-extension://${ID}/docs.dev/a.html#b`);
    assert.equal(pushedPageAddress(ID, archive, 'docs.dev/b.html'), 'https://docs.dev/b.html');
    assert.equal(pushedPageAddress(ID, undefined, 'example.com'), 'https://example.com/');
  });
});
