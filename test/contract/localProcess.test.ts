import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { connectLocalService, LocalServiceError } from '../../src/service/localProcess';
import { silentLogger } from '../../src/service/logger';
import { eventually } from '../support/eventually';
import { noBrowserLeft, processesWith } from './processes';
import { buildService, newFolder, SCRIPT } from './service';

/** The service waits 10 s for a window to come back, then closes its browsers. */
const END_LIMIT_MS = 20_000;

describe('the local service of a window', function () {
  this.timeout(60_000);
  let dataDir: string;
  const windows: ChildProcess[] = [];

  before(() => buildService());

  beforeEach(async () => {
    dataDir = await newFolder();
  });

  afterEach(async () => {
    for (const window of windows.splice(0)) window.kill('SIGKILL');
    await nothingLeft();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  async function nothingLeft(): Promise<void> {
    await noBrowserLeft(dataDir, END_LIMIT_MS);
    await eventually('no service is left', async () => (await processesWith(dataDir)).length === 0, END_LIMIT_MS);
  }

  /** Opens a window; returns `started` or `found`: whether it had to start the service. */
  async function openWindow(): Promise<{ window: ChildProcess; said: string }> {
    const script = path.join(__dirname, 'localProcess.window.ts');
    const window = spawn(process.execPath, ['--import', 'tsx', script, SCRIPT, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    windows.push(window);
    const [line] = (await once(window.stdout.setEncoding('utf8'), 'data')) as [string];
    return { window, said: line.trim() };
  }

  it('ends with its browsers after the window was killed', async () => {
    const { window } = await openWindow();
    assert.equal((await processesWith(`${dataDir}/sessions`)).length > 0, true);
    window.kill('SIGKILL');
    await nothingLeft();
  });

  it('is shared by two windows and lives until the second is killed', async () => {
    const first = await openWindow();
    const second = await openWindow();
    assert.deepEqual([first.said, second.said], ['started', 'found']);
    first.window.kill('SIGKILL');
    const health = await connectLocalService({
      script: SCRIPT,
      dataDir,
      browserPath: '',
      log: silentLogger,
      onLost: () => undefined,
    });
    assert.equal(health.started, false);
    health.dispose();
    second.window.kill('SIGKILL');
    await nothingLeft();
  });

  it('does not run in the folder of a project, which Windows would then not remove', async function () {
    if (process.platform !== 'linux') this.skip();
    await openWindow();
    const all = await processesWith(dataDir);
    const here = all.filter((pid) => readlinkSync(`/proc/${pid}/cwd`) === process.cwd());
    assert.equal(here.length, 1, 'only the window runs here');
    assert.ok(all.length > 2, 'the service and its browser run');
  });

  it('reports why it cannot be started, and leaves no process', async () => {
    const broken = path.join(dataDir, 'broken.js');
    await writeFile(broken, 'throw new TypeError("no such thing");\n');
    const options = { script: broken, dataDir, browserPath: '', log: silentLogger, onLost: () => undefined };
    await assert.rejects(connectLocalService(options), (error: unknown) => {
      assert.ok(error instanceof LocalServiceError);
      assert.match(error.message, /did not start: TypeError: no such thing/);
      return true;
    });
  });

  it('notifies a window when the service has ended unexpectedly', async () => {
    let lost = 0;
    const ended = new Promise<void>((resolve) => {
      void connectLocalService({
        script: SCRIPT,
        dataDir,
        browserPath: '',
        log: silentLogger,
        onLost: () => {
          lost += 1;
          resolve();
        },
      }).then(async () => {
        const [pid] = await processesWith(dataDir);
        assert.ok(pid);
        process.kill(pid, 'SIGKILL');
      });
    });
    await ended;
    assert.equal(lost, 1);
  });
});
