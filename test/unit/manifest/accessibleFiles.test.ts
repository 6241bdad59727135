import assert from 'node:assert/strict';
import { accessibleFiles } from '../../../src/manifest/accessibleFiles';

describe('the files that web pages may load', () => {
  const isAccessible = (resources: unknown, path: string): boolean =>
    accessibleFiles({ web_accessible_resources: [{ resources, matches: ['<all_urls>'] }] })(path);

  it('are named by paths, with and without a slash in front, and by stars for any part of them', () => {
    const found: [string, string, boolean][] = [
      ['inject.js', 'inject.js', true],
      ['/inject.js', 'inject.js', true],
      ['inject.js', 'lib/inject.js', false],
      ['*', 'lib/inject.js', true],
      ['lib/*', 'lib/a/b.css', true],
      ['*.css', 'lib/a/b.css', true],
      ['lib/*/b.*', 'lib/a/b.css', true],
      ['lib/*/b.*', 'lib/a/c.css', false],
    ];
    for (const [pattern, path, isFound] of found)
      assert.equal(isAccessible([pattern], path), isFound, `${pattern} ${path}`);
  });

  it('are those of any entry, and none of a manifest that names none or something else', () => {
    const entries = [{ resources: ['a.js'] }, { resources: ['b.js'], use_dynamic_url: true }];
    assert.ok(['a.js', 'b.js'].every(accessibleFiles({ web_accessible_resources: entries })));
    for (const other of [undefined, 'a.js', ['a.js'], [{ resources: 'a.js' }]])
      assert.equal(accessibleFiles({ web_accessible_resources: other })('a.js'), false);
  });
});
