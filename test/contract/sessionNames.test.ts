import assert from 'node:assert/strict';
import { extensionZip } from './archives';
import { DevTools } from './devtools';
import { TestService } from './service';

const NAME = 'by-its-name';

describe('the name of a session', function () {
  this.timeout(60_000);
  let service: TestService;

  before(async () => {
    service = await TestService.start();
    await service.client.browsers.create({ name: NAME, headless: true, timeout_seconds: 600 });
  });
  after(() => service.stop());

  it('is accepted in place of its id by every route', async () => {
    const json = (method: string, body: unknown): RequestInit => ({
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const upload = new FormData();
    upload.set('extensions[0][name]', 'named');
    upload.set('extensions[0][zip_file]', new Blob([await extensionZip(1)]), 'named.zip');
    const requests: [path: string, init?: RequestInit][] = [
      [''],
      ['', json('PATCH', { tags: { seen: 'yes' } })],
      ['/extensions', { method: 'POST', body: upload }],
      ['/computer/scroll', json('POST', { x: 10, y: 10, delta_y: 1 })],
      ['/computer/press_key', json('POST', { keys: ['End'] })],
      ['/computer/batch', json('POST', { actions: [{ type: 'sleep', sleep: { duration_ms: 1 } }] })],
      ['/computer/screenshot', json('POST', {})],
      ['/computer/get_mouse_position', json('POST', {})],
      ['/fs/create_directory', json('PUT', { path: '/tmp/named' })],
      ['/fs/list_files?path=/tmp'],
      ['/fs/file_info?path=/tmp/named'],
      ['/fs/write_file?path=/tmp/named/a.txt', { method: 'PUT', body: 'text' }],
      ['/fs/read_file?path=/tmp/named/a.txt'],
      ['/fs/delete_directory', json('PUT', { path: '/tmp/named' })],
    ];
    for (const [path, init] of requests) {
      const answer = await service.request(`/browsers/${NAME}${path}`, init);
      assert.ok(answer.ok, `${init?.method ?? 'GET'} ${path}: ${answer.status} ${await answer.text()}`);
    }
  });

  it('is accepted in the address of its DevTools', async () => {
    const { cdp_ws_url: url, session_id: id } = await service.client.browsers.retrieve(NAME);
    const devtools = await DevTools.connect(url.replace(id, NAME));
    assert.ok(await devtools.result('Browser.getVersion', {}));
    devtools.close();
  });
});

describe('the newer fields of a request', function () {
  this.timeout(60_000);
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  const post = (body: unknown): Promise<Response> =>
    service.request('/browsers', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-kernel-project': 'my project' },
      body: JSON.stringify(body),
    });

  it('are accepted, and ignored where this machine has no such thing', async () => {
    const newer = {
      region: 'eu-west',
      memory: '16GiB',
      proxy: { mode: 'direct' },
      network: { private_hosts: ['*.internal.test'] },
    };
    const answer = await post({ ...newer, headless: true, timeout_seconds: 60 });
    assert.equal(answer.status, 201);
    const session: unknown = await answer.json();
    assert.ok(typeof session === 'object' && session !== null && 'session_id' in session);
    const changed = await service.request(`/browsers/${String(session.session_id)}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ start_url: 'https://example.com/' }),
    });
    assert.match(await changed.text(), /"start_url":"https:\/\/example\.com\/"/);
  });

  it('are refused with the name of the field when they cannot be meant', async () => {
    const wrong: [field: string, body: unknown][] = [
      ['region', { region: 1 }],
      ['region', { region: 'moon' }],
      ['memory', { memory: '1 TB' }],
      ['proxy', { proxy: {} }],
      ['private_hosts', { network: { private_hosts: 'a' } }],
    ];
    for (const [field, body] of wrong) {
      const answer = await post(body);
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.match(await answer.text(), new RegExp(field));
    }
  });
});
