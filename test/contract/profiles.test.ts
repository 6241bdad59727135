import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { DevTools } from './devtools';
import { eventually } from '../support/eventually';
import { newFolder, TestService } from './service';

describe('profiles of the local service', function () {
  this.timeout(60_000);
  let folder: string;
  let service: TestService;
  const site = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<h1>site</h1>'),
  );
  let siteUrl: string;

  /** A profile whose login a session has saved. No test changes it. */
  let saved: Awaited<ReturnType<TestService['client']['profiles']['create']>>;

  before(async () => {
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    const address = site.address();
    assert(typeof address === 'object' && address !== null);
    siteUrl = `http://127.0.0.1:${address.port}/`;
    folder = await newFolder();
    service = await TestService.start([], folder);
    saved = await service.client.profiles.create({ name: 'login' });
    await visit(write('one'), true);
  });
  after(async () => {
    site.close();
    await service.end();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  afterEach(async () => {
    for await (const { session_id } of service.client.browsers.list()) {
      await service.client.browsers.deleteByID(session_id);
    }
  });

  async function restartService(): Promise<void> {
    await service.end();
    service = await TestService.start([], folder);
  }

  /** Opens a session on a profile, with a page of the site. */
  async function open(
    profile: string,
    save: boolean,
  ): Promise<{ id: string; devtools: DevTools; evaluate: (script: string) => Promise<unknown> }> {
    const browser = await service.client.browsers.create({ profile: { name: profile, save_changes: save } });
    assert.equal(browser.profile?.name, profile);
    const devtools = await DevTools.connect(browser.cdp_ws_url);
    const page = await devtools.attachToPage();
    await page.show(siteUrl);
    return { id: browser.session_id, devtools, evaluate: (script) => page.evaluate(script) };
  }

  /** Opens a session on a profile, runs a script on a page of the site, and ends the session. */
  async function visit(script: string, save: boolean, profile = 'login'): Promise<unknown> {
    const { id, evaluate } = await open(profile, save);
    const value = await evaluate(script);
    await service.client.browsers.deleteByID(id);
    return value;
  }
  const read = "document.cookie + '|' + (localStorage.getItem('kept') ?? '')";
  const write = (value: string) =>
    `document.cookie = 'login=${value}; max-age=9999'; localStorage.setItem('kept', '${value}')`;

  it('give later sessions the state that a session has saved, also after a restart of the service', async () => {
    assert.equal(await visit(read, false), 'login=one|one');
    await restartService();
    assert.equal(await visit(read, false), 'login=one|one');
    const after = await service.client.profiles.retrieve('login');
    assert.equal(after.id, saved.id);
    assert(after.last_used_at);
  });

  it('keep their state when a session does not save', async () => {
    await visit(write('two'), false);
    assert.equal(await visit(read, false), 'login=one|one');
  });

  it('are saved when the service is asked to end', async () => {
    await service.client.profiles.create({ name: 'end' });
    const { evaluate } = await open('end', true);
    await evaluate(write('end'));
    await restartService();
    assert.equal(await visit(read, false, 'end'), 'login=end|end');
  });

  it('are saved by the next service when one was killed, as a system kills it that ends', async () => {
    await service.client.profiles.create({ name: 'killed' });
    const { evaluate } = await open('killed', true);
    await evaluate(write('killed'));
    await service.end('SIGKILL');
    service = await TestService.start([], folder);
    assert.equal(await visit(read, false, 'killed'), 'login=killed|killed');
    assert.deepEqual(await readdir(path.join(folder, 'sessions')), []);
  });

  it('can be assigned to a running session once', async () => {
    const { session_id: id, cdp_ws_url: url } = await service.client.browsers.create();
    await service.client.browsers.update(id, { profile: { name: 'login' } });
    const devtools = await DevTools.connect(url);
    const page = await devtools.attachToPage();
    await page.show(siteUrl);
    assert.equal(await page.evaluate(read), 'login=one|one');
    await assert.rejects(service.client.browsers.update(id, { profile: { name: 'login' } }), { status: 400 });
  });

  it('cannot be deleted while a session uses them', async () => {
    await service.client.profiles.create({ name: 'used' });
    const browser = await service.client.browsers.create({ profile: { name: 'used' } });
    const refused = await service.request('/profiles/used', { method: 'DELETE' });
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /"code":"resource_in_use"/);
    await service.client.browsers.deleteByID(browser.session_id);
    await service.client.profiles.delete('used');
  });

  it('keep a consistent state when sessions save to one profile at the same time', async () => {
    await service.client.profiles.create({ name: 'shared' });
    const openWith = async (value: string): Promise<string> => {
      const { id, evaluate } = await open('shared', true);
      await evaluate(write(value));
      return id;
    };
    const ids = [await openWith('one'), await openWith('two'), await openWith('three')];
    await Promise.all(ids.map((id) => service.client.browsers.deleteByID(id)));
    const state = String(await visit(read, false, 'shared'));
    assert(['login=one|one', 'login=two|two', 'login=three|three'].includes(state), state);
    const left = (await readdir(path.join(folder, 'profiles'))).filter((name) => /\.(?:new|old)$/.test(name));
    assert.deepEqual(left, []);
  });

  it('are also saved when the user closes the browser', async () => {
    const profile = await service.client.profiles.create({ name: 'closed' });
    const { id, devtools, evaluate } = await open('closed', true);
    await evaluate(write('closed'));
    devtools.call('Browser.close').catch(() => undefined);
    await eventually(
      'the session has ended',
      async () => (await service.request(`/browsers/${id}`)).status === 404,
      10_000,
    );
    // The next session on the profile waits for the save that the end began.
    assert.equal(await visit(read, false, 'closed'), 'login=closed|closed');
    await service.client.profiles.delete(profile.id);
  });

  it('are downloaded as a tar archive; before the first save the answer is 202', async () => {
    await service.client.profiles.create({ name: 'unsaved' });
    assert.equal((await service.client.profiles.download('unsaved', { format: 'tar' })).status, 202);
    const answer = await service.client.profiles.download('login', { format: 'tar' });
    assert.equal(answer.headers.get('content-type'), 'application/octet-stream');
    const archive = path.join(folder, 'download.tar');
    await writeFile(archive, Buffer.from(await answer.arrayBuffer()));
    const { stdout } = await promisify(execFile)('tar', ['-t', '-f', archive]);
    assert.match(stdout, /^\.\/Default\/Preferences$/m);
    assert.doesNotMatch(stdout, /Singleton|\/Cache\//);
    const zstd = await service.request('/profiles/login/download');
    if ('createZstdCompress' in zlib) {
      const magic = Buffer.from(await zstd.arrayBuffer()).subarray(0, 4);
      assert.equal(magic.toString('hex'), '28b52ffd');
    } else {
      assert.equal(zstd.status, 400);
      assert.match(await zstd.text(), /format=tar/);
    }
    assert.equal((await service.request('/profiles/login/download?format=zip')).status, 400);
    await assert.rejects(service.client.profiles.download('nobody', { format: 'tar' }), { status: 404 });
    await eventually('nothing is spooled', async () => (await readdir(path.join(folder, 'spool'))).length === 0, 5_000);
  });

  it('of one name are created only once by concurrent requests', async () => {
    const asked = Array.from({ length: 8 }, () => service.client.profiles.create({ name: 'race' }));
    const outcomes = await Promise.allSettled(asked);
    assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 1);
  });
});
