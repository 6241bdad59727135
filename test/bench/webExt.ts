import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { processesWith } from '../contract/processes';
import { runChild, signalOne, startChild } from '../support/child';
import { atEnd } from '../support/cleanup';
import { CACHE } from '../support/paths';
import type { Beacon } from './beacon';
import type { Subject } from './subject';

const WEB_EXT_VERSION = '10.7.0';
const INSTALL_LIMIT_MS = 300_000;

/** Fetches `web-ext` from npm, once per version, and gives its program. */
export async function fetchWebExt(report: (line: string) => void): Promise<string> {
  const folder = join(CACHE, 'bench', `web-ext-${WEB_EXT_VERSION}`);
  const program = join(folder, 'node_modules', 'web-ext', 'bin', 'web-ext.js');
  if (existsSync(program)) return program;
  report(`fetching web-ext ${WEB_EXT_VERSION} from npm`);
  await mkdir(folder, { recursive: true });
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', `web-ext@${WEB_EXT_VERSION}`];
  const { code } = await runChild(npm, args, { limitMs: INSTALL_LIMIT_MS, output: { line: report } });
  if (code !== 0) throw new Error(`npm could not install web-ext ${WEB_EXT_VERSION}; see the lines above.`);
  return program;
}

/** `web-ext run` with a Chromium of its own, watching its copy of the extension. */
export class WebExt {
  private constructor(
    private readonly subject: Subject,
    private readonly beacon: Beacon,
  ) {}

  /** Starts it, as `executable` and with its temporary files in `folder`, and waits until the extension runs. */
  static async start(
    program: string,
    executable: string,
    folder: string,
    subject: Subject,
    beacon: Beacon,
  ): Promise<WebExt> {
    await mkdir(folder, { recursive: true });
    const build = await subject.saveWorker();
    // web-ext starts Chromium in a process group of its own, which has to be found by its profile.
    atEnd('the browser of web-ext', async () => {
      for (const pid of await processesWith(folder)) signalOne(pid, 'SIGKILL');
    });
    const lines: string[] = [];
    const child = await startChild(
      process.execPath,
      [
        ...[program, 'run', '--target', 'chromium', '--chromium-binary', executable, '--source-dir', subject.folder],
        ...['--no-input', '--no-config-discovery', '--artifacts-dir', join(folder, 'artifacts')],
        '--args=--headless=new',
        ...(process.getuid?.() === 0 ? ['--args=--no-sandbox'] : []),
      ],
      { env: { ...process.env, TMPDIR: folder, TEMP: folder }, output: { line: (line) => void lines.push(line) } },
    );
    const ended = child.exited.then(() => Promise.reject(new Error(`web-ext ended at once: ${lines.join('\n')}`)));
    ended.catch(() => undefined);
    await Promise.race([beacon.called(build), ended]);
    return new WebExt(subject, beacon);
  }

  /** Milliseconds from the write of the worker's file to its first statement. */
  async worker(): Promise<number> {
    const saved = performance.now();
    const build = await this.subject.saveWorker();
    return (await this.beacon.called(build)) - saved;
  }
}
