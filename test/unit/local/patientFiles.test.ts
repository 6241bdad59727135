import assert from 'node:assert/strict';
import { patiently } from '../../../src/local/patientFiles';

describe('what is done with files', () => {
  /** Acts where the first attempts are refused. Resolves to how many there were, and how long it waited in between, in milliseconds. */
  async function attempts(platform: NodeJS.Platform, refusals: readonly string[]): Promise<string> {
    let [count, waited] = [0, 0];
    const act = (): Promise<string> => {
      const code = refusals[count++];
      return code === undefined ? Promise.resolve('done') : Promise.reject(Object.assign(new Error(code), { code }));
    };
    const end = await patiently(act, { platform, pause: (ms) => Promise.resolve((waited += ms)) }).catch(
      (error: unknown) => (error instanceof Error ? error.message : ''),
    );
    return `${end} after ${count} attempts and ${waited} ms`;
  }

  it('is tried again on Windows while another program has a file open, for a second', async () => {
    assert.equal(await attempts('win32', []), 'done after 1 attempts and 0 ms');
    assert.equal(await attempts('win32', ['EBUSY', 'EPERM', 'EACCES']), 'done after 4 attempts and 150 ms');
    assert.equal(await attempts('win32', new Array<string>(100).fill('EPERM')), 'EPERM after 20 attempts and 950 ms');
    assert.equal(await attempts('win32', ['ENOENT']), 'ENOENT after 1 attempts and 0 ms');
  });

  it('fails at once on systems where files that are open can be renamed and read', async () => {
    for (const platform of ['linux', 'darwin'] as const)
      assert.equal(await attempts(platform, ['EPERM']), 'EPERM after 1 attempts and 0 ms');
  });
});
