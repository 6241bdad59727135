// Covers: src/push, src/local
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import { HeadlessWindow } from '../../src/programs/headless/headlessWindow';
import { pushTool } from '../../src/agents/pushTools';
import { runTool } from '../../src/agents/runTool';
import { DocumentService } from '../standins/documentService';
import { ServiceProxy } from '../standins/serviceProxy';
import { byUpload } from './pushes';
import { PushStage } from './pushStage';

describe('a push to a service whose machines have another user', function () {
  this.timeout(60_000);
  const stage = PushStage.forSuite(['--service-user', 'chrome']);

  it('finds the folder of extensions, and continues in place there', async () => {
    await stage().write('background.js', 'globalThis.BUILD = 1;');
    const first = await stage().mustRun(byUpload);
    const [loaded, ...others] = await stage().loaded();
    assert.deepEqual([loaded?.path, others.length], [`/home/chrome/extensions/${stage().folderName}`, 0]);
    await stage().write('background.js', 'globalThis.BUILD = 2;');
    const next = await stage().mustRun();
    assert.equal(next.extensionId, first.extensionId);
    assert.equal(await stage().ask('BUILD'), 2);
  });

  it('gives an extension the same id with DevTools and without', async () => {
    const bare = { ...stage().browser, devToolsUrl: '' };
    assert.equal((await stage().push({ browser: bare })).kind, 'unverified');
    const [delivered] = await stage().loaded();
    const next = await stage().mustRun();
    assert.equal(next.extensionId, delivered?.id);
  });
});

describe('a push to a service without operations for files', function () {
  this.timeout(60_000);
  const stage = PushStage.forSuite();
  let proxy: ServiceProxy;
  let service: ServiceClient;

  beforeEach(async () => {
    proxy = await ServiceProxy.start(stage().service.baseUrl);
    const body = JSON.stringify({ code: 'not_found', message: 'this operation is not shown' });
    proxy.answer = ({ path }) =>
      path.includes('/fs/') ? Promise.resolve({ status: 404, type: 'application/json', body }) : undefined;
    const { token } = stage().service;
    service = new ServiceClient({ baseUrl: parseBaseUrl(proxy.baseUrl), token, log: silentLogger });
  });
  afterEach(async () => {
    await service.close();
    proxy.stop();
  });

  const uploads = (): number => proxy.requests.filter(({ path }) => path.endsWith('/extensions')).length;

  it('goes by the documented upload and is verified over DevTools, each time with new code under the same id', async () => {
    const ids = new Set<string>();
    for (const build of [1, 2, 3]) {
      await stage().write('background.js', `globalThis.BUILD = ${build};`);
      ids.add((await stage().mustRun({ service })).extensionId);
      assert.equal(await stage().ask('BUILD'), build);
    }
    assert.equal(ids.size, 1);
    assert.equal(uploads(), 3);
    const asked = proxy.requests
      .map(({ method, path }) => `${method} ${path}`)
      .filter((request) => request.includes('/fs/'));
    assert.ok(asked.length <= 2, asked.join('\n'));
  });

  it('says what Chromium refuses, and the build before goes on running', async () => {
    await stage().write('background.js', 'globalThis.BUILD = 1;');
    await stage().mustRun({ service });
    await stage().write('background.js', 'globalThis.BUILD = 2;');
    await stage().editManifest({ minimum_chrome_version: '999' });
    const outcome = await stage().push({ service });
    assert.equal(outcome.kind, 'refusedByBrowser', JSON.stringify(outcome));
    assert.equal(await stage().ask('BUILD'), 1);
  });
});

describe('a push by an agent to a service that lists no browsers', function () {
  this.timeout(60_000);
  let service: DocumentService;
  let window: HeadlessWindow;
  let folder: string;

  beforeEach(async () => {
    service = await DocumentService.start();
    const { baseUrl, token } = service;
    folder = await mkdtemp(join(tmpdir(), 'sideload-agent-'));
    await writeFile(join(folder, 'manifest.json'), '{ "manifest_version": 3, "name": "one", "version": "1.0" }');
    const connect = (): Promise<ServiceClient> =>
      Promise.resolve(new ServiceClient({ baseUrl: parseBaseUrl(baseUrl), token, log: silentLogger }));
    window = new HeadlessWindow({ roots: [folder], isLocal: true, connect, log: silentLogger });
  });
  afterEach(async () => {
    await window.dispose();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('needs the id of one, and ends as delivered, which is no success', async () => {
    const unnamed = await runTool(pushTool, {}, window);
    assert.match(unnamed.text, /^The service lists no browsers\. Ask the user for the id of one/);
    const { isError, text } = await runTool(pushTool, { browser: 'brw-1' }, window);
    assert.match(text, /^DELIVERED, NOT VERIFIED: Uploaded to brw-1; .* this service gives no DevTools address\./);
    assert.equal(isError, true);
    assert.equal(service.uploads.length, 1);
  });
});
