// Covers: src/editor/push, src/editor/folder, src/push
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commands, DiagnosticSeverity, languages, Range, Uri, workspace, WorkspaceEdit } from 'vscode';
import { COMMANDS, SETTINGS } from '../../src/ids';
import { EditorBrowser, leaveService, set, useService } from '../extensionHost/editorBrowser';
import { SideloadLog } from '../extensionHost/sideloadLog';
import { LOG } from '../workbench/phrases';

const NAMES = ['alpha', 'beta'] as const;
type Name = (typeof NAMES)[number];

describe('folders that are pushed together', () => {
  const root = workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(root, 'the suite needs a workspace folder');
  const folder = (name: Name): string => join(root, 'together', name);
  let browser: EditorBrowser;

  const worker = (name: Name, build: number): string =>
    `globalThis.started ??= Math.random();\nglobalThis.build = '${name} ${build}';\n`;
  const writeManifest = (name: Name, version = '1.0'): Promise<void> =>
    writeFile(
      join(folder(name), 'manifest.json'),
      JSON.stringify({ manifest_version: 3, name, version, background: { service_worker: 'worker.js' } }),
    );
  const startOf = async (name: Name): Promise<unknown> => {
    const values = await browser.ask('[globalThis.build, globalThis.started]');
    return values.find((value) => Array.isArray(value) && String(value[0]).startsWith(name));
  };

  before(async function () {
    this.timeout(90_000);
    await useService();
    for (const name of NAMES) {
      await mkdir(folder(name), { recursive: true });
      await writeManifest(name);
      await writeFile(join(folder(name), 'worker.js'), worker(name, 1));
    }
    browser = await EditorBrowser.start('together');
    await browser.choose();
    await set(
      SETTINGS.folders,
      NAMES.map((name) => `together/${name}`),
    );
  });

  after(async () => {
    await set(SETTINGS.pushOnSave, undefined);
    await set(SETTINGS.folders, undefined);
    await browser.end();
    await leaveService();
    await rm(join(root, 'together'), { recursive: true, force: true });
  });

  it('are pushed by one command, with a line for each and one summary', async () => {
    const log = await SideloadLog.fromNow();
    await commands.executeCommand(COMMANDS.push);
    for (const name of NAMES) await browser.says('globalThis.build', `${name} 1`);
    await log.find(/^Running in together: alpha, beta\.$/);
    for (const name of NAMES) assert.equal((await log.find(LOG.running(`${name} 1.0`, 'together'))).length, 1);
  }).timeout(60_000);

  it('are not pushed by the button of a row that VS Code has forgotten', async () => {
    await writeFile(join(folder('alpha'), 'worker.js'), worker('alpha', 0));
    // As menus of rows call it: the row, and the selected rows where there are several.
    await commands.executeCommand(COMMANDS.pushToRow, undefined, undefined);
    assert.ok((await browser.ask('globalThis.build')).includes('alpha 1'));
    await commands.executeCommand(COMMANDS.pushToRow, browser.row, undefined);
    await browser.says('globalThis.build', 'alpha 0');
  }).timeout(60_000);

  it('are no longer said to run when somebody removes one of them', async () => {
    const log = await SideloadLog.fromNow();
    const ids = await browser.ask("globalThis.build.startsWith('beta') && chrome.runtime.id");
    await browser.unload(String(ids.find(Boolean)));
    await log.find(/^beta was removed from together\.$/);
    await commands.executeCommand(COMMANDS.push);
    for (const name of NAMES) await browser.says('globalThis.build', `${name} ${name === 'alpha' ? 0 : 1}`);
  }).timeout(60_000);

  for (const mode of ['onSave', 'onBuild'] as const) {
    it(`are pushed alone after a change (${mode}): the other goes on running`, async () => {
      await set(SETTINGS.pushOnSave, mode);
      const [before, build] = [await startOf('beta'), mode === 'onSave' ? 2 : 3];
      assert.ok(before);
      if (mode === 'onBuild') await writeFile(join(folder('alpha'), 'worker.js'), worker('alpha', build));
      else {
        const document = await workspace.openTextDocument(Uri.file(join(folder('alpha'), 'worker.js')));
        const edit = new WorkspaceEdit();
        edit.replace(document.uri, new Range(0, 0, document.lineCount, 0), worker('alpha', build));
        assert.ok(await workspace.applyEdit(edit));
        assert.ok(await document.save());
      }
      await browser.says('globalThis.build', `alpha ${build}`);
      assert.deepEqual(await startOf('beta'), before);
      await set(SETTINGS.pushOnSave, undefined);
    }).timeout(60_000);
  }

  it('are run alone where the Explorer names one, and nothing is where it names a folder without an extension', async () => {
    for (const name of NAMES) await writeFile(join(folder(name), 'worker.js'), worker(name, 8));
    await commands.executeCommand(COMMANDS.runExtension, Uri.file(join(folder('beta'), 'manifest.json')), []);
    await browser.says('globalThis.build', 'beta 8');
    assert.ok(!(await browser.ask('globalThis.build')).includes('alpha 8'));
    const log = await SideloadLog.fromNow();
    await commands.executeCommand(COMMANDS.runExtension, Uri.file(join(root, 'together')), []);
    await log.find(/"together" holds no browser extension/);
    await commands.executeCommand(COMMANDS.push);
    await browser.says('globalThis.build', 'alpha 8');
  }).timeout(60_000);

  it('are not pushed when one of them has an error, whose place is among the problems', async () => {
    await writeManifest('beta', 'x');
    await writeFile(join(folder('alpha'), 'worker.js'), worker('alpha', 9));
    const log = await SideloadLog.fromNow();
    await commands.executeCommand(COMMANDS.push);
    await log.find(/beta: Not pushed: manifest\.json:1:\d+: .* None of the 2 extensions was pushed\.$/);
    const problems = (name: Name): number =>
      languages
        .getDiagnostics(Uri.file(join(folder(name), 'manifest.json')))
        .filter(({ severity }) => severity === DiagnosticSeverity.Error).length;
    assert.deepEqual([problems('alpha'), problems('beta')], [0, 1]);
    assert.ok(!(await browser.ask('globalThis.build')).includes('alpha 9'));
    await writeManifest('beta', '1.1');
    await commands.executeCommand(COMMANDS.push);
    await browser.says('globalThis.build', 'alpha 9');
  }).timeout(60_000);
});
