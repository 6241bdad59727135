// Covers: src/sources, src/console, src/devtools/errors, src/bridge
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolNamed } from '../../src/agents/allTools';
import { runTool } from '../../src/agents/runTool';
import type { ToolName } from '../../src/agents/toolNames';
import { HeadlessWindow } from '../../src/programs/headless/headlessWindow';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { FarBrowser } from '../standins/farBrowser';
import { ModuleServer } from '../standins/moduleServer';
import { eventually } from '../support/eventually';
import { writeServedProject } from '../support/servedProject';
import { TestService } from './service';

const SOON_MS = 20_000;

for (const isLocal of [true, false])
  describe(`code that a development server gives to a browser ${isLocal ? 'on this machine' : 'elsewhere'}`, function () {
    this.timeout(120_000);
    let far: FarBrowser | undefined;
    let service: TestService;
    let client: ServiceClient;
    let server: ModuleServer;
    let window: HeadlessWindow;
    let root: string;

    before(async () => {
      far = isLocal ? undefined : await FarBrowser.make();
      service = await TestService.start(far ? ['--browser', far.path] : []);
      client = new ServiceClient({ baseUrl: parseBaseUrl(service.baseUrl), token: service.token, log: silentLogger });
      root = await mkdtemp(join(tmpdir(), 'sideload-served-'));
      server = await ModuleServer.start(root);
      window = new HeadlessWindow({
        roots: [root],
        isLocal,
        localhost: [server.port],
        connect: () => Promise.resolve(client),
        log: silentLogger,
        browserDefaults: { headless: true },
        isForAgents: true,
      });
      await client.createBrowser({ name: 'served', headless: true, timeoutSeconds: 300 });
    });

    after(async () => {
      await window.dispose();
      server.close();
      await service.stop();
      await far?.end();
      await rm(root, { recursive: true, force: true });
    });

    async function ask(name: ToolName, input: object): Promise<string> {
      const tool = toolNamed(name);
      assert.ok(tool);
      return (await runTool(tool, { browser: 'served', ...input }, window)).text;
    }

    it('has its errors and its console at the lines of its sources', async () => {
      await writeServedProject(root, server.origin, {
        worker: "console.log('worker says'); setTimeout(() => { throw new Error('worker fails'); }, 200);",
        options: "console.log('page says'); setTimeout(() => { throw new Error('page fails'); }, 200);",
      });
      const pushed = await ask('push_extension', { folder: 'dist' });
      assert.match(pushed, /^RUNNING/);
      assert.ok(server.asked.includes('/src/worker.ts'), 'it runs no code of the server');
      await ask('open_extension_surface', { surface: 'options' });
      let findings = '';
      const has = (pattern: RegExp) => async (): Promise<boolean> => {
        findings = await ask('get_extension_findings', { folder: 'dist' });
        return pattern.test(findings);
      };
      await eventually(() => `the error of the worker: ${findings}`, has(/src\/worker\.ts:4.*worker fails/), SOON_MS);
      await eventually(() => `the error of the page: ${findings}`, has(/src\/options\.ts:4.*page fails/), SOON_MS);
      // A line whose source is not found in time is shown with its place in the code of the server.
      let lines = '';
      const areTraced = async (): Promise<boolean> => {
        lines = await ask('read_extension_console', {});
        return (
          /worker says \(src\/worker\.ts:4:\d+\)/.test(lines) && /page says \(src\/options\.ts:4:\d+\)/.test(lines)
        );
      };
      await eventually(() => `the lines are those of the sources: ${lines}`, areTraced, SOON_MS);
    });
  });
