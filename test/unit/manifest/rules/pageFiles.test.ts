import assert from 'node:assert/strict';
import { deliveryFilter } from '../../../../src/archive/choice';
import type { CaseFile } from '../../../oracle/caseFolder';
import { checkManifest, onlyOf } from '../checkManifest';

describe('manifest check of what pages load', () => {
  const FILES: Record<string, CaseFile> = {
    'ui/popup.html': '',
    'box.html': '',
    'node_modules/lib/lib.js': '',
    'node_modules/lib/lib.css': '',
  };

  const found = async (page: string, options: Parameters<typeof deliveryFilter>[0] = {}) => {
    const manifest = { action: { default_popup: 'ui/popup.html?a=1' }, sandbox: { pages: ['box.html'] } };
    const isDelivered = deliveryFilter(options);
    const findings = await checkManifest(manifest, { ...FILES, 'ui/popup.html': page }, { isDelivered });
    return findings.filter(({ rule }) => rule === 'R-PAGE-FILES');
  };

  it('warns of a script in a folder of packages, at its place in the page, and offers to include it', async () => {
    const finding = onlyOf(await found('<!-- é -->\n<script src="../node_modules/lib/lib.js?v=1"></script>'));
    assert.deepEqual([finding.severity, finding.file, finding.range.start.line], ['warning', 'ui/popup.html', 1]);
    assert.match(finding.message, /node_modules\/lib\/lib\.js, which is left out/);
    assert.deepEqual(finding.fix?.setting, { list: 'include', path: 'node_modules/lib/lib.js' });
  });

  it('warns of what is named from the root, and of what a pattern of the user leaves out', async () => {
    assert.equal((await found('<link rel="stylesheet" href="/node_modules/lib/lib.css">')).length, 1);
    assert.equal((await found('<iframe src="../box.html"></iframe>', { exclude: ['box.html'] })).length, 1);
  });

  it('says nothing of what is pushed, is not there, or comes from elsewhere', async () => {
    const include = ['node_modules/lib/lib.js'];
    assert.deepEqual(await found('<script src="../node_modules/lib/lib.js"></script>', { include }), []);
    for (const address of [
      '../node_modules/lib/gone.js',
      '//cdn.test/node_modules/lib/lib.js',
      'data:text/css,',
      '#a',
    ]) {
      assert.deepEqual(await found(`<script src="${address}"></script>`), [], address);
    }
  });

  it('says nothing of a page that is left out', async () => {
    const page = '<script src="../node_modules/lib/lib.js"></script>';
    assert.deepEqual(await found(page, { exclude: ['ui'] }), []);
  });
});
