import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from '../../src/local/chromium/browserPaths';

/** A program that starts the Chromium of the tests without any network, its own machine's included, as if it were elsewhere. */
export class FarBrowser {
  private constructor(
    /** The program, as `--browser` takes it. */
    readonly path: string,
    private readonly folder: string,
  ) {}

  static async make(): Promise<FarBrowser> {
    const chromium = await findBrowser();
    if (chromium === undefined) throw new Error('No Chromium was found.');
    const folder = await mkdtemp(join(tmpdir(), 'sideload-far-'));
    const path = join(folder, 'chromium');
    // All requests go to a proxy that is not there, those to localhost included.
    const flags = `'--proxy-server=http://127.0.0.1:9' '--proxy-bypass-list=<-loopback>'`;
    await writeFile(path, `#!/bin/sh\nexec '${chromium}' ${flags} "$@"\n`);
    await chmod(path, 0o755);
    return new FarBrowser(path, folder);
  }

  async end(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
