import assert from 'node:assert/strict';
import { checkCase } from '../checkManifest';

describe('manifest check of icons', () => {
  it('reports missing and empty icons of the extension and of its button', async () => {
    const manifest = { icons: { 16: '/gone.png', 32: 'empty.svg' }, action: { default_icon: { 16: 'gone.jpg' } } };
    const { findings } = await checkCase(manifest, { 'empty.svg': '' });
    assert.deepEqual(
      findings.map(({ chromium }) => chromium),
      [
        "Could not load icon 'gone.png' specified in 'icons'.",
        "Could not load icon 'empty.svg' specified in 'icons'.",
        "Could not load icon 'gone.jpg' specified in 'action'.",
      ],
    );
  });

  it('warns of a file whose name is not that of a picture, missing or not', async () => {
    const { findings } = await checkCase({ icons: { 16: 'gone.txt' }, action: { default_icon: 'gone.pdf' } });
    assert.deepEqual(
      findings.map(({ severity, chromium }) => [severity, chromium]),
      [
        ['warning', 'Invalid mime type for \'icons["16"]\'.'],
        ['warning', "Invalid mime type for 'default_icon'."],
      ],
    );
  });
});
