// Covers: src/editor/problems, src/editor/folder, src/manifest
import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CodeActionKind,
  commands,
  ConfigurationTarget,
  DiagnosticSeverity,
  extensions,
  LanguageModelTextPart,
  lm,
  Position,
  Range,
  Uri,
  window,
  workspace,
  WorkspaceEdit,
  type CodeAction,
  type CompletionList,
  type Diagnostic,
  type TextDocument,
} from 'vscode';
import { EXTENSION_ID, SETTINGS } from '../../src/ids';
import { entries, ruleOf, untilEntries } from '../extensionHost/diagnostics';

async function replaceAll(document: TextDocument, text: string): Promise<void> {
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, new Range(0, 0, document.lineCount, 0), text);
  assert.ok(await workspace.applyEdit(edit));
}

describe('the Problems panel', () => {
  const root = workspace.workspaceFolders?.[0]?.uri;
  assert.ok(root, 'the suite needs a workspace folder');
  const manifest = Uri.joinPath(root, 'manifest.json');

  /** Applies the quick fix of an entry whose title matches. */
  async function applyFix(title: RegExp, entry: Diagnostic | undefined): Promise<void> {
    assert.ok(entry);
    const kind = CodeActionKind.QuickFix.value;
    const actions = await commands.executeCommand<CodeAction[]>(
      'vscode.executeCodeActionProvider',
      manifest,
      entry.range,
      kind,
    );
    const edit = actions.find((action) => title.test(action.title))?.edit;
    assert.ok(edit, JSON.stringify(actions.map((action) => action.title)));
    assert.ok(await workspace.applyEdit(edit));
  }

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
    assert.equal(ruleOf(entry), 'R-VERSION');
    assert.equal(entry?.severity, DiagnosticSeverity.Error);
    assert.match(entry?.message ?? '', /Required value 'version' is missing or invalid/);
    assert.match(document.lineAt(entry?.range.start.line ?? 0).text, /"version"/);
  });

  it('shows a syntax error where it is', async () => {
    const document = await workspace.openTextDocument(manifest);
    await replaceAll(document, '{\n  "manifest_version": 3,\n  "name": "x",\n  "version": "1",\n}\n');
    const [entry] = await untilEntries(manifest, (found) => found.length > 0);
    assert.equal(ruleOf(entry), 'R-JSON');
    assert.deepEqual([entry?.range.start.line, entry?.range.start.character], [3, 16]);
    await applyFix(/Remove the comma/, entry);
    await untilEntries(manifest, (found) => !found.some((other) => ruleOf(other) === 'R-JSON'));
  });

  it('offers what a message proposes for a misspelt key in an object', async () => {
    const document = await workspace.openTextDocument(manifest);
    await replaceAll(document, good.replace('"default_popup"', '"default_popop"'));
    const [entry] = await untilEntries(manifest, (found) => found.length > 0);
    assert.equal(ruleOf(entry), 'R-UNKNOWN-NESTED');
    await applyFix(/Rename to "default_popup"/, entry);
    assert.equal(document.getText(), good);
  });

  it('links each code to the page of its rule', async () => {
    const document = await workspace.openTextDocument(manifest);
    await replaceAll(document, good.replace(/"version": "[^"]+"/, '"version": "1.x"'));
    const [entry] = await untilEntries(manifest, (found) => found.length > 0);
    const code = entry?.code;
    assert.ok(typeof code === 'object', 'the code has no address');
    const page = await workspace.openTextDocument(code.target);
    assert.match(page.getText(), /^# R-VERSION\n[^]*Chromium \d+ refuses[^]*"version": "1\.x"/);
  });

  it('gives no hints about the Web Store in the output of a build', async () => {
    const output = Uri.joinPath(root, '.output', 'chrome-mv3', 'manifest.json');
    const text = JSON.stringify({ manifest_version: 3, name: 'Built', version: '0.0.0', nope: 1 });
    await workspace.fs.writeFile(output, Buffer.from(text));
    try {
      await workspace.openTextDocument(output);
      const found = await untilEntries(output, (some) => some.length > 0);
      assert.deepEqual(found.map(ruleOf), ['R-UNKNOWN']);
    } finally {
      await workspace.fs.delete(Uri.joinPath(root, '.output'), { recursive: true });
    }
  });

  it('notices when a file of the manifest is deleted and created again', async () => {
    const worker = join(root.fsPath, 'background.js');
    const text = await readFile(worker, 'utf8');
    await rm(worker);
    try {
      const [entry] = await untilEntries(manifest, (found) => found.length > 0);
      assert.equal(ruleOf(entry), 'R-SW-MISSING');
      assert.match(entry?.message ?? '', /background\.js/);
    } finally {
      await writeFile(worker, text);
    }
    await untilEntries(manifest, (found) => found.length === 0);
  });

  it('has nothing about a manifest that was moved away, until it is back', async () => {
    const folder = Uri.joinPath(root, 'moved');
    const [before, after] = ['before', 'after'].map((name) => Uri.joinPath(folder, name, 'manifest.json'));
    assert.ok(before && after);
    await workspace.fs.writeFile(before, Buffer.from('{ "manifest_version": 9, "name": "Moved", "version": "1" }'));
    try {
      await workspace.openTextDocument(before);
      const isRefused = (found: readonly Diagnostic[]): boolean => found.some((one) => ruleOf(one) === 'R-MV4');
      await untilEntries(before, isRefused);
      await workspace.fs.rename(before, after);
      await untilEntries(before, (found) => found.length === 0);
      await workspace.fs.rename(after, before);
      await untilEntries(before, isRefused);
    } finally {
      await workspace.fs.delete(folder, { recursive: true });
    }
  });

  it('notices a worker that is broken and repaired outside of the editor', async () => {
    const worker = Uri.joinPath(root, 'background.js');
    const text = await readFile(worker.fsPath, 'utf8');
    await writeFile(worker.fsPath, 'const broken = ;\n');
    try {
      const [entry] = await untilEntries(worker, (found) => found.length > 0);
      assert.equal(ruleOf(entry), 'R-SW-BROKEN');
    } finally {
      await writeFile(worker.fsPath, text);
    }
    await untilEntries(worker, (found) => found.length === 0);
  });

  it('hints at what the Web Store rejects, unless a setting disables it', async () => {
    const document = await workspace.openTextDocument(manifest);
    await replaceAll(document, good.replace('{', '{ "key": "AAAA",'));
    const [entry] = await untilEntries(manifest, (found) => found.some((entry) => ruleOf(entry) === 'R-STORE'));
    assert.equal(entry?.severity, DiagnosticSeverity.Information);
    const settings = workspace.getConfiguration();
    await settings.update(SETTINGS.storeHints, false, ConfigurationTarget.Global);
    try {
      await untilEntries(manifest, (found) => found.length === 0);
    } finally {
      await settings.update(SETTINGS.storeHints, undefined, ConfigurationTarget.Global);
    }
  });

  it('hints at what users of the published version are asked again for, and so does the tool for agents', async () => {
    const old = join(root.fsPath, '..', `published-${process.pid}.json`);
    await writeFile(old, good);
    const settings = workspace.getConfiguration();
    const choose = (from: string | undefined): Thenable<void> =>
      settings.update(SETTINGS.updateFrom, from, ConfigurationTarget.Workspace);
    const isUpdate = (entry: Diagnostic): boolean => ruleOf(entry) === 'R-UPDATE';
    try {
      await choose(old);
      const more = good.replace('["storage"]', '["storage",\n"history"]');
      const line = more.split('\n').indexOf('"history"]');
      const document = await workspace.openTextDocument(manifest);
      await replaceAll(document, more);
      assert.ok(await document.save());
      const [entry] = (await untilEntries(manifest, (found) => found.some(isUpdate))).filter(isUpdate);
      assert.equal(entry?.range.start.line, line);
      assert.match(entry.message, /"history".*browsing history/);
      const answer = await lm.invokeTool('get_extension_findings', {
        input: {},
        toolInvocationToken: undefined,
      });
      const text = answer.content.map((part) => (part instanceof LanguageModelTextPart ? part.value : '')).join('');
      assert.match(text, new RegExp(`manifest\\.json:${line + 1}:\\d+.*R-UPDATE`));
      // A version that does not exist is compared with nothing.
      await choose('no-such-tag');
      await untilEntries(manifest, (found) => !found.some(isUpdate));
    } finally {
      await choose(undefined);
      await writeFile(manifest.fsPath, good);
      await rm(old, { force: true });
    }
  });

  it('offers a quick fix where only one edit is possible', async () => {
    const document = await workspace.openTextDocument(manifest);
    await replaceAll(document, good.replace('"permissions"', '"permisions"'));
    const [entry] = await untilEntries(manifest, (found) => found.some((entry) => ruleOf(entry) === 'R-UNKNOWN'));
    await applyFix(/permissions/, entry);
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
    const found = await untilEntries(manifest, (entries) => entries.some((entry) => ruleOf(entry) === 'R-CS-TYPE'));
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
