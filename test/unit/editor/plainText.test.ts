import assert from 'node:assert/strict';
import { plainText, withIcon } from '../../../src/editor/plainText';

/** What VS Code makes links and icons of (source: `linkedText.ts` and `iconLabels.ts` of VS Code 1.105). */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const ICON = /(\\)?\$\(([A-Za-z0-9-]+(?:~[A-Za-z]+)?)\)/;

describe('a text for VS Code', () => {
  it('contains no link, whatever it is put together from', () => {
    const texts = [
      '[Run](command:workbench.action.quit)',
      'a [Click](https://example.com "title") b [c](file:///etc/passwd)',
      '[a]\u202e(command:x)',
      '[a]\u0007\u200e(command:x)',
      '[a]\u2028(command:x)',
      `[${'a'.repeat(900)}](command:x)`,
    ];
    for (const text of texts) {
      assert.match(text.replace(/[^\p{ASCII}\p{L}]|\p{Cc}/gu, ''), LINK);
      assert.doesNotMatch(plainText(text), LINK, text);
      assert.doesNotMatch(plainText(plainText(text)), LINK, text);
    }
  });

  it('contains no icon but the one that is put in front', () => {
    for (const text of ['$(trash)', 'a $(sync~spin) b', '\\$(x)', '$\u200f(x)', '$$(x)']) {
      assert.doesNotMatch(plainText(text), ICON);
      assert.match(withIcon('check', text), /^\$\(check\) /);
      assert.doesNotMatch(withIcon('check', text).slice('$(check)'.length), ICON);
    }
  });

  it('looks the same otherwise', () => {
    const texts = ['', 'x[0](1) is not a function', 'f(a) $5 (b) [c] (d)', 'ไทย 👩‍💻 עברית https://a.b/c?d=(e)'];
    for (const text of texts) assert.equal(plainText(text).replaceAll('\u200b', ''), text);
    assert.equal(plainText('f(a) [c] (d) $ (e)'), 'f(a) [c] (d) $ (e)');
  });

  it('is on one line and in one order', () => {
    assert.equal(plainText('a\r\n\tb\u0000\u001b[31mc\u0085d\u2028e'), 'a b [31mc d e');
    assert.equal(plainText('\u061ca\u200eb\u200fc\u202ad\u202ee\u2066f\u2069g'), 'abcdefg');
  });

  it('is cut when it is long, before it is looked through', () => {
    assert.equal(plainText('x'.repeat(5000)), `${'x'.repeat(1000)}…`);
  });
});
