// Covers: src/editor/settings.ts, package.json
import assert from 'node:assert/strict';
import { workspace } from 'vscode';
import { SETTINGS } from '../../src/ids';

describe('settings', () => {
  it('of the service cannot be set by a workspace', async () => {
    for (const name of [SETTINGS.service, SETTINGS.serviceUrl, SETTINGS.project, SETTINGS.browserPath]) {
      const configuration = workspace.getConfiguration();
      assert.ok(configuration.inspect(name)?.defaultValue !== undefined, `${name} is unknown to the editor`);
      await assert.rejects(Promise.resolve(configuration.update(name, 'https://example.com', false)), name);
    }
  });

  it('have the defaults of package.json', () => {
    const all = workspace.getConfiguration();
    assert.equal(all.get(SETTINGS.service), 'local');
    assert.equal(all.get(SETTINGS.pushOnSave), 'off');
    assert.equal(all.get(SETTINGS.headless), 'auto');
    assert.deepEqual(all.get(SETTINGS.exclude), []);
  });
});
