import assert from 'node:assert/strict';
import { deliveryFilter } from '../../../../src/archive/choice';
import { checkManifest, rulesOf } from '../checkManifest';

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

  it('takes no account in a push of reserved names that no archive has: links, and folders without a file that is sent', async () => {
    const files = {
      _empty: { dir: true },
      '_nested/empty': { dir: true },
      _link: { symlink: 'lib' },
      '_left/a.map': '',
      'lib/a.js': '',
    } as const;
    const isDelivered = deliveryFilter({ exclude: ['_left/a.map'] });
    assert.deepEqual(rulesOf(await checkManifest({}, files, { isDelivered })), []);
    assert.deepEqual(rulesOf(await checkManifest({}, files, { isDelivered, loadedBy: 'flag' })), ['R-UNDERSCORE']);
    assert.deepEqual(rulesOf(await checkManifest({}, files)), ['R-UNDERSCORE']);
  });
});
