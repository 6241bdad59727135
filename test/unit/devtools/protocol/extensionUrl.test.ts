import assert from 'node:assert/strict';
import { pathInExtension } from '../../../../src/devtools/protocol/extensionUrl';

const ID = 'a'.repeat(32);

describe('pathInExtension', () => {
  it('decodes the path of a URL of the extension', () => {
    assert.equal(pathInExtension(`chrome-extension://${ID}/js/caf%C3%A9.js?x#y`, ID), 'js/café.js');
  });

  it('is undefined for other origins and for paths that cannot be decoded', () => {
    for (const url of [`https://${ID}/x.js`, `chrome-extension://${'b'.repeat(32)}/x.js`, '', 'eval']) {
      assert.equal(pathInExtension(url, ID), undefined, url);
    }
    assert.equal(pathInExtension(`chrome-extension://${ID}/%E0%A4%A`, ID), undefined);
  });
});
