import assert from 'node:assert/strict';
import { deliveryFilter } from '../../../../src/archive/choice';
import { checkManifest, rulesOf } from '../checkManifest';

describe('manifest check of what is delivered', () => {
  it('warns of secrets, but not of those in node_modules or of examples', async () => {
    const findings = await checkManifest(
      {},
      { '.env': 'A=1', '.env.example': '', 'node_modules/x/.env': '', 'a/id_rsa': '' },
    );
    assert.deepEqual(findings.map(({ rule, file }) => [rule, file]).sort(), [
      ['R-SECRET', '.env'],
      ['R-SECRET', 'a/id_rsa'],
    ]);
  });

  it('warns of more than 50 MiB in all', async () => {
    const half = { base64: Buffer.alloc(26 * 1024 * 1024).toString('base64') };
    assert.deepEqual(rulesOf(await checkManifest({}, { 'a.bin': half })), []);
    assert.deepEqual(rulesOf(await checkManifest({}, { 'a.bin': half, 'b.bin': half })), ['R-SIZE']);
  });

  it('ignores files that are excluded from the archive', async () => {
    const files = {
      '_next/a.js': '',
      '.env': 'A=1',
      'CON.txt': '',
      'big.bin': { base64: Buffer.alloc(51 * 1024 * 1024).toString('base64') },
    };
    assert.deepEqual(rulesOf(await checkManifest({}, files)).sort(), [
      'R-SECRET',
      'R-SIZE',
      'R-UNDERSCORE',
      'R-WINNAMES',
    ]);
    const isDelivered = deliveryFilter({ exclude: ['_next', 'CON.txt', '*.bin'] });
    assert.deepEqual(rulesOf(await checkManifest({}, files, { isDelivered })), []);
  });
});
