// Covers: src/extension.ts, src/ids.ts, src/editor/sideload.ts, src/service/wire
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { commands, extensions } from 'vscode';
import { COMMANDS, EXTENSION_ID } from '../../src/ids';

/** Where undici keeps the dispatcher behind the global `fetch`, by generation. */
const DISPATCHERS = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'] as const;

function dispatchers(): unknown[] {
  return DISPATCHERS.map((name): unknown => Reflect.get(globalThis, Symbol.for(name)));
}

const extension = extensions.getExtension(EXTENSION_ID);

describe('activation', () => {
  it('finds the extension in this VS Code', () => {
    assert.ok(extension, `${EXTENSION_ID} is not installed`);
  });

  it('ends without an error', async () => {
    await extension?.activate();
    assert.equal(extension?.isActive, true);
  });

  it('registers every command of the manifest', async () => {
    await extension?.activate();
    const registered = new Set(await commands.getCommands(true));
    const missing = Object.values(COMMANDS).filter((id) => !registered.has(id));
    assert.deepEqual(missing, []);
  });

  it('does not replace the global fetch dispatcher of the extension host when it is loaded', () => {
    assert.ok(extension);
    const bundle = join(extension.extensionPath, 'dist', 'extension.js');
    const before = dispatchers();
    const load = createRequire(bundle);
    // The bundle with the files that it shares with other programs.
    const files = Object.keys(load.cache).filter((path) => dirname(path) === dirname(bundle));
    const loaded = files.map((path) => load.cache[path]);
    // A dispatcher that stands there already would keep undici from setting one: the place must be empty to see it.
    for (const name of DISPATCHERS) Reflect.set(globalThis, Symbol.for(name), undefined);
    try {
      for (const path of files) delete load.cache[path];
      load(bundle);
      assert.deepEqual(dispatchers(), [undefined, undefined]);
    } finally {
      DISPATCHERS.forEach((name, index) => Reflect.set(globalThis, Symbol.for(name), before[index]));
      files.forEach((path, index) => {
        const module = loaded[index];
        if (module) load.cache[path] = module;
      });
    }
  });

  it('sends its requests without replacing the global fetch', async () => {
    await extension?.activate();
    const before = dispatchers();
    const fetchBefore = globalThis.fetch;
    await commands.executeCommand(COMMANDS.refresh);
    dispatchers().forEach((now, index) => assert.equal(now, before[index]));
    assert.equal(globalThis.fetch, fetchBefore);
  });
});
