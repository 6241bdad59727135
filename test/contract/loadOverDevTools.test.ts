import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { manifest, zipOf } from './archives';
import { DevTools } from './devtools';
import { processesWith } from './processes';
import { byUpload } from './pushes';
import { PushStage } from './pushStage';
import { extensionFolders, upload } from './uploads';

// The other contract tests, except those that mostly wait, run this way, too, in a run with full doses.
describe('a browser that ignores --load-extension', function () {
  this.timeout(60_000);
  const stage = PushStage.forSuite(['--load-over-devtools']);

  async function loadedNames(): Promise<string[]> {
    const devtools = await DevTools.connect(stage().browser.devToolsUrl);
    const { extensions } = await devtools.result('Extensions.getExtensions');
    devtools.close();
    assert(Array.isArray(extensions));
    return extensions.map(({ name }: { name: string }) => name).sort();
  }

  it('gets the uploaded extensions after each start; a refused one is rolled back with the words of Chromium', async () => {
    const { service, browser } = stage();
    const named = (name: string): Promise<Buffer> => zipOf({ 'manifest.json': manifest({ name }) });
    const add = async (name: string, zip: Promise<Buffer>): Promise<void> =>
      upload(service.client, browser.id, name, await zip);
    await add('one', named('first'));
    await add('two', named('second'));
    const broken = zipOf({ 'manifest.json': manifest({ background: { service_worker: 'none.js' } }) });
    await assert.rejects(add('three', broken), /Could not load background script/);
    assert.deepEqual(await loadedNames(), ['first', 'second']);
    assert.deepEqual((await extensionFolders(service.client, browser.id)).sort(), ['one', 'two']);
    const commandLines = await Promise.all((await processesWith(service.dataFolder)).map(commandLine));
    assert(commandLines.some((line) => line.includes('--remote-debugging-pipe')));
    assert(!commandLines.some((line) => line.includes('/home/kernel/extensions/one')));
  });

  it('runs what is pushed, at the first push and in place', async () => {
    const worker = await readFile(join(stage().folder, 'background.js'), 'utf8');
    for (const build of [1, 2]) {
      await stage().write('background.js', `${worker}\nself.build = ${build};\n`);
      await stage().mustRun(byUpload);
      assert.equal(await stage().ask('self.build'), build);
    }
  });
});

async function commandLine(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}
