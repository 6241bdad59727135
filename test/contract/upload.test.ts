import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { extensionZip, manifest, zipOf, zipWithLink } from './archives';
import { DevTools } from './devtools';
import { TestService } from './service';
import { extensionFolders, post, upload, type RawPart } from './uploads';

interface Body {
  code: string;
  message: string;
  details?: { code: string; message: string }[];
}

async function errorOf(answer: Response): Promise<Body> {
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  const body: unknown = await answer.json();
  assert(typeof body === 'object' && body !== null && 'code' in body && 'message' in body);
  const details = 'details' in body && Array.isArray(body.details) ? { details: body.details } : {};
  return { code: String(body.code), message: String(body.message), ...details };
}

describe('upload of extensions', function () {
  this.timeout(60_000);
  let service: TestService;
  let id: string;
  let devtoolsUrl: string;
  let good: Buffer;
  const send = (parts: readonly RawPart[]) => post(service, `/browsers/${id}/extensions`, parts);

  before(async () => {
    service = await TestService.start();
    const browser = await service.client.browsers.create({ timeout_seconds: 600 });
    [id, devtoolsUrl] = [browser.session_id, browser.cdp_ws_url];
    good = await extensionZip(1);
    await upload(service.client, id, 'taken', good);
  });
  after(() => service.stop());

  async function loadedNames(): Promise<string[]> {
    const devtools = await DevTools.connect(devtoolsUrl);
    const { extensions } = await devtools.result('Extensions.getExtensions');
    devtools.close();
    assert(Array.isArray(extensions));
    return extensions
      .map((extension: { path: string }) => extension.path.replace('/home/kernel/extensions/', ''))
      .sort();
  }

  describe('takes the part names of each generation of clients', () => {
    const shapes: [string, (zip: Buffer) => RawPart[]][] = [
      [
        'extensions[0][name]',
        (zip) => [
          ['extensions[0][name]', 'a0'],
          ['extensions[0][zip_file]', zip],
          ['extensions[1][name]', 'a1'],
          ['extensions[1][zip_file]', zip],
        ],
      ],
      [
        'extensions[0][…], all names first',
        (zip) => [
          ['extensions[0][name]', 'b0'],
          ['extensions[1][name]', 'b1'],
          ['extensions[0][zip_file]', zip],
          ['extensions[1][zip_file]', zip],
        ],
      ],
      [
        'extensions[][name]',
        (zip) => [
          ['extensions[][name]', 'c0'],
          ['extensions[][name]', 'c1'],
          ['extensions[][zip_file]', zip],
          ['extensions[][zip_file]', zip],
        ],
      ],
      [
        'extensions.name',
        (zip) => [
          ['extensions.name', 'd0'],
          ['extensions.zip_file', zip],
          ['extensions.zip_file', zip],
          ['extensions.name', 'd1'],
        ],
      ],
      [
        'extensions.0.name',
        (zip) => [
          ['extensions.0.name', 'e0'],
          ['extensions.0.zip_file', zip],
          ['extensions.1.name', 'e1'],
          ['extensions.1.zip_file', zip],
        ],
      ],
    ];
    for (const [shape, parts] of shapes) {
      it(shape, async () => {
        const answer = await send(parts(good));
        assert.equal(answer.status, 201, await answer.clone().text());
        assert.equal(await answer.text(), '');
        const names = parts(good).flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
        const loaded = await loadedNames();
        for (const name of names) assert(loaded.includes(name), `${name} is not loaded`);
      });
    }
  });

  describe('refuses with 400, and leaves nothing behind,', () => {
    const part = (name: string, zip: Buffer): RawPart[] => [
      ['extensions[0][name]', name],
      ['extensions[0][zip_file]', zip],
    ];
    const cases: [string, () => Promise<RawPart[]> | RawPart[], RegExp][] = [
      ['a name that exists', () => part('taken', good), /^extension name already exists: taken$/],
      [
        'a name that exists with blanks around it',
        () => part(' taken ', good),
        /^extension name already exists: taken$/,
      ],
      ['the name "."', () => part('.', good), /already exists/],
      ['the name ".."', () => part('..', good), /already exists/],
      ['a name with a slash', () => part('a/b', good), /invalid extension name/],
      ['an empty name', () => part('', good), /invalid extension name/],
      ['a name of 256 characters', () => part('x'.repeat(256), good), /invalid extension name/],
      [
        'a name twice in one request',
        () => [...part('twice', good), ['extensions[1][name]', 'twice'], ['extensions[1][zip_file]', good]],
        /duplicate extension name: twice/,
      ],
      ['no parts at all', () => [], /./],
      ['a part of another name', () => [['extensions', 'x']], /invalid field: extensions/],
      ['a name without a file', () => [['extensions[0][name]', 'lonely']], /one name and one zip_file/],
      [
        'two names in a row',
        () => [
          ['extensions.name', 'x'],
          ['extensions.name', 'y'],
          ['extensions.zip_file', good],
          ['extensions.zip_file', good],
        ],
        /next to each other/,
      ],
      [
        'a name that is a file',
        () => [
          ['extensions[0][name]', good],
          ['extensions[0][zip_file]', good],
        ],
        /must be text/,
      ],
      ['what is no zip', () => part('nozip', Buffer.from('hello')), /invalid zip file/],
      ['a zip cut in the middle', () => part('cut', good.subarray(0, good.length - 30)), /invalid zip file/],
      [
        'an entry that leaves the folder',
        async () => part('slip', await zipOf({ 'manifest.json': manifest(), '../../escaped.txt': 'x' })),
        /invalid zip file/,
      ],
      [
        'an absolute entry',
        async () => part('absolute', await zipOf({ 'manifest.json': manifest(), '/tmp/escaped.txt': 'x' })),
        /invalid zip file/,
      ],
      [
        'an entry with backslashes',
        async () => part('backslash', await zipOf({ 'manifest.json': manifest(), '..\\escaped.txt': 'x' })),
        /invalid zip file/,
      ],
      ['a symbolic link', async () => part('link', await zipWithLink('passwords', '/etc/passwd')), /link/],
      [
        'a zip without manifest.json at its root',
        async () => part('wrapped', await zipOf({ 'folder/manifest.json': manifest() })),
        /manifest\.json is missing/,
      ],
      [
        'more than 20 extensions',
        () =>
          Array.from({ length: 21 }, (_, at): RawPart[] => [
            [`extensions[${at}][name]`, `many${at}`],
            [`extensions[${at}][zip_file]`, good],
          ]).flat(),
        /at most 20/,
      ],
      ['a file of more than 50 MiB', () => part('large', Buffer.alloc(50 * 1024 * 1024 + 1)), /larger than/],
    ];
    for (const [what, parts, says] of cases) {
      it(what, async () => {
        const before = await extensionFolders(service.client, id);
        const answer = await send(await parts());
        assert.equal(answer.status, 400);
        const { code, message } = await errorOf(answer);
        assert.equal(code, 'bad_request');
        assert.match(message, says);
        assert.deepEqual(await extensionFolders(service.client, id), before);
        assert.deepEqual(await readdir(path.join(service.dataFolder, 'sessions', id, 'spool')), []);
      });
    }

    it('a body that is not multipart', async () => {
      const answer = await service.request(`/browsers/${id}/extensions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      assert.equal(answer.status, 400);
      assert.match((await errorOf(answer)).message, /multipart/);
    });
  });

  it('takes a manifest that Chromium loads, although it is not strict JSON', async () => {
    await upload(service.client, id, 'comments', await zipOf({ 'manifest.json': `// hello\n${manifest()}` }));
    await upload(service.client, id, 'marked', await zipOf({ 'manifest.json': `\uFEFF${manifest()}` }));
    const loaded = await loadedNames();
    for (const name of ['comments', 'marked']) assert.ok(loaded.includes(name), loaded.join());
  });

  it('answers 404 for an unknown browser', async () => {
    assert.equal((await post(service, '/browsers/nobody/extensions', [])).status, 404);
  });

  describe('when Chromium refuses the extension', () => {
    const refused: [string, () => Promise<Buffer>, string][] = [
      [
        'a trailing comma',
        () => zipOf({ 'manifest.json': '{"manifest_version":3,"name":"x",}' }),
        'Manifest is not valid JSON.  trailing comma at line 1 column 34',
      ],
      [
        'no version',
        () => zipOf({ 'manifest.json': '{"manifest_version":3,"name":"x"}' }),
        "Required value 'version' is missing or invalid. It must be between 1-4 dot-separated integers each between 0 and 65536.",
      ],
      [
        'a missing content script',
        () => zipOf({ 'manifest.json': manifest({ content_scripts: [{ matches: ['<all_urls>'], js: ['gone.js'] }] }) }),
        "Could not load javascript 'gone.js' for script.",
      ],
    ];
    for (const [what, zip, says] of refused) {
      it(`answers 400 with Chromium's own message (${what}), and the previous build keeps running`, async () => {
        const before = await loadedNames();
        const answer = await post(service, `/browsers/${id}/extensions`, [
          ['extensions[0][name]', 'refused'],
          ['extensions[0][zip_file]', await zip()],
        ]);
        assert.equal(answer.status, 400);
        const { code, details } = await errorOf(answer);
        assert.equal(code, 'bad_request');
        assert.deepEqual(details, [{ code: 'invalid_input', message: says }]);
        assert.deepEqual(await loadedNames(), before);
        assert(!(await extensionFolders(service.client, id)).includes('refused'));
      });
    }

    it('rolls back the whole request, and the name can be used again', async () => {
      const answer = await post(service, `/browsers/${id}/extensions`, [
        ['extensions[0][name]', 'fine'],
        ['extensions[0][zip_file]', good],
        ['extensions[1][name]', 'refused'],
        ['extensions[1][zip_file]', await zipOf({ 'manifest.json': '{}' })],
      ]);
      assert.equal(answer.status, 400);
      assert(!(await loadedNames()).includes('fine'));
      await upload(service.client, id, 'refused', good);
      assert((await loadedNames()).includes('refused'));
    });
  });
});
