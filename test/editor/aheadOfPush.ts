// Covers: src/editor/push, src/push, src/archive
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DiagnosticSeverity, Uri, workspace, type Diagnostic } from 'vscode';
import { SETTINGS } from '../../src/ids';
import { ruleOf, entries, untilEntries } from '../extensionHost/diagnostics';
import { EditorBrowser, leaveService, set, useService } from '../extensionHost/editorBrowser';

describe('ahead of a push', () => {
  const root = workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(root, 'the suite needs a workspace folder');
  const folder = join(root, 'ahead');
  const manifest = Uri.file(join(folder, 'manifest.json'));
  let browser: EditorBrowser;

  const write = (worker: string): Promise<void> =>
    writeFile(
      manifest.fsPath,
      JSON.stringify({ manifest_version: 3, name: 'Ahead', version: '1.0', background: { service_worker: worker } }),
    );

  /** Of a folder's entries, those that stop a push. */
  const errors = (found: readonly Diagnostic[]): Diagnostic[] =>
    found.filter(({ severity }) => severity === DiagnosticSeverity.Error);

  before(async function () {
    this.timeout(120_000);
    await useService();
    browser = await EditorBrowser.start('ahead');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'worker.js'), 'globalThis.build = 1;\n');
    await write('gone.js');
    await set(SETTINGS.folder, 'ahead');
  });

  after(async () => {
    await set(SETTINGS.pushOnSave, undefined);
    await set(SETTINGS.folder, undefined);
    await browser.end();
    await leaveService();
    await rm(folder, { recursive: true, force: true });
  });

  it('the folder is checked when a browser is chosen, without an open file or a push', async () => {
    assert.deepEqual(entries(manifest), []);
    await browser.choose();
    const [entry] = errors(await untilEntries(manifest, (found) => errors(found).length > 0));
    assert.equal(ruleOf(entry), 'R-SW-MISSING');
    assert.deepEqual(await browser.ask('globalThis.build'), []);
  });

  it('a change after the folder was packed is pushed, too', async () => {
    await set(SETTINGS.pushOnSave, 'onBuild');
    await write('worker.js');
    await browser.says('globalThis.build', 1);
    await writeFile(join(folder, 'worker.js'), 'globalThis.build = 2;\n');
    await browser.says('globalThis.build', 2);
    await untilEntries(manifest, (found) => errors(found).length === 0);
  }).timeout(60_000);
});
