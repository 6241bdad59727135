import { toFile } from '@onkernel/sdk';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { WebSocket } from 'ws';
import { findBrowser } from '../../src/local/chromium/browserPaths';
import { extensionZip, manifest, zipOf } from './archives';
import { DevTools } from './devtools';
import { newFolder, TestService } from './service';
import { extensionFolders, post, upload, type RawPart } from './uploads';

describe('upload of extensions, as the earlier service did it', function () {
  this.timeout(60_000);
  let service: TestService;
  let id: string;

  before(async () => {
    service = await TestService.start(['--behaviour', 'earlier']);
    id = (await service.client.browsers.create({ timeout_seconds: 600 })).session_id;
  });
  after(() => service.stop());

  it('answers 201 for a zip without a manifest and for one that Chromium refuses', async () => {
    await upload(service.client, id, 'wrapped', await zipOf({ 'folder/manifest.json': manifest() }));
    await upload(service.client, id, 'refused', await zipOf({ 'manifest.json': '{,}' }));
    assert.deepEqual(await extensionFolders(service.client, id), ['refused', 'wrapped']);
  });

  it('unpacks the second of two equal names over the first', async () => {
    const zips = [await zipOf({ 'manifest.json': manifest(), 'one.txt': '1' }), await zipOf({ 'two.txt': '2' })];
    const extensions = await Promise.all(
      zips.map(async (zip) => ({ name: 'both', zip_file: await toFile(zip, 'a.zip') })),
    );
    await service.client.browsers.loadExtensions(id, { extensions });
    const files = await service.client.browsers.fs.listFiles(id, { path: '/home/kernel/extensions/both' });
    assert.deepEqual(
      files.map((file) => file.name),
      ['manifest.json', 'one.txt', 'two.txt'],
    );
  });

  it('leaves the folder of a failed upload, so that its name stays in use', async () => {
    await assert.rejects(upload(service.client, id, 'nozip', Buffer.from('hello')), /invalid zip file/);
    const zip = await extensionZip(1);
    await assert.rejects(upload(service.client, id, 'nozip', zip), /already exists/);
    const slip = await zipOf({ 'manifest.json': manifest(), '../../escaped.txt': 'x' });
    await assert.rejects(upload(service.client, id, 'slip', slip), /invalid zip file/);
    await assert.rejects(upload(service.client, id, 'slip', zip), /already exists/);
  });

  it('accepts a manifest that is not strict JSON, which Chromium then loads', async () => {
    await upload(service.client, id, 'comments', await zipOf({ 'manifest.json': `// hello\n${manifest()}` }));
    await upload(service.client, id, 'marked', await zipOf({ 'manifest.json': `\uFEFF${manifest()}` }));
    const devtools = await DevTools.connect((await service.client.browsers.retrieve(id)).cdp_ws_url);
    const loaded = JSON.stringify(await devtools.result('Extensions.getExtensions'));
    devtools.close();
    assert.match(loaded, /extensions\/comments"/);
    assert.match(loaded, /extensions\/marked"/);
  });

  const good = (): Promise<Buffer> => extensionZip(1);
  const refused: [string, () => Promise<RawPart[]>, RegExp][] = [
    ['an empty form', () => Promise.resolve([]), /./],
    [
      'the name "."',
      async () => [
        ['extensions.name', '.'],
        ['extensions.zip_file', await good()],
      ],
      /already exists/,
    ],
    [
      'a name with a slash',
      async () => [
        ['extensions.name', 'a/b'],
        ['extensions.zip_file', await good()],
      ],
      /invalid extension name/,
    ],
    [
      'two names in a row',
      async () => [
        ['extensions.name', 'x'],
        ['extensions.name', 'y'],
        ['extensions.zip_file', await good()],
        ['extensions.zip_file', await good()],
      ],
      /next to each other/,
    ],
    ['a name without a file', () => Promise.resolve([['extensions.name', 'x']]), /one name and one zip_file/],
    ['an unknown part', () => Promise.resolve([['extensions.pinned', 'x']]), /invalid field: extensions\.pinned/],
  ];
  for (const [what, parts, says] of refused) {
    it(`rejects ${what} with 400, as the current behaviour does, and writes nothing`, async () => {
      const before = await extensionFolders(service.client, id);
      const answer = await post(service, `/browsers/${id}/extensions`, await parts());
      assert.equal(answer.status, 400);
      assert.match(await answer.text(), says);
      assert.deepEqual(await extensionFolders(service.client, id), before);
    });
  }
});

/** Longer than a DevTools connection waits for a browser that restarts. */
const SLOW_START_SECONDS = 8;

describe('an upload after which the browser fails to start, or starts slowly', function () {
  this.timeout(60_000);
  let folder: string;
  let failNext: string;
  let slowNext: string;
  let browser: string;

  before(async () => {
    folder = await newFolder();
    failNext = path.join(folder, 'fail-next');
    slowNext = path.join(folder, 'slow-next');
    browser = path.join(folder, 'browser');
    const real = await findBrowser();
    assert(real !== undefined, 'no browser on this machine');
    const script = [
      '#!/bin/sh',
      `if [ -e '${failNext}' ]; then rm '${failNext}'; exit 1; fi`,
      `if [ -e '${slowNext}' ]; then rm '${slowNext}'; sleep ${SLOW_START_SECONDS}; fi`,
      `exec '${real}' "$@"`,
    ].join('\n');
    await writeFile(browser, script, { mode: 0o755 });
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Uploads into a browser whose next start fails once; gives the folders of the machine afterwards. */
  async function failOnce(behaviour: string): Promise<string[]> {
    const service = await TestService.start(['--behaviour', behaviour, '--browser', browser]);
    try {
      const { session_id: id } = await service.client.browsers.create();
      await upload(service.client, id, 'first', await extensionZip(1));
      await writeFile(failNext, '');
      await assert.rejects(upload(service.client, id, 'second', await extensionZip(2)), { status: 500 });
      // The session goes on with a browser.
      await service.client.browsers.computer.captureScreenshot(id);
      return await extensionFolders(service.client, id);
    } finally {
      await service.stop();
    }
  }

  it('is answered with 500 and rolled back, in the current behaviour', async () => {
    assert.deepEqual(await failOnce('current'), ['first']);
  });

  it('is answered with 500 and leaves the folder, in the earlier behaviour', async () => {
    assert.deepEqual(await failOnce('earlier'), ['first', 'second']);
  });

  it('lets a DevTools connection wait for 5 s, then answers 503; mouse input is answered with 500', async () => {
    const service = await TestService.start(['--browser', browser]);
    const { session_id: id, cdp_ws_url: url } = await service.client.browsers.create();
    const devtools = await DevTools.connect(url);
    await writeFile(slowNext, '');
    const uploading = upload(service.client, id, 'app', await extensionZip(1));
    await devtools.closed;
    await assert.rejects(service.client.browsers.computer.scroll(id, { x: 1, y: 1, delta_y: 1 }), {
      status: 500,
      message: /is restarting/,
    });
    const started = performance.now();
    const socket = new WebSocket(url).on('error', () => undefined);
    const [, refusal] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
    const seconds = (performance.now() - started) / 1000;
    socket.terminate();
    assert.equal(refusal.statusCode, 503);
    assert(seconds > 4 && seconds < SLOW_START_SECONDS, `after ${seconds} s`);
    await uploading;
    (await DevTools.connect(url)).close();
    await service.stop();
  });
});
