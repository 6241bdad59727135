import { build } from 'esbuild';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUNDLES } from '../../.esbuild';
import type { HostAnswer, HostJob } from './folderHost';

/** A job took too long, and its process was killed. */
export class EndlessError extends Error {}

/** Processes that stand for the extension host, with bundles as they ship. One process does one job after another. */
export class Hosts {
  #host: ChildProcess | undefined;

  private constructor(private readonly folder: string) {}

  static async create(): Promise<Hosts> {
    const folder = await mkdtemp(join(tmpdir(), 'sideload-host-'));
    const { check, compress, sources, extension } = BUNDLES;
    const host = { ...extension, entryPoints: [join(__dirname, 'folderHost.ts')] };
    await Promise.all(
      Object.entries({ host, check, compress, sources }).map(([name, options]) =>
        build({ ...options, outfile: join(folder, `${name}.js`) }),
      ),
    );
    return new Hosts(folder);
  }

  /** Does a job. Rejects with an EndlessError after `limitMs`, and with an Error when the process ends. */
  async run(job: HostJob, limitMs: number): Promise<HostAnswer> {
    const host = (this.#host ??= fork(join(this.folder, 'host.js'), { execArgv: [], serialization: 'advanced' }));
    const end = new AbortController();
    const timer = setTimeout(() => {
      end.abort(new EndlessError(`The job did not end within ${limitMs} ms.`));
    }, limitMs);
    const onExit = (code: number | null): void => {
      end.abort(new Error(`The process ended with ${String(code)}.`));
    };
    host.once('exit', onExit);
    try {
      host.send(job);
      const [answer] = (await once(host, 'message', { signal: end.signal })) as [HostAnswer];
      return answer;
    } catch (error) {
      await this.#end();
      throw end.signal.aborted ? end.signal.reason : error;
    } finally {
      clearTimeout(timer);
      host.off('exit', onExit);
    }
  }

  async dispose(): Promise<void> {
    await this.#end();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #end(): Promise<void> {
    const host = this.#host;
    this.#host = undefined;
    if (host?.exitCode !== null || host.signalCode !== null) return;
    host.kill('SIGKILL');
    await once(host, 'exit');
  }
}
