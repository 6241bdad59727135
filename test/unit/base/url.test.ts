import assert from 'node:assert/strict';
import { urlOf } from '../../../src/base/url';

/** After how many calls V8 has certainly optimised a function that is called with the same kind of text. */
const MANY = 20_000;

describe('a URL', () => {
  it('is read from what new URL takes, and from nothing else', () => {
    assert.equal(urlOf('http://localhost:5173/a')?.port, '5173');
    assert.equal(urlOf('../b', 'https://example.com/a/c')?.href, 'https://example.com/b');
    for (const text of ['', 'a', '//a', 'http://', 'http://a:99999']) assert.equal(urlOf(text), undefined, text);
  });

  it('is read from Latin-1 characters after many calls as in the first one', () => {
    // The bytes of an address in UTF-8, as in the header of a request.
    const bytes = Buffer.from('http:π//localhost', 'utf8').toString('latin1');
    for (let call = 0; call < MANY; call++) {
      if (urlOf(bytes) !== undefined) assert.fail(`call ${call} takes what is none`);
    }
    for (let call = 0; call < MANY; call++) {
      if (urlOf('http://zoë.example/é')?.host !== 'xn--zo-ija.example') assert.fail(`call ${call} refuses a URL`);
    }
  });
});
