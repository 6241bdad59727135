// Covers: src/manifest/use/remoteCode.ts, src/manifest/rules
import assert from 'node:assert/strict';
import type { CheckOptions } from '../../../../src/manifest/check';
import type { Finding } from '../../../../src/manifest/finding';
import { applyFix } from '../applyFix';
import { BASE, checkCase, onlyOf } from '../checkManifest';

const STORE = { storeHints: true, readsCode: true };
const WORKER = { background: { service_worker: 'worker.js' } };

/** The findings of some rules. */
async function found(rule: string, manifest: object | string, files: Record<string, string> = {}): Promise<Finding[]> {
  const { findings } = await checkCase(manifest, files, STORE);
  return findings.filter((finding) => finding.rule === rule);
}

const inWorker = (rule: string, code: string): Promise<Finding[]> => found(rule, WORKER, { 'worker.js': code });

describe('code from elsewhere', () => {
  for (const code of [
    "import 'https://cdn.test/a.js';",
    "import('https://cdn.test/a.js');",
    "export * from 'https://cdn.test/a.js';",
    "importScripts('https://cdn.test/a.js');",
    "const script = document.createElement('script'); script.src = 'https://cdn.test/a';",
    "element.setAttribute('src', '//cdn.test/a.js');",
    "const CDN = 'https://cdn.test/'; script.src = CDN + name;",
    'const code = await (await fetch(address)).text(); eval(code);',
    'fetch(address).then((answer) => answer.text()).then((text) => new Function(text)());',
    'request.onload = () => eval(request.responseText);',
  ]) {
    it(`is found in ${code}`, async () => {
      const { file, message, severity } = onlyOf(await inWorker('R-STORE-REMOTE', `\n${code}`));
      assert.equal(file, 'worker.js');
      assert.match(message, /Blue Argon/);
      assert.equal(severity, 'hint');
    });
  }

  for (const code of [
    "import './a.js';",
    "picture.src = 'https://cdn.test/a.png';",
    "frame.src = 'https://site.test/';",
    'const rules = JSON.parse(await (await fetch(address)).text());',
    "new Function('return this')();",
  ]) {
    it(`is not found in ${code}`, async () => {
      assert.deepEqual(await inWorker('R-STORE-REMOTE', code), []);
    });
  }

  it('is found at the tag of a page, and not in comments, sandboxed pages and other tags', async () => {
    const page =
      '<!-- <script src="https://a.test/a.js"></script> --><link rel="stylesheet" href="https://a.test/a.css">\n';
    const files = {
      'page.html': `${page}<script\n src="https://b.test/b.js"></script>`,
      'box.html': '<script src="//c.test/c.js"></script>',
    };
    const { file, range } = onlyOf(await found('R-STORE-REMOTE', { sandbox: { pages: ['box.html'] } }, files));
    assert.deepEqual([file, range.start.line, range.start.column], ['page.html', 2, 6]);
  });

  it('may be behind addresses in texts, which the review has refused', async () => {
    for (const code of [
      'const at = `https://${host}/npm/@clerk/clerk-js@5/dist/clerk.browser.js`;',
      "const sdk = 'https://apis.google.com/js/api.js';",
      'const page = "<link><script src=\\"https://cdn.test/katex\\"></script>";',
    ])
      assert.match(onlyOf(await inWorker('R-STORE-ADDRESS', code)).message, /Blue Argon/);
    const others =
      "// https://cdn.test/a.js\nconst a = ['https://github.com/moment/moment.js', 'https://site.test/json', 'a.js'];";
    assert.deepEqual(await inWorker('R-STORE-ADDRESS', others), []);
  });
});

describe('the package', () => {
  it('may hold files for sites that need them, and not for all', async () => {
    const manifest = {
      content_scripts: [{ matches: ['https://*.a.test/b/*'], js: ['a.js'] }],
      web_accessible_resources: [{ resources: ['a.png'], matches: ['https://a.test/*', '*://*/*'] }],
    };
    const text = JSON.stringify({ ...BASE, ...manifest });
    const finding = onlyOf(await found('R-STORE-WAR', text, { 'a.js': '' }));
    assert.match(finding.message, /publishes no reason/);
    assert.ok(finding.fix);
    const fixed = applyFix(text, finding.fix);
    assert.match(fixed, /"matches":\["https:\/\/\*\.a\.test\/\*"\]/);
    assert.deepEqual(await found('R-STORE-WAR', fixed, { 'a.js': '' }), []);
  });

  it('holds files that do not belong there, but for those that the extension uses', async () => {
    const files = {
      'worker.js': "fetch(chrome.runtime.getURL('package.json'));",
      'worker.js.map': '{"sourcesContent": [null, "const a = 1;"]}',
      'other.js.map': '{"sourcesContent": [null]}',
      ...{ 'tests/a.js': '', 'a.spec.js': '', 'old.zip': 'x', '.env.local': 'x', '.vscode/settings.json': '{}' },
      ...{ 'key.pem': 'x', 'package.json': '{}', 'src/a.ts': '', 'README.md': '', LICENSE: '', 'data.json': '{}' },
    };
    const reported = (await found('R-STORE-FILES', WORKER, files)).map(({ file }) => file);
    const expected = ['.env.local', '.vscode/settings.json', 'README.md', 'a.spec.js', 'key.pem', 'old.zip'];
    assert.deepEqual(reported.sort(), [...expected, 'src/a.ts', 'tests/a.js', 'worker.js.map'].sort());
  });

  it('holds what its code, its accessible resources or a setting name, and data that is compressed', async () => {
    const resources = [{ resources: ['spec/*', 'lang/*.zip'], matches: ['https://a.test/*'] }];
    const manifest = { ...WORKER, web_accessible_resources: resources };
    const files = {
      'worker.js': "fetch(chrome.runtime.getURL('CHANGELOG.md')); load('words.zip');",
      ...{ 'CHANGELOG.md': 'x', 'words.zip': 'x', 'dict/base.dat.gz': 'x', 'spec/a.js': '', 'lang/en.zip': 'x' },
      ...{ 'other.zip': 'x', 'tests/a.js': '', 'wanted.tar.gz': 'x' },
    };
    const reportedOf = async (options: Partial<CheckOptions>): Promise<string[]> =>
      (await checkCase(manifest, files, { storeHints: true, readsCode: true, ...options })).findings
        .filter(({ rule }) => rule === 'R-STORE-FILES')
        .map(({ file }) => file);
    assert.deepEqual((await reportedOf({})).sort(), ['other.zip', 'tests/a.js', 'wanted.tar.gz']);
    const isNamed = (path: string): boolean => path.startsWith('wanted');
    assert.deepEqual((await reportedOf({ isNamed })).sort(), ['other.zip', 'tests/a.js']);
    const all = [{ resources: ['*'], matches: ['https://a.test/*'] }];
    const { findings } = await checkCase({ ...WORKER, web_accessible_resources: all }, files, {
      ...{ storeHints: true, readsCode: true },
    });
    assert.ok(findings.some(({ rule, file }) => rule === 'R-STORE-FILES' && file === 'lang/en.zip'));
  });

  it('is not searched in a project whose build makes the package', async () => {
    const manifest = { background: { service_worker: 'src/worker.ts' } };
    assert.deepEqual(await found('R-STORE-FILES', manifest, { 'src/worker.ts': '', 'package.json': '{}' }), []);
  });

  it('is not searched at a push, nor without hints about the store', async () => {
    const files = { 'worker.js': "import('https://cdn.test/a.js');", 'a.spec.js': '' };
    for (const options of [{ storeHints: true }, { readsCode: true }]) {
      const { findings } = await checkCase({ ...WORKER, permissions: ['alarms'] }, files, options);
      assert.deepEqual(
        findings.filter(({ rule }) => rule.startsWith('R-STORE-')),
        [],
      );
    }
  });

  it('has no list of keywords for a description', async () => {
    const spam = async (description: string): Promise<number> =>
      (await found('R-STORE', { description, icons: { 128: 'a.png' } }, { 'a.png': 'x' })).length;
    assert.equal(
      await spam('Video downloader, video saver, video converter, video player, best video and video tool'),
      1,
    );
    assert.equal(await spam('Works on Amazon, Ebay, Etsy, Walmart, Target, Best Buy, Costco'), 1);
    assert.equal(await spam('Reads pages aloud in English, French and German, and remembers where you were.'), 0);
  });
});
