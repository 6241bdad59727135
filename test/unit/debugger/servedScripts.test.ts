import { transform } from 'esbuild';
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoopbackPorts } from '../../../src/base/loopback';
import { fieldOf, textField, textsField } from '../../../src/base/fields';
import { readMessage, type RelayMessage } from '../../../src/debugger/relayMessage';
import { ServedScripts } from '../../../src/debugger/servedScripts';
import { writeServedProject } from '../../support/servedProject';

const ID = 'abcdefghijklmnopabcdefghijklmnop';
const ORIGIN = 'http://localhost:5173';

describe('a script of a development server, as the debugger gets it', () => {
  let root: string;
  let inline: string;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'sideload-served-'));
    await writeServedProject(root, ORIGIN, { worker: '', options: '' });
    const { code } = await transform('const a: number = 1;', {
      loader: 'ts',
      sourcefile: 'options.ts',
      sourcemap: 'inline',
    });
    inline = code.slice(code.indexOf('data:')).trim();
  });

  after(() => rm(root, { recursive: true, force: true }));

  function event(url: string, sourceMapURL: string): RelayMessage {
    const text = JSON.stringify({
      method: 'Debugger.scriptParsed',
      sessionId: 'S',
      params: { scriptId: '7', url, sourceMapURL, startLine: 0 },
    });
    const message = readMessage(text);
    assert.ok(message);
    return message;
  }

  /** The address of the map that the debugger gets. */
  function shown(url: string, map: string, ports: LoopbackPorts = [5173]): string {
    const folders = { folder: join(root, 'dist'), root, servers: () => ports };
    const scripts = new ServedScripts(ID, folders, (path) => (path === '/maps/cut' ? inline : undefined));
    const message = JSON.parse(scripts.shown(event(url, map)).text) as unknown;
    assert.equal(textField(message, 'sessionId'), 'S');
    const params = fieldOf(message, 'params');
    assert.deepEqual([fieldOf(params, 'scriptId'), fieldOf(params, 'url')], ['7', url]);
    return textField(params, 'sourceMapURL');
  }

  function sourcesOf(map: string): string[] {
    return textsField(JSON.parse(Buffer.from(map.slice(map.indexOf(',') + 1), 'base64').toString()), 'sources');
  }

  const source = (): string => pathToFileURL(join(root, 'src', 'options.ts')).href;

  it('has the file of the workspace as its source, and not another one of that name', () => {
    for (const url of [
      `${ORIGIN}/src/options.ts`,
      `${ORIGIN}/src/options.ts?t=1`,
      `http://127.0.0.1:5173/src/options.ts`,
    ])
      assert.deepEqual(sourcesOf(shown(url, inline)), [source()], url);
    assert.deepEqual(sourcesOf(shown(`${ORIGIN}/src/options.ts`, inline, 'any')), [source()]);
  });

  it('has it, too, where its address is one of the extension, of a file that the build does not have', () => {
    assert.deepEqual(sourcesOf(shown(`chrome-extension://${ID}/src/options.ts`, inline)), [source()]);
  });

  it('has it when it is outside of the folder of the server', () => {
    const path = join(root, 'src', 'options.ts').split('\\').join('/').replace(/^\//, '');
    assert.deepEqual(sourcesOf(shown(`${ORIGIN}/@fs/${path}`, inline)), [source()]);
  });

  it('has it where its map was cut out of the answer, which a page has loaded before it was debugged', () => {
    assert.deepEqual(sourcesOf(shown(`${ORIGIN}/src/options.ts`, `${ORIGIN}/maps/cut`)), [source()]);
    assert.equal(shown(`${ORIGIN}/src/options.ts`, `${ORIGIN}/maps/other`), `${ORIGIN}/maps/other`);
    assert.equal(shown(`${ORIGIN}/src/options.ts`, 'http://localhost:8080/maps/cut'), '');
  });

  it('keeps its map when it is a file of the build, of another server, or of another extension', () => {
    for (const url of [
      `chrome-extension://${ID}/worker.js`,
      'http://localhost:9000/src/options.ts',
      'https://localhost:5173/src/options.ts',
      'http://localhost:5173.example.com/src/options.ts',
      `chrome-extension://${ID.replace('a', 'p')}/src/options.ts`,
    ])
      assert.equal(shown(url, inline), inline, url);
  });

  it('names no file outside of the workspace', () => {
    assert.deepEqual(sourcesOf(shown(`${ORIGIN}/@fs/etc/passwd`, inline)), [`${ORIGIN}/@fs/etc/options.ts`]);
    assert.deepEqual(sourcesOf(shown(`${ORIGIN}/%2e%2e/%2e%2e/etc/passwd`, inline)), [`${ORIGIN}/etc/options.ts`]);
  });

  it('leads the debugger to no server but its own', () => {
    assert.equal(shown(`${ORIGIN}/main.js`, 'main.js.map'), 'main.js.map');
    assert.equal(shown(`${ORIGIN}/main.js`, `${ORIGIN}/main.js.map`), `${ORIGIN}/main.js.map`);
    for (const url of [
      'https://example.com/main.js',
      `chrome-extension://${ID}/worker.js`,
      'http://localhost:9000/main.js',
      '',
    ])
      for (const map of [`${ORIGIN}/secret`, 'http://127.0.0.1:22/', 'http://[::1]:5173/x'])
        assert.equal(shown(url, map), '', `${map} of ${url}`);
    assert.equal(shown('http://localhost:9000/main.js', 'main.js.map'), '');
    assert.equal(shown('https://example.com/main.js', 'main.js.map'), 'main.js.map');
  });

  it('keeps a map that cannot be read, or is nested without end', () => {
    const nested = `{"mappings":"","sources":["options.ts"],"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const hostile = `data:application/json;base64,${Buffer.from(nested).toString('base64')}`;
    assert.equal(shown(`${ORIGIN}/src/options.ts`, hostile), hostile);
    for (const map of [
      'data:,',
      'data:application/json,%',
      'data:application/json;base64,e30=',
      'data:application/json,[]',
      '',
    ])
      assert.equal(shown(`${ORIGIN}/src/options.ts`, map), map);
  });

  it('is the only message that changes', () => {
    const scripts = new ServedScripts(ID, { folder: root, root });
    const message = readMessage('{"method":"Debugger.paused","params":{},"sessionId":"S"}');
    assert.ok(message);
    assert.equal(scripts.shown(message), message);
  });
});
