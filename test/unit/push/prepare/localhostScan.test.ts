import assert from 'node:assert/strict';
import type { PackedFile } from '../../../../src/archive/knownFile';
import { storedEntry } from '../../../../src/archive/zip';
import { isServedBy, type LocalhostUse, portsOf } from '../../../../src/push/localhost';
import { areUpdatedInPlace, findInText } from '../../../../src/push/prepare/localhostScan';
import { isQuick } from '../../../support/longTexts';

const kinds = (text: string): string[] => findInText(text).map(({ what }) => what);

/** The data of Plasmo's runtime. */
const plasmoData = (isBackground: boolean): string => `var n = {
    "isContentScript": ${!isBackground},
    "isBackground": ${isBackground},
    "isReact": false,
    "runtimes": [
        "background-service-runtime"
    ],
    "host": "localhost",
    "port": 1815,
    "entryFilePath": "/project/background.ts"
};`;

describe('a development build', () => {
  it('is recognised by the code that it loads from the machine it was made on', () => {
    const loaders = [
      "import 'http://localhost:5173/@vite/client';",
      'import { a } from "http://127.0.0.1:3000/src/background.ts";',
      "const page = await import('http://localhost:5173/x.js');",
      '<script type="module" src="http://localhost:3000/entry.ts"></script>',
      'importScripts("http://localhost:8080/hmr.js");',
    ];
    for (const text of loaders) assert.deepEqual(kinds(text), ['code'], text);
    const found = [{ what: 'code', line: 2, address: 'http://localhost:5173' }];
    assert.deepEqual(findInText(`let a;\n${loaders[0] ?? ''}`), found);
  });

  it('is distinguished from a build that only opens optional connections there', () => {
    const connections = [
      'const socket = new WebSocket(`ws://localhost:1012/`);',
      `"extension_pages": "script-src 'self' 'wasm-unsafe-eval' http://localhost:3000; object-src 'self';"`,
    ];
    for (const text of connections) assert.deepEqual(kinds(text), ['connection'], text);
  });

  it('has all of the servers that it names in one line, each once', () => {
    const addresses = (text: string): string[] => findInText(text).map(({ address }) => address);
    const script = `import"http://localhost:5173/a.js";import"http://localhost:5173/b.js";new WebSocket("ws://localhost:3000/")`;
    assert.deepEqual(addresses(script), ['http://localhost:5173', 'ws://localhost:3000']);
    const servers = ['http://localhost:5173', 'http://127.0.0.1:8080'];
    const policy = `"script-src 'self' ${servers.join(' ')} http://localhost; connect-src http://localhost:9000"`;
    assert.deepEqual(addresses(policy), servers);
  });

  it('of Plasmo is recognised by the data of its runtime, whose worker connects to two ports', () => {
    const policy = `{"content_security_policy":{"extension_pages":"script-src 'self' http://localhost;object-src 'self';"}}`;
    assert.deepEqual(findInText(policy), [], 'a policy without a port names no server');
    const connection = (line: number, port: number): object => ({
      what: 'connection',
      line,
      address: `ws://localhost:${port}`,
    });
    assert.deepEqual(findInText(plasmoData(true)), [connection(9, 1815), connection(9, 1816)]);
    assert.deepEqual(findInText(`1;\n${plasmoData(false).replace('localhost', '')}`), [connection(10, 1815)]);
    assert.deepEqual(findInText(plasmoData(true).replace('localhost', 'dev.example')), []);
  });

  it('of Plasmo is updated in place as far as all that has changed are scripts with that data', async () => {
    const packed = async (name: string, text: string): Promise<PackedFile> => {
      const entry = await storedEntry(name, Buffer.from(text));
      return { entry, size: text.length, digest: '', zipBytes: 0 };
    };
    const [page, other, style] = await Promise.all([
      packed('options.js', `${plasmoData(false)}\nshow();`),
      packed('other.js', 'show();'),
      packed('style.css', plasmoData(false)),
    ]);
    assert.equal(await areUpdatedInPlace([page]), true);
    assert.equal(await areUpdatedInPlace([page, other]), false);
    assert.equal(await areUpdatedInPlace([page, style]), false, 'Plasmo brings no styles to open pages');
  });

  it('names the ports that it needs, by plain HTTP and websockets', () => {
    const use = (what: LocalhostUse['what'], address: string): LocalhostUse => ({
      what,
      address,
      file: 'a.js',
      line: 1,
    });
    const uses = [
      use('code', 'http://localhost:5173'),
      use('connection', 'ws://localhost:1815'),
      use('code', 'http://127.0.0.1'),
      use('connection', 'wss://localhost:9'),
    ];
    assert.deepEqual(portsOf(uses), [80, 1815, 5173]);
    assert.equal(isServedBy(uses, [80, 5173]), true, 'a connection may be left out');
    assert.equal(isServedBy(uses, [5173, 1815]), false, 'code may not');
    assert.equal(isServedBy([use('connection', 'ws://localhost:1815')], [1815]), true);
    assert.equal(isServedBy([use('connection', 'ws://localhost:1815')], [1816]), false);
    assert.equal(isServedBy([use('code', 'https://localhost:5173')], [5173]), false, 'nor by TLS');
    assert.equal(isServedBy([], [5173]), false);
  });

  it('is looked for in bounded time, also in a line that begins like an import everywhere', () => {
    for (const part of [
      'import ',
      'import{a,',
      '<script ',
      'script-src ',
      'script-src http://localhost:1x ',
      'new  WebSocket ',
      '"isBackground": true,',
    ]) {
      const text = part.repeat((256 * 1024) / part.length);
      const quick = isQuick(() => {
        assert.deepEqual(findInText(text), []);
      });
      assert.ok(quick, part);
    }
  });

  it('is not found in text that only mentions such an address', () => {
    const mentions = [
      "fetch('http://localhost:11434/api/generate');",
      '// see http://localhost:3000',
      'const allowed = ["http://localhost:3000"];',
      "import 'https://localhost.example.com/x.js';",
      "import 'http://localhost:65536/x.js';",
    ];
    for (const text of mentions) assert.deepEqual(findInText(text), [], text);
  });
});
