import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCli } from '../../../src/programs/cliOptions';
import { pushFolders } from '../../../src/programs/pushCommand';
import { silentLogger } from '../../../src/service/logger';
import { TOKEN_VARIABLE } from '../../../src/service/serviceAddress';
import { DocumentService } from '../../standins/documentService';

describe('the commands push and run', function () {
  this.timeout(30_000);
  const before = { ...process.env };
  let service: DocumentService;
  let root: string;
  let lines: string[];

  beforeEach(async () => {
    service = await DocumentService.start();
    root = await mkdtemp(join(tmpdir(), 'sideload-push-'));
    process.env['XDG_STATE_HOME'] = root;
    process.env[TOKEN_VARIABLE] = service.token;
    lines = [];
    await write('one', { 'manifest.json': '{ "manifest_version": 3, "name": "one", "version": "1.0" }' });
  });

  afterEach(async () => {
    for (const name of ['XDG_STATE_HOME', TOKEN_VARIABLE]) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
    await service.stop();
    await rm(root, { recursive: true, force: true });
  });

  async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
    await mkdir(join(root, folder), { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(root, folder, name), text);
  }

  /** Runs a command for folders below the root; `onLine` is called with each line that it prints. */
  async function run(
    command: string,
    folders: readonly string[],
    options: readonly string[] = [],
    onLine: (line: string) => void = () => undefined,
  ): Promise<number> {
    const paths = folders.map((folder) => join(root, folder));
    const args = [command, ...paths, '--service', service.baseUrl, '--browser', 'brw-1', ...options];
    return await pushFolders(readCli(args), silentLogger, (line) => {
      lines.push(line);
      onLine(line);
    });
  }

  it('print nothing but JSON with --json, also while the browser stays open', async () => {
    const others = process.listeners('SIGTERM');
    const end = (): void => {
      for (const listener of process.listeners('SIGTERM')) if (!others.includes(listener)) listener('SIGTERM');
    };
    assert.equal(await run('run', ['one'], ['--json'], () => setImmediate(end)), 4);
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { outcome: string }).outcome),
      ['unverified'],
    );
  });

  it('say in JSON, too, why a folder was not pushed', async () => {
    await write('one', {
      'manifest.json':
        '{ "manifest_version": 3, "name": "one", "version": "1.0", "background": { "service_worker": "a.js" } }',
      'a.js': '',
    });
    assert.equal(await run('push', ['one'], ['--json', '--exclude', 'a.js']), 1);
    const { outcome, text } = JSON.parse(lines[0] ?? '') as { outcome: string; text: string };
    assert.equal(outcome, 'leftOut');
    assert.match(text, /^NOT RUNNING: Not pushed: It needs files that are left out of the archive: a\.js \(/);
  });

  it('push a folder once that is named twice', async () => {
    assert.equal(await run('push', ['one', 'one/', './one']), 4);
    assert.match(lines.join('\n'), /^DELIVERED, NOT VERIFIED: [^\n]*$/);
    assert.equal(service.uploads.length, 1);
  });
});
