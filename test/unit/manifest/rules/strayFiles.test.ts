import assert from 'node:assert/strict';
import { checkManifest } from '../checkManifest';

describe('manifest check of reserved names', () => {
  it('refuses a name that begins with an underscore in a push, and warns of it for --load-extension', async () => {
    const files = { '_next/a.js': '' };
    assert.deepEqual(
      (await checkManifest({}, files)).map(({ severity }) => severity),
      ['error'],
    );
    assert.deepEqual(
      (await checkManifest({}, files, { loadedBy: 'flag' })).map(({ severity }) => severity),
      ['warning'],
    );
  });
});
