import type Kernel from '@onkernel/sdk';
import { toFile } from '@onkernel/sdk';
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { extensionZip } from './archives';
import { DevTools } from './devtools';
import { eventually } from '../support/eventually';
import { TestService } from './service';
import { extensionFolders } from './uploads';

const FILL_LIMIT_MS = 30_000;

/** Many times what the end of a connection takes to the service, in milliseconds. */
const LEAVE_MS = 500;

describe('pools of browsers', function () {
  this.timeout(90_000);
  let service: TestService;
  const pools = () => service.client.browserPools;

  before(async () => {
    service = await TestService.start(['--pools']);
  });
  after(() => service.stop());
  afterEach(async () => {
    for await (const pool of pools().list()) await pools().delete(pool.id, { force: true });
    assert.deepEqual(await active(), []);
  });

  async function active(): Promise<string[]> {
    const ids = [];
    for await (const browser of service.client.browsers.list()) ids.push(browser.session_id);
    return ids;
  }
  const filled = (name: string, count: number) =>
    eventually(
      `${count} browsers are ready`,
      async () => (await pools().retrieve(name)).available_count === count,
      FILL_LIMIT_MS,
    );
  /** Acquires a browser that must be there in time; the client's type does not know the answer without one. */
  async function acquire(name: string, body: Kernel.BrowserPoolAcquireParams = {}) {
    const browser: Kernel.BrowserPoolAcquireResponse | null = await pools().acquire(name, body);
    assert(browser, 'no browser in time');
    return browser;
  }

  it('are filled; a released browser keeps its state', async () => {
    const pool = await pools().create({ name: 'two', size: 2, viewport: { width: 640, height: 480 } });
    assert.deepEqual(pool.browser_pool_config, {
      name: 'two',
      size: 2,
      viewport: { width: 640, height: 480 },
      timeout_seconds: 600,
    });
    await filled('two', 2);
    const browser = await acquire('two', { name: 'mine', tags: { of: 'me' }, start_url: 'data:text/html,lent' });
    assert.deepEqual(browser.pool, { id: pool.id, name: 'two' });
    assert.equal(browser.name, 'mine');
    assert.deepEqual(browser.tags, { of: 'me' });
    assert.deepEqual(browser.viewport, { width: 640, height: 480 });
    const { acquired_count, available_count } = await pools().retrieve(pool.id);
    assert.deepEqual({ acquired_count, available_count }, { acquired_count: 1, available_count: 1 });

    await service.client.browsers.fs.writeFile(browser.session_id, 'x', { path: '/tmp/left-behind' });
    await pools().release('two', { session_id: browser.session_id });
    const both = [await acquire('two'), await acquire('two')];
    const again = both.find((one) => one.session_id === browser.session_id);
    assert(again && !again.name);
    assert.equal(
      await (await service.client.browsers.fs.readFile(again.session_id, { path: '/tmp/left-behind' })).text(),
      'x',
    );
  });

  it('replace a browser that is released without reuse, deleted, or crashed', async () => {
    await pools().create({ name: 'one', size: 1 });
    const first = await acquire('one');
    await pools().release('one', { session_id: first.session_id, reuse: false });
    await assert.rejects(service.client.browsers.retrieve(first.session_id), { status: 404 });
    const second = await acquire('one');
    assert.notEqual(second.session_id, first.session_id);
    await service.client.browsers.deleteByID(second.session_id);
    const third = await acquire('one');
    const devtools = await DevTools.connect(third.cdp_ws_url);
    devtools.call('Browser.crash').catch(() => undefined);
    await devtools.closed;
    const fourth = await acquire('one');
    assert.equal(new Set([first, second, third, fourth].map((one) => one.session_id)).size, 4);
  });

  it('answer 204 when no browser becomes available in time, and serve waiting requests in order', async () => {
    await pools().create({ name: 'one', size: 1 });
    const held = await acquire('one');
    const none = await service.request('/browser_pools/one/acquire', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ acquire_timeout_seconds: 0 }),
    });
    assert.equal(none.status, 204);
    assert.equal(await none.text(), '');
    const gone = new AbortController();
    const leaves = assert.rejects(pools().acquire('one', {}, { signal: gone.signal, maxRetries: 0 }));
    const order: string[] = [];
    const next = acquire('one').then(async ({ session_id }) => {
      order.push('first');
      await pools().release('one', { session_id });
    });
    // A waiter is one only once its request has arrived; the service answers requests of one moment in their order.
    await service.request('/browser_pools/one');
    const last = acquire('one').then(() => order.push('second'));
    await service.request('/browser_pools/one');
    gone.abort();
    await leaves;
    // Nothing tells when the end of a connection has reached the service: on a busy machine a later request may overtake it.
    await delay(LEAVE_MS);
    await pools().release('one', { session_id: held.session_id });
    await Promise.all([next, last]);
    assert.deepEqual(order, ['first', 'second']);
  });

  it('start their browsers with the profile and the extensions of the pool', async () => {
    const profile = await service.client.profiles.create({ name: 'pooled' });
    const stored = await service.client.extensions.upload({ file: await toFile(await extensionZip(1), 'x.zip') });
    const pool = await pools().create({ size: 1, profile: { name: 'pooled' }, extensions: [{ id: stored.id }] });
    assert.equal(pool.profile_id, profile.id);
    assert.deepEqual(pool.extension_ids, [stored.id]);
    const browser = await acquire(pool.id);
    assert.equal(browser.profile?.id, profile.id);
    assert.deepEqual(await extensionFolders(service.client, browser.session_id), [stored.id]);
    const cleared = await pools().update(pool.id, { profile: { id: '' }, extensions: [] });
    assert.equal(cleared.profile_id, undefined);
    assert.deepEqual(cleared.extension_ids, []);
  });

  it('can be resized and reconfigured; flush replaces the available browsers', async () => {
    await pools().create({ name: 'changing', size: 1, start_url: 'data:text/html,old' });
    await filled('changing', 1);
    const before = await active();
    const larger = await pools().update('changing', { size: 2, start_url: '' });
    assert.equal(larger.browser_pool_config.start_url, undefined);
    await filled('changing', 2);
    await pools().flush('changing');
    await filled('changing', 2);
    const after = await active();
    assert(before.every((id) => !after.includes(id)));
    await pools().update('changing', { size: 1 });
    assert.equal((await active()).length, 1);
    await pools().update('changing', { discard_all_idle: true, name: 'renamed' });
    await filled('renamed', 1);
    assert(!after.includes((await active()).at(0) ?? ''));
  });

  it('are not deleted while a browser is acquired, unless forced', async () => {
    await pools().create({ name: 'lent', size: 1 });
    const { session_id: id } = await acquire('lent');
    const refused = await service.request('/browser_pools/lent', { method: 'DELETE' });
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /"code":"resource_in_use"/);
    assert.equal((await service.client.browsers.retrieve(id)).session_id, id);
    await pools().delete('lent', { force: true });
    await assert.rejects(service.client.browsers.retrieve(id), { status: 404 });
    await assert.rejects(pools().retrieve('lent'), { status: 404 });
  });

  it('reject invalid requests', async () => {
    await pools().create({ name: 'taken', size: 1 });
    await assert.rejects(pools().create({ name: 'taken', size: 1 }), { status: 409 });
    await assert.rejects(pools().create({ name: 'no spaces', size: 1 }), { status: 400 });
    await assert.rejects(pools().create({ size: 0 }), { status: 400 });
    await assert.rejects(pools().create({ size: 1000 }), { status: 400 });
    await assert.rejects(pools().create({ size: 1, profile: { name: 'nobody' } }), { status: 404 });
    await assert.rejects(pools().acquire('nobody', {}), { status: 404 });
    await assert.rejects(pools().acquire('taken', { acquire_timeout_seconds: -1 }), { status: 400 });
    await assert.rejects(pools().release('taken', { session_id: 'stranger' }), { status: 404 });
    const missing = await service.request('/browser_pools', { method: 'POST' });
    assert.match(await missing.text(), /\\"size\\" is required/);
  });
});
