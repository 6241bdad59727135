// Covers: src/programs/uninstall.ts, src/service/localEnd.ts, src/service/serviceNotes.ts, src/local/instance
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import manifest from '../../package.json';
import { endLocalService } from '../../src/service/localEnd';
import { noteService } from '../../src/service/serviceNotes';
import { noBrowserLeft, processesWith } from './processes';
import { newFolder, TestService } from './service';
import { programPath } from './shippedPrograms';

const run = promisify(execFile);

describe('what runs when Sideload is uninstalled', function () {
  this.timeout(60_000);
  let folder = '';
  const at = (...names: string[]): string => join(folder, ...names);

  /** Runs what package.json names, in a folder as an editor has it, with the state of the user in another one. */
  async function uninstall(extensions = at('extensions')): Promise<void> {
    const [program = '', script = '', ...more] = manifest.scripts['vscode:uninstall'].split(' ');
    assert.deepEqual([program, more], ['node', []], 'VS Code runs nothing else');
    const installed = join(extensions, 'sideload.sideload-0.9.0');
    const built = await programPath('uninstall');
    await cp(dirname(built), join(installed, 'dist'), { recursive: true });
    assert.equal(basename(script), basename(built));
    await run(process.execPath, [join(installed, script)], { env: { ...process.env, XDG_STATE_HOME: at('state') } });
  }

  const note = (dataDir: string, extensions: string): Promise<void> =>
    noteService(at('state', 'sideload', 'pushes'), { dataDir, extensions });

  beforeEach(async () => {
    folder = await newFolder();
  });
  afterEach(async () => {
    for (const name of ['own', 'other']) await endLocalService(at(name));
    await noBrowserLeft(folder, 20_000);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('ends the service of that editor with its browsers, and none of another one', async function () {
    // The folder for state has a name of its own elsewhere.
    if (process.platform !== 'linux') this.skip();
    const [own, other] = await Promise.all([
      TestService.start(['--shared'], at('own')),
      TestService.start(['--shared'], at('other')),
    ]);
    await own.request('/sideload/lease', { signal: new AbortController().signal });
    await own.client.browsers.create();
    await own.client.profiles.create({ name: 'kept' });
    await note(at('own'), at('extensions'));
    await note(at('other'), at('extensions of another editor'));
    await uninstall();
    assert.equal((await own.exited).code, 0);
    assert.deepEqual(await processesWith(at('own', 'sessions')), []);
    assert.equal((await other.request('/sideload/health')).status, 200);
    assert.deepEqual(await readdir(at('own', 'sessions')), [], 'what the browsers had is left');
    assert.equal((await readdir(at('own', 'profiles'))).length, 1, 'what was stored stays');
    assert.equal((await readdir(at('state', 'sideload', 'pushes'))).length, 1, 'its note is left');
  });

  it('knows the editor by any of the paths that lead to its extensions', async function () {
    if (process.platform !== 'linux') this.skip();
    await mkdir(at('real'));
    await symlink(at('real'), at('linked'));
    const own = await TestService.start(['--shared'], at('own'));
    await own.request('/sideload/lease', { signal: new AbortController().signal });
    // Node.js follows the link to the script that it runs; the editor has not.
    await note(at('own'), at('linked'));
    await uninstall(at('linked'));
    assert.equal((await own.exited).code, 0);
  });

  it('has nothing to say without notes, and about notes that nobody can read', async () => {
    await uninstall();
    await mkdir(at('state', 'sideload', 'pushes'), { recursive: true });
    await writeFile(at('state', 'sideload', 'pushes', 'service-00.json'), '{');
    await note(at('gone'), at('extensions'));
    await uninstall();
  });
});
