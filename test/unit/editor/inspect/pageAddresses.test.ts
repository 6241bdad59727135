import assert from 'node:assert/strict';
import { pageAddresses } from '../../../../src/editor/inspect/pageAddresses';

const [FIRST, SECOND] = ['a'.repeat(32), 'b'.repeat(32)];

/** Says which paths are files of an extension. */
const files =
  (...all: string[]) =>
  (path: string): boolean =>
    all.includes(path.replace(/^\//, ''));

describe('the address of a page in several browsers', () => {
  const builds = [
    { id: FIRST, isFile: files('popup.html', 'docs.v2/first.html') },
    { id: SECOND, isFile: files('popup.html', 'second.html') },
  ];

  it('is that of the extension that runs in each', () => {
    assert.deepEqual(pageAddresses('popup.html?a', builds), [
      `chrome-extension://${FIRST}/popup.html?a`,
      `chrome-extension://${SECOND}/popup.html?a`,
    ]);
  });

  it('is missing where the extension has no such file', () => {
    assert.deepEqual(pageAddresses('second.html', builds), [undefined, `chrome-extension://${SECOND}/second.html`]);
    assert.deepEqual(pageAddresses('no-such.html', builds), [undefined, undefined]);
  });

  it('is none of the web where a file of another extension has that path', () => {
    assert.deepEqual(pageAddresses('docs.v2/first.html', builds), [
      `chrome-extension://${FIRST}/docs.v2/first.html`,
      undefined,
    ]);
  });

  it('is there where the files are not known', () => {
    const [, known] = builds;
    assert.ok(known);
    assert.deepEqual(pageAddresses('first.html', [{ id: FIRST }, known]), [
      `chrome-extension://${FIRST}/first.html`,
      undefined,
    ]);
  });

  it('is the same of the web in all', () => {
    assert.deepEqual(pageAddresses('example.com/a', builds), ['https://example.com/a', 'https://example.com/a']);
  });
});
