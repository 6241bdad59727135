import type Kernel from '@onkernel/sdk';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { WebSocket } from 'ws';
import { TestService } from './service';

describe('who may talk to the local service', function () {
  this.timeout(60_000);
  let service: TestService;
  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  /** fetch sets Host and Origin itself; this sends what it is given. */
  async function status(headers: OutgoingHttpHeaders): Promise<number | undefined> {
    const request = httpRequest(`${service.baseUrl}/browsers`, { headers });
    request.end();
    const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage];
    response.resume();
    return response.statusCode;
  }
  const authorization = () => `Bearer ${service.token}`;

  it('answers 401 with an Error body without a token, with a wrong one, and with another scheme', async () => {
    for (const given of ['', 'Bearer wrong', `Bearer ${service.token}x`, `Basic ${service.token}`]) {
      const answer = await service.request('/browsers', { headers: { authorization: given } });
      assert.equal(answer.status, 401);
      assert.equal((await answer.text()).includes(service.token), false);
    }
    const answer = await fetch(`${service.baseUrl}/profiles`);
    assert.equal(answer.status, 401);
    const body: unknown = await answer.json();
    assert(typeof body === 'object' && body !== null && 'code' in body && 'message' in body);
  });

  it('answers 403 to a foreign Host or Origin, even with the token', async () => {
    const { port } = new URL(service.baseUrl);
    assert.equal(await status({ authorization: authorization(), host: 'evil.example' }), 403);
    assert.equal(await status({ authorization: authorization(), host: `evil.example:${port}` }), 403);
    assert.equal(await status({ authorization: authorization(), host: '127.0.0.1:1' }), 403);
    assert.equal(await status({ authorization: authorization(), origin: 'https://evil.example' }), 403);
    assert.equal(await status({ authorization: authorization(), origin: 'null' }), 403);
    assert.equal(await status({ authorization: authorization(), host: `localhost:${port}` }), 200);
    assert.equal(await status({ authorization: authorization(), origin: service.baseUrl }), 200);
  });

  it('listens on loopback only', async () => {
    const { port } = new URL(service.baseUrl);
    const outside = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    const addresses = outside.filter((one) => !one.internal && one.family === 'IPv4').map((one) => one.address);
    // 127.0.0.2 is on every Linux machine, and is not the address that was bound.
    for (const host of process.platform === 'linux' ? ['127.0.0.2', ...addresses] : addresses) {
      const socket = connect({ host, port: Number(port) });
      await assert.rejects(once(socket, 'connect'), host);
    }
  });

  it('opens DevTools only with the secret of the session, and not to web pages', async () => {
    const { session_id, cdp_ws_url } = await service.client.browsers.create();
    const refusal = async (url: string, headers: Record<string, string> = {}) => {
      const socket = new WebSocket(url, { headers });
      const [, response] = (await once(socket, 'unexpected-response')) as [
        unknown,
        import('node:http').IncomingMessage,
      ];
      socket.on('error', () => undefined).terminate();
      return response.statusCode;
    };
    const bare = cdp_ws_url.replace(/\?.*/, '');
    assert.equal(await refusal(bare), 401);
    assert.equal(await refusal(`${bare}?token=${service.token}`), 401);
    assert.equal(await refusal(cdp_ws_url.replace(session_id, 'nobody')), 404);
    assert.equal(await refusal(cdp_ws_url, { origin: 'https://evil.example' }), 403);
    assert.equal(await refusal(cdp_ws_url, { host: 'evil.example' }), 403);
    await service.client.browsers.deleteByID(session_id);
    assert.equal(await refusal(cdp_ws_url), 404);
  });

  it('answers 404 with an Error body for an unknown operation', async () => {
    const answer = await service.request('/apps');
    assert.equal(answer.status, 404);
    assert.match(await answer.text(), /"code":"not_found"/);
  });

  it('treats an empty body as no parameters, whatever its content type', async () => {
    const headers = { 'content-type': 'application/json' };
    assert.equal((await service.request('/profiles', { method: 'POST', headers })).status, 201);
    assert.equal((await service.request('/profiles', { method: 'POST' })).status, 201);
  });

  it('answers 400 with an Error body to broken JSON', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await service.request('/profiles', { method: 'POST', headers, body: '{' });
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /"code":"bad_request"/);
  });

  it('validates the parameters of a new browser', async () => {
    const wrong: Record<string, unknown>[] = [
      { timeout_seconds: 9 },
      { timeout_seconds: 259_201 },
      { timeout_seconds: '60' },
      { viewport: { width: 0, height: 100 } },
      { viewport: { width: 100 } },
      { headless: 'yes' },
      { start_url: 'no address' },
      { start_url: `https://example.com/${'x'.repeat(2048)}` },
      { profile: {} },
      { extensions: [{}] },
      { tags: { a: 1 } },
    ];
    for (const body of wrong) {
      const headers = { 'content-type': 'application/json' };
      const answer = await service.request('/browsers', { method: 'POST', headers, body: JSON.stringify(body) });
      assert.equal(answer.status, 400, JSON.stringify(body));
    }
    await assert.rejects(service.client.browsers.create({ profile: { name: 'nobody' } }), { status: 404 });
    await assert.rejects(service.client.browsers.create({ extensions: [{ name: 'nothing' }] }), { status: 404 });
  });
});

describe('lists of the local service', function () {
  this.timeout(60_000);
  let service: TestService;
  before(async () => {
    service = await TestService.start();
    for (let at = 0; at < 5; at += 1) await service.client.profiles.create({ name: `p${at}` });
  });
  after(() => service.stop());

  async function get(query: string): Promise<{ names: unknown[]; more: string | null; next: string | null }> {
    const answer = await service.request(`/profiles?${query}`);
    const list: unknown = await answer.json();
    assert(Array.isArray(list));
    const names = list.map((profile: { name: string }) => profile.name);
    return { names, more: answer.headers.get('x-has-more'), next: answer.headers.get('x-next-offset') };
  }

  it('are paginated, with headers that lead to the next page', async () => {
    assert.deepEqual(await get('limit=2'), { names: ['p0', 'p1'], more: 'true', next: '2' });
    assert.deepEqual(await get('limit=2&offset=2'), { names: ['p2', 'p3'], more: 'true', next: '4' });
    assert.deepEqual(await get('limit=2&offset=4'), { names: ['p4'], more: 'false', next: '0' });
    assert.deepEqual(await get('offset=9'), { names: [], more: 'false', next: '0' });
    assert.deepEqual((await get('name=p3')).names, ['p3']);
  });

  it('are iterated by the official client, page by page', async () => {
    const names = [];
    for await (const profile of service.client.profiles.list({ limit: 2 })) names.push(profile.name);
    assert.deepEqual(names, ['p0', 'p1', 'p2', 'p3', 'p4']);
  });

  it('reject an invalid page', async () => {
    for (const query of ['limit=0', 'limit=x', 'offset=-1']) {
      assert.equal((await service.request(`/profiles?${query}`)).status, 400, query);
    }
  });

  it('are iterated when they are longer than the largest page', async () => {
    const many = Array.from({ length: 130 }, (_, at) => `many-${String(at).padStart(3, '0')}`);
    for (const name of many) await service.client.profiles.create({ name });
    const first = await get('query=many-');
    assert.deepEqual([first.names.length, first.more, first.next], [100, 'true', '100']);
    const names = [];
    for await (const profile of service.client.profiles.list({ query: 'many-', limit: 50 })) names.push(profile.name);
    assert.deepEqual(names, many);
  });

  it('of browsers are filtered by status: active, deleted or all', async () => {
    const created: string[] = [];
    for (let at = 0; at < 5; at += 1) created.push((await service.client.browsers.create()).session_id);
    const deleted = [created[1], created[3], created[4]];
    for (const id of deleted) await service.client.browsers.deleteByID(id ?? '');
    const list = async (query: Kernel.BrowserListParams) => {
      const ids = [];
      for await (const browser of service.client.browsers.list({ ...query, limit: 2 })) ids.push(browser.session_id);
      return ids;
    };
    assert.deepEqual(await list({}), [created[0], created[2]]);
    assert.deepEqual(await list({ status: 'active' }), [created[0], created[2]]);
    assert.deepEqual(await list({ status: 'deleted' }), deleted);
    assert.deepEqual(await list({ status: 'all' }), created);
    assert.equal((await service.request('/browsers?status=gone')).status, 400);
    const page = await service.request('/browsers?status=deleted&limit=2');
    assert.deepEqual([page.headers.get('x-has-more'), page.headers.get('x-next-offset')], ['true', '2']);
  });
});
