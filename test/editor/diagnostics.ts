import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CodeActionKind,
  commands,
  ConfigurationTarget,
  DiagnosticSeverity,
  extensions,
  Position,
  Range,
  Uri,
  window,
  workspace,
  WorkspaceEdit,
  type CodeAction,
  type CompletionList,
  type TextDocument,
} from 'vscode';
import { EXTENSION_ID, SETTINGS } from '../../src/ids';
import { entries, untilEntries } from '../support/diagnostics';

async function replaceAll(document: TextDocument, text: string): Promise<void> {
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, new Range(0, 0, document.lineCount, 0), text);
  assert.ok(await workspace.applyEdit(edit));
}

describe('the Problems panel', () => {
  const root = workspace.workspaceFolders?.[0]?.uri;
  assert.ok(root, 'the suite needs a workspace folder');
  const manifest = Uri.joinPath(root, 'manifest.json');
  let good = '';

  before(async () => {
    await extensions.getExtension(EXTENSION_ID)?.activate();
    good = await readFile(manifest.fsPath, 'utf8');
  });

  afterEach(async () => {
    const document = await workspace.openTextDocument(manifest);
    await replaceAll(document, good);
    await document.save();
    await untilEntries(manifest, (found) => found.length === 0);
  });

  it('shows what Chromium would refuse while the manifest is typed, before it is saved, at its line', async () => {
    const document = await workspace.openTextDocument(manifest);
    await window.showTextDocument(document);
    await replaceAll(document, good.replace(/"version": "[^"]+"/, '"version": "1.x"'));
    const [entry] = await untilEntries(manifest, (found) => found.length > 0);
    assert.ok(document.isDirty);
    assert.equal(entry?.code, 'R-VERSION');
    assert.equal(entry?.severity, DiagnosticSeverity.Error);
    assert.match(entry?.message ?? '', /Required value 'version' is missing or invalid/);
    assert.match(document.lineAt(entry?.range.start.line ?? 0).text, /"version"/);
  });

  it('shows a syntax error where it is', async () => {
    const document = await workspace.openTextDocument(manifest);
    await replaceAll(document, '{\n  "manifest_version": 3,\n  "name": "x",\n  "version": "1",\n}\n');
    const [entry] = await untilEntries(manifest, (found) => found.length > 0);
    assert.equal(entry?.code, 'R-JSON');
    assert.equal(entry?.range.start.line, 4);
  });

  it('notices when a file of the manifest is deleted and created again', async () => {
    const worker = join(root.fsPath, 'background.js');
    const text = await readFile(worker, 'utf8');
    await rm(worker);
    try {
      const [entry] = await untilEntries(manifest, (found) => found.length > 0);
      assert.equal(entry?.code, 'R-SW-MISSING');
      assert.match(entry?.message ?? '', /background\.js/);
    } finally {
      await writeFile(worker, text);
    }
    await untilEntries(manifest, (found) => found.length === 0);
  });

  it('notices a worker that is broken and repaired outside of the editor', async () => {
    const worker = Uri.joinPath(root, 'background.js');
    const text = await readFile(worker.fsPath, 'utf8');
    await writeFile(worker.fsPath, 'const broken = ;\n');
    try {
      const [entry] = await untilEntries(worker, (found) => found.length > 0);
      assert.equal(entry?.code, 'R-SW-BROKEN');
    } finally {
      await writeFile(worker.fsPath, text);
    }
    await untilEntries(worker, (found) => found.length === 0);
  });

  it('hints at what the Web Store rejects, unless a setting disables it', async () => {
    const document = await workspace.openTextDocument(manifest);
    await replaceAll(document, good.replace('{', '{ "key": "AAAA",'));
    const [entry] = await untilEntries(manifest, (found) => found.some(({ code }) => code === 'R-STORE'));
    assert.equal(entry?.severity, DiagnosticSeverity.Information);
    const settings = workspace.getConfiguration();
    await settings.update(SETTINGS.storeHints, false, ConfigurationTarget.Global);
    try {
      await untilEntries(manifest, (found) => found.length === 0);
    } finally {
      await settings.update(SETTINGS.storeHints, undefined, ConfigurationTarget.Global);
    }
  });

  it('offers a quick fix where only one edit is possible', async () => {
    const document = await workspace.openTextDocument(manifest);
    await replaceAll(document, good.replace('"permissions"', '"permisions"'));
    const [entry] = await untilEntries(manifest, (found) => found.some(({ code }) => code === 'R-UNKNOWN'));
    assert.ok(entry);
    const actions = await commands.executeCommand<CodeAction[]>(
      'vscode.executeCodeActionProvider',
      manifest,
      entry.range,
      CodeActionKind.QuickFix.value,
    );
    const edit = actions.find(({ title }) => title.includes('permissions'))?.edit;
    assert.ok(edit, JSON.stringify(actions.map(({ title }) => title)));
    assert.ok(await workspace.applyEdit(edit));
    assert.equal(document.getText(), good);
    await untilEntries(manifest, (found) => found.length === 0);
  });

  it('completes permissions while the manifest is typed', async () => {
    const document = await workspace.openTextDocument(manifest);
    const line = document
      .getText()
      .split('\n')
      .findIndex((text) => text.includes('"permissions"'));
    const column = document.lineAt(line).text.indexOf('"storage"') + 1;
    const labels = async (): Promise<string[]> => {
      const { items } = await commands.executeCommand<CompletionList>(
        'vscode.executeCompletionItemProvider',
        manifest,
        new Position(line, column),
      );
      return items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    };
    // The language server of JSON starts with the first JSON file, and loads schemas when it is asked.
    let found = await labels();
    while (!found.some((label) => label.includes('alarms'))) found = await labels();
    assert.ok(!found.some((label) => label.includes('webRequestBlocking')), 'offers what an extension may not use');
  });

  it('keeps entries short when they quote long values', async () => {
    const document = await workspace.openTextDocument(manifest);
    const script = { matches: ['<all_urls>'], js: ['content.js'], run_at: 'x'.repeat(100_000) };
    await replaceAll(document, JSON.stringify({ ...(JSON.parse(good) as object), content_scripts: [script] }));
    const found = await untilEntries(manifest, (entries) => entries.some(({ code }) => code === 'R-CS-TYPE'));
    for (const { message } of found) assert.ok(message.length < 3000, `${message.length} characters`);
  });

  it('ignores the manifest of a web app', async () => {
    const other = Uri.joinPath(root, 'web', 'manifest.json');
    await workspace.fs.writeFile(other, Buffer.from('{ "short_name": "App", "start_url": "/" }'));
    try {
      await window.showTextDocument(await workspace.openTextDocument(other));
      // A check of the extension's own manifest, asked for later, has ended: so would have one of this file.
      const document = await workspace.openTextDocument(manifest);
      await replaceAll(document, good.replace('"manifest_version": 3', '"manifest_version": 9'));
      await untilEntries(manifest, (found) => found.length > 0);
      assert.deepEqual(entries(other), []);
    } finally {
      await workspace.fs.delete(Uri.joinPath(root, 'web'), { recursive: true });
    }
  });
});
