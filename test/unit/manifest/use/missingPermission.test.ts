import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { permissionAdvice } from '../../../../src/manifest/use/missingPermission';

describe('the permission that an error lacks', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-lacks-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** What is advised about an error at a mark `|` in a script. */
  async function advice(
    script: string,
    manifest: object = {},
    text = `Uncaught TypeError: Cannot read properties of undefined (reading 'onAlarm')`,
  ): Promise<string | undefined> {
    const file = join(folder, 'worker.js');
    const before = script.split('|', 1)[0] ?? '';
    await writeFile(file, script.replace('|', ''));
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
    const [line, column] = [before.split('\n').length - 1, before.split('\n').at(-1)?.length ?? 0];
    return await permissionAdvice({ text, file, line, column }, folder);
  }

  const ADD = 'chrome.alarms is there only with the permission "alarms". Add it to "permissions" in manifest.json.';

  it('is named where its namespace is read, to the column, or as the only one of the line', async () => {
    assert.equal(await advice('\nchrome.alarms.|onAlarm.addListener(run);'), ADD);
    assert.equal(await advice('|  globalThis.chrome.alarms.onAlarm.addListener(run);'), ADD);
    assert.equal(await advice('chrome.storage.onAlarm; chrome.alarms.|onAlarm;', { permissions: ['storage'] }), ADD);
  });

  it('is one to ask for where it is optional', async () => {
    assert.equal(
      await advice('chrome.alarms.|onAlarm', { optional_permissions: ['alarms'] }),
      'chrome.alarms is there only once the optional permission "alarms" was granted. Ask for it before.',
    );
  });

  it('is none where the manifest asks for it, or for another one that gives the namespace', async () => {
    assert.equal(await advice('chrome.alarms.|onAlarm', { permissions: ['alarms'] }), undefined);
    const read = `TypeError: Cannot read properties of undefined (reading 'getDynamicRules')`;
    const code = 'chrome.declarativeNetRequest.|getDynamicRules()';
    assert.match(String(await advice(code, {}, read)), /"declarativeNetRequest"/);
    assert.equal(await advice(code, { permissions: ['declarativeNetRequestWithHostAccess'] }, read), undefined);
  });

  it('is not known of other errors, of two namespaces in a line, and of one that needs no permission', async () => {
    assert.equal(await advice('chrome.alarms.|onAlarm', {}, 'Error: boom'), undefined);
    assert.equal(await advice('own.|onAlarm'), undefined);
    assert.equal(await advice('|f(chrome.alarms.onAlarm, chrome.idle.onAlarm)'), undefined);
    assert.equal(await advice('chrome.action.|onAlarm'), undefined);
    assert.equal(await advice('chrome.menus.|onAlarm'), undefined);
  });

  it('is not known where a file cannot be read', async () => {
    assert.equal(await advice('chrome.alarms.|onAlarm', []), ADD);
    await rm(join(folder, 'manifest.json'));
    const text = `TypeError: Cannot read properties of undefined (reading 'onAlarm')`;
    assert.equal(
      await permissionAdvice({ text, file: join(folder, 'worker.js'), line: 0, column: 14 }, folder),
      undefined,
    );
    assert.equal(
      await permissionAdvice({ text, file: join(folder, 'none.js'), line: 9, column: 1 }, folder),
      undefined,
    );
  });
});
