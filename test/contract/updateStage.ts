import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { usualSettings } from '../support/usualSettings';
import { runUpdateTest, type UpdateTestOrder, type UpdateTestWiring } from '../../src/publish/updateTest';
import type { UpdateReport } from '../../src/publish/updateReport';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { TestService } from './service';

/** A folder and a local service for update tests. End it. */
export class UpdateStage {
  private constructor(
    readonly service: TestService,
    readonly client: ServiceClient,
    readonly root: string,
    /** The folder for temporary files before. */
    private readonly usualTemp: string | undefined,
  ) {}

  static async start(): Promise<UpdateStage> {
    const service = await TestService.start();
    const client = new ServiceClient({
      baseUrl: parseBaseUrl(service.baseUrl),
      token: service.token,
      log: silentLogger,
    });
    const root = await mkdtemp(join(tmpdir(), 'sideload-updates-'));
    const usualTemp = process.env['TMPDIR'];
    // Other suites that run now test updates, too.
    process.env['TMPDIR'] = join(root, 'temp');
    await mkdir(tmpdir());
    return new UpdateStage(service, client, root, usualTemp);
  }

  /** Writes an extension into a folder below the root, and resolves to its path. */
  async extension(name: string, manifest: object, files: Record<string, string> = {}): Promise<string> {
    const folder = join(this.root, name);
    const whole = { manifest_version: 3, name: 'Updated', ...manifest };
    for (const [file, text] of Object.entries({ 'manifest.json': JSON.stringify(whole, undefined, 2), ...files })) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    return folder;
  }

  async run(
    order: Pick<UpdateTestOrder, 'folder' | 'from'> & Partial<UpdateTestOrder>,
    wiring: Partial<UpdateTestWiring> = {},
    signal?: AbortSignal,
  ): Promise<UpdateReport> {
    return await runUpdateTest(
      { root: this.root, isLocal: true, settings: usualSettings(), browser: { headless: true }, ...order },
      { service: this.client, log: silentLogger, mayDownload: () => Promise.resolve(false), ...wiring },
      signal,
    );
  }

  /** The browsers that run, and the folders of update tests that are left. */
  async left(): Promise<{ browsers: number; folders: string[] }> {
    let browsers = 0;
    for await (const _browser of this.client.listBrowsers()) browsers += 1;
    const folders = (await readdir(tmpdir())).filter((name) => name.startsWith('sideload-update-'));
    return { browsers, folders };
  }

  async end(): Promise<void> {
    await this.client.close();
    await this.service.stop();
    if (this.usualTemp === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = this.usualTemp;
    await rm(this.root, { recursive: true, force: true });
  }
}
