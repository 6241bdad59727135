import assert from 'node:assert/strict';
import { checkManifest } from './checkManifest';

describe('manifest check of what depends on the browser', () => {
  const cases: [string, object, string][] = [
    ['WebGL', { requirements: { '3D': { features: ['webgl'] } } }, 'WebGL is not supported.'],
    ['a newer version', { minimum_chrome_version: '999' }, 'This extension requires Chromium version 999 or greater.'],
    [
      'shortcuts for other systems alone',
      { commands: { a: { description: 'A', suggested_key: { mac: 'Ctrl+Y' } } } },
      "Could not find key specification for 'command[1].suggested_key': Either specify a key for 'linux', or specify a default key.",
    ],
  ];
  for (const [what, manifest, text] of cases) {
    it(`warns of ${what}, with the text of the browsers that refuse it`, async () => {
      const [finding, ...others] = await checkManifest(manifest);
      assert.deepEqual(others, []);
      assert.deepEqual([finding?.severity, finding?.chromium, finding?.dependsOnBrowser], ['warning', text, true]);
      assert.ok(finding?.message.includes(text));
    });
  }

  it('refuses shortcuts that are for no system at all', async () => {
    for (const suggested_key of [{}, { win: 'Ctrl+Y' }]) {
      const [finding] = await checkManifest({ commands: { a: { description: 'A', suggested_key } } });
      assert.deepEqual([finding?.rule, finding?.severity], ['R-CMD-PLATFORM', 'error']);
    }
  });
});
