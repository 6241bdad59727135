import assert from 'node:assert/strict';
import { join } from 'node:path';
import { missingRoots } from '../../../src/programs/mcpOptions';
import { ROOT } from '../../support/paths';

describe('the roots of the server for agents', () => {
  const gone = join(ROOT, 'no such folder');

  it('are refused where none is a folder, with what to do', async () => {
    const file = join(ROOT, 'package.json');
    await assert.rejects(missingRoots([gone, file]), {
      name: 'UsageError',
      message: [gone, file].map((root) => `There is no folder ${root}. Name one that exists with --root.`).join('\n'),
    });
  });

  it('are served where one is a folder, and the others are named', async () => {
    assert.deepEqual(await missingRoots([ROOT]), []);
    assert.deepEqual(await missingRoots([gone, ROOT]), [
      `There is no folder ${gone}. Name one that exists with --root.`,
    ]);
  });
});
