import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { eventually } from '../support/eventually';
import { type Site, startSite } from '../standins/site';
import { PushStage } from './pushStage';
import { ToolStage } from './toolStage';

const POPUP = '<!doctype html><title>Popup</title><script src="popup.js"></script><input id="field" autofocus>';

describe('the tools for agents', function () {
  this.timeout(60_000);
  const stage = PushStage.forSuite();
  let tools: ToolStage;
  let site: Site;

  before(async () => {
    site = await startSite();
  });
  after(() => {
    site.close();
  });
  beforeEach(() => {
    tools = new ToolStage(stage());
  });
  afterEach(() => {
    tools.dispose();
  });

  it('push, and answer RUNNING only for the build that runs', async () => {
    const at = stage();
    const text = await tools.ask('push_extension');
    assert.match(
      text,
      /^RUNNING: «Sideload Sample» 1\.0\.0 is running in .*\nbuild [0-9a-f]{12}, id [a-p]{32}, worker running, \d+ ms\nNo error since this push\.$/m,
    );
    await at.write('background.js', 'globalThis.build = 2;\n');
    assert.match(await tools.ask('push_extension', { folder: at.folder, browser: at.browser.id }), /^RUNNING: /);
    assert.equal(await at.ask('globalThis.build'), 2);
    assert.match(await tools.ask('reload_extension'), /^RUNNING: .*\n.*worker running/);
    const browsers = await tools.ask('list_extension_browsers');
    assert.match(
      browsers,
      /^1 browser is running\.\n- .*headless.*\n {2}extension «Sideload Sample» 1\.0\.0, enabled, build [0-9a-f]{12} pushed from here, id [a-p]{32}\n {2}tab /,
    );
    await at.mustRun({ folderName: '' });
    assert.match(
      await tools.ask('list_extension_browsers'),
      /enabled, build [0-9a-f]{12} pushed by another program, id/,
    );
  });

  it('answer what is wrong with file, line, Chromium’s words and the fix, as an error', async () => {
    const at = stage();
    await tools.ask('push_extension');
    await at.editManifest({ version: '1.0.x' });
    const refused = await tools.refuse('push_extension');
    assert.match(
      refused,
      /^REFUSED by the check, nothing was pushed: 1 error\.\nmanifest\.json:1:\d+ error R-VERSION: /,
    );
    assert.match(refused, /\n {2}Chromium says: .*'version'/);
    const findings = await tools.ask('get_extension_findings');
    assert.match(findings, /^REFUSED: the check of \. has 1 error\./);

    await at.editManifest({ version: '1.0.1' });
    await at.write('background.js', "\n\nthrow new Error('at start');\n");
    const failed = await tools.refuse('push_extension');
    assert.match(failed, /^WORKER FAILED: version 1\.0\.1 .*\nbackground\.js:3:\d+ error in worker: .*at start/);
    assert.match(
      await tools.ask('get_extension_findings'),
      /^LOADS: .*\nIn .* since its last push: 1 error\.\nbackground\.js:3:/,
    );
  });

  it('say once what both the check and Chromium say of the manifest', async () => {
    const at = stage();
    await at.editManifest({ background: { service_worker: 'background.js', scripts: ['background.js'] } });
    await tools.ask('push_extension');
    const told = (): boolean => {
      const id = tools.window.build(at.browser.id)?.extensionId ?? '';
      return tools.window.errors(at.browser, id).some(({ text }) => text.includes('background.scripts'));
    };
    await eventually('Chromium has told of the manifest', told, 20_000);
    const findings = await tools.ask('get_extension_findings');
    assert.match(findings, /has 1 warning\..*\nIn .* since its last push: nothing found\./);
    assert.equal(findings.split("'background.scripts'").length, 2, findings);
  });

  it('do not say that a page was opened of which Chromium shows an error page', async () => {
    await tools.ask('push_extension');
    for (const path of ['does-not-exist.html', '../../etc/passwd']) {
      const answer = await tools.refuse('open_extension_surface', { surface: 'page', path });
      assert.match(answer, /^NOT LOADED: the page of .* Chromium shows an error page instead/);
    }
  });

  it('do not say that a page of the web was opened whose server refuses the connection', async () => {
    const gone = await startSite();
    const { url } = gone;
    gone.close();
    await stage().editManifest({
      content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['content.js'] }],
      host_permissions: ['http://127.0.0.1/*'],
    });
    await tools.ask('push_extension');
    const answer = await tools.refuse('open_extension_surface', { surface: 'web_page', url });
    assert.match(answer, /^NOT LOADED: the web_page of .* the address cannot be reached/);
  });

  it('open surfaces and pages, and answer the errors of that', async () => {
    const at = stage();
    await at.write('popup.html', POPUP);
    await at.write('popup.js', "console.log('opened', { a: 1 });\nthrow new Error('in the popup');\n");
    await at.write('content.js', "\nthrow new Error('in the page');\n");
    await at.editManifest({ content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['content.js'] }] });
    await tools.ask('push_extension');
    const popup = await tools.ask('open_extension_surface', { surface: 'page', path: 'popup.html' });
    assert.match(
      popup,
      /^OPENED: the page of «Sideload Sample» in .*\.\n1 error since it was opened:\npopup\.js:2:\d+ error in popup\.html: .*in the popup/,
    );
    const again = await tools.ask('open_extension_surface', { surface: 'page', path: 'popup.html' });
    assert.match(again, /\n1 error since it was opened:\npopup\.js:2:/, 'its tab is loaded again');
    const page = await tools.ask('open_extension_surface', { surface: 'web_page', url: site.url });
    assert.match(page, /\ncontent\.js:2:\d+ error in content · 127\.0\.0\.1:\d+: .*in the page/);
    const lines = await tools.ask('read_extension_console', { contains: 'opened' });
    assert.match(lines, /^1 console lines of .*\ninfo popup\.html: «opened \{ ?a: 1 ?\} \(popup\.js:1:\d+\)»$/m);
    assert.match(await tools.ask('read_extension_console', { level: 'error', limit: 1 }), /older ones: raise "limit"/);
    assert.match(await tools.refuse('open_extension_surface', { surface: 'options' }), /^NOT OPENED: /);
  });

  it('read and write storage as the extension does, and report its quota', async () => {
    const at = stage();
    await at.editManifest({ permissions: ['storage'] });
    await tools.ask('push_extension');
    const set = { user: { name: 'A' }, ['__proto__x']: [1], long: 'x'.repeat(20_000) };
    assert.match(await tools.ask('set_extension_storage', { area: 'local', set }), /^WRITTEN: .*3 set, 0 removed\.$/m);
    const all = await tools.ask('get_extension_storage', { area: 'local' });
    assert.match(all, /«"user"»: «\{"name":"A"\}»/);
    assert.match(all, /«"long"»: «"x{100,}… \(\d+ characters more\)»/);
    assert.match(
      await tools.ask('get_extension_storage', { area: 'local', keys: ['user', 'none'] }),
      /«"none"»: \(not stored\)$/m,
    );
    assert.match(
      await tools.ask('get_extension_storage', { area: 'local', keys: ['long'] }),
      /characters more\. Read fewer keys at once\.$/m,
    );
    await tools.ask('set_extension_storage', { area: 'local', remove: ['long'] });
    assert.equal(
      await at.ask('chrome.storage.local.get(null).then((all) => Object.keys(all).sort().join())'),
      '__proto__x,user',
    );
    const quota = await tools.refuse('set_extension_storage', { area: 'sync', set: { a: 'x'.repeat(10_000) } });
    assert.match(quota, /^REFUSED by Chromium, nothing was written: .*quota/i);
  });

  it('stop and start the worker', async () => {
    await tools.ask('push_extension');
    assert.match(await tools.ask('stop_extension_worker'), /^DONE: the service worker of .* is stopped\.$/m);
    assert.match(await tools.ask('stop_extension_worker', { start: true }), /is running\.$/m);
  });

  it('take a picture, and act in the page', async () => {
    const at = stage();
    await at.write('popup.html', POPUP);
    await at.write(
      'popup.js',
      [
        "addEventListener('click', () => console.log('clicked'));",
        "addEventListener('keydown', ({ key, ctrlKey }) => console.log(`pressed ${key} ${ctrlKey}`));",
        '',
      ].join('\n'),
    );
    await tools.ask('push_extension');
    await tools.ask('open_extension_surface', { surface: 'page', path: 'popup.html' });
    const { isError, text, image } = await tools.call('screenshot_extension_browser');
    assert.equal(isError, false, text);
    assert.match(text, /, \d+ by \d+ pixels\. It shows the page in front alone; a popup /);
    assert.deepEqual([...(image ?? []).slice(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    const actions = [
      { do: 'click', x: 400, y: 400 },
      { do: 'keys', keys: ['Tab'] },
      { do: 'keys', keys: ['Control_L', 'a'] },
      { do: 'type', text: 'typed' },
      { do: 'scroll', x: 400, y: 400, ticks: 1 },
    ];
    assert.match(await tools.ask('act_in_extension_browser', { actions }), /^DONE: 5 actions in /);
    for (const contains of ['clicked', 'pressed a true']) {
      await eventually(
        contains,
        async () => (await tools.ask('read_extension_console', { contains })).startsWith('1 '),
        10_000,
      );
    }
  });

  it('create a browser that is chosen from then on', async () => {
    const made = await tools.ask('create_extension_browser', { name: 'agents-own' });
    assert.match(made, /^Browser agents-own runs, headless, started in \d+ ms\. Next: push_extension/);
    assert.match(await tools.ask('push_extension'), / is running in agents-own: /);
    await tools.window.endCreated();
    assert.match(await tools.ask('push_extension'), /^RUNNING: /);
  });

  it('refuse what leads elsewhere, what is too much and what does not exist, and say what to do', async () => {
    const at = stage();
    await tools.ask('push_extension');
    const name = basename(at.folder);
    const refused: [Parameters<ToolStage['refuse']>[0], unknown, RegExp][] = [
      ['push_extension', { folder: '/etc' }, /outside of the workspace/],
      ['push_extension', { folder: '../..' }, /outside of the workspace/],
      ['push_extension', { folder: `../${name}/../..` }, /outside of the workspace/],
      ['get_extension_findings', { folder: join(at.folder, '..') }, /outside of the workspace/],
      ['push_extension', { folder: 'a'.repeat(5000) }, /too long/],
      [
        'push_extension',
        { browser: 'nobody' },
        /No browser "nobody" is running\. Those are: .*create_extension_browser/,
      ],
      ['get_extension_findings', { browser: 'nobody' }, /No browser "nobody" is running\. Those are: /],
      ['push_extension', { service: 'https://evil.example' }, /has no "service"/],
      ['create_extension_browser', { name: '../x' }, /may have letters/],
      ['open_extension_surface', { surface: 'page', path: 'https://evil.example/' }, /path of a page in the extension/],
      ['open_extension_surface', { surface: 'page', path: '//evil.example/a.html' }, /path of a page in the extension/],
      ['open_extension_surface', { surface: 'page', path: 'chrome://settings' }, /path of a page in the extension/],
      ['open_extension_surface', { surface: 'web_page', url: 'file:///etc/passwd' }, /http or https/],
      ['open_extension_surface', { surface: 'web_page', url: 'http://user:pw@127.0.0.1/' }, /without a user name/],
      ['open_extension_surface', { surface: 'tab' }, /"surface" must be one of/],
      ['read_extension_console', { wait_ms: 1e9 }, /whole number from 0 to 20000/],
      ['read_extension_console', { extension: 'other' }, /No extension "other" is loaded/],
      ['get_extension_storage', { area: 'managed2' }, /must be one of local, sync, session, managed/],
      ['set_extension_storage', { area: 'local', set: { a: 'x'.repeat(1_100_000) } }, /more than 1000000 characters/],
      [
        'act_in_extension_browser',
        { actions: Array.from({ length: 21 }, () => ({ do: 'wait' })) },
        /more than 20 items/,
      ],
      ['act_in_extension_browser', { actions: [{ do: 'keys', keys: ['a;reboot'] }] }, /X11 names/],
      ['act_in_extension_browser', { actions: [{ do: 'type', text: 'x'.repeat(3000) }] }, /too long/],
      ['act_in_extension_browser', { actions: [{ do: 'click' }] }, /needs "x" and "y"/],
    ];
    for (const [tool, input, reason] of refused) assert.match(await tools.refuse(tool, input), reason);
    await at.editManifest({
      content_scripts: [{ matches: ['https://example.com/*'], js: ['content.js'] }],
      host_permissions: [],
    });
    await tools.ask('push_extension');
    assert.match(
      await tools.refuse('open_extension_surface', { surface: 'web_page', url: site.url }),
      /is refused: neither/,
    );
  });
});
