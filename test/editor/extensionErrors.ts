// Covers: src/editor/problems, src/editor/console, src/console, src/sources
import { build } from 'esbuild';
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DiagnosticSeverity, languages, Position, Uri, workspace, WorkspaceEdit } from 'vscode';
import { SETTINGS } from '../../src/ids';
import { untilEntries } from '../extensionHost/diagnostics';
import { EditorBrowser, leaveService, set, useService } from '../extensionHost/editorBrowser';
import { SideloadLog } from '../extensionHost/sideloadLog';

/** The worker's source: `count` is typed, so that its lines are others than those of the built file. */
function sourceOf(statement: string): string {
  return `interface Count {\n  value: number;\n}\n\nconst count: Count = { value: 1 };\n${statement}\n`;
}

/** Line of the statement in the source, from 0. */
const STATEMENT_LINE = 5;

describe('the errors of a pushed extension', () => {
  const root = workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(root, 'the suite needs a workspace folder');
  const project = join(root, 'mapped');
  const source = Uri.file(join(project, 'src', 'worker.ts'));
  const built = Uri.file(join(project, 'dist', 'worker.js'));
  let browser: EditorBrowser;
  let log: SideloadLog;

  /** Waits until a worker says which build it is; what Sideload has logged tells why when none does. */
  async function untilBuilt(wanted: number): Promise<void> {
    await browser.says('globalThis.built', wanted).catch((error: unknown) => {
      assert.fail(`${String(error)} The log:\n${log.lines.join('\n')}`);
    });
  }

  /** Builds the extension as a bundler does: the worker in one line, its map beside it. */
  async function bundle(statement: string): Promise<void> {
    await mkdir(join(project, 'src'), { recursive: true });
    await mkdir(join(project, 'dist'), { recursive: true });
    await writeFile(source.fsPath, sourceOf(statement));
    const manifest = {
      manifest_version: 3,
      name: 'Mapped',
      version: '1.0',
      background: { service_worker: 'worker.js' },
    };
    await writeFile(join(project, 'dist', 'manifest.json'), JSON.stringify(manifest));
    await build({ entryPoints: [source.fsPath], outfile: built.fsPath, minify: true, sourcemap: true });
  }

  before(async function () {
    this.timeout(120_000);
    await useService();
    // The folder is within another extension, which does not need its sources.
    await set(SETTINGS.storeHints, false);
    browser = await EditorBrowser.start('faults');
    await browser.choose();
    log = await SideloadLog.fromNow();
    await bundle('globalThis.built = count.value;');
    await set(SETTINGS.folder, 'mapped/dist');
    await set(SETTINGS.pushOnSave, 'onBuild');
  });

  after(async () => {
    await set(SETTINGS.pushOnSave, undefined);
    await set(SETTINGS.folder, undefined);
    await set(SETTINGS.storeHints, undefined);
    await browser.end();
    await leaveService();
    await rm(project, { recursive: true, force: true });
  });

  it('that stop its worker are at their source line, with the place in the built file, until a good build runs', async () => {
    await bundle('globalThis.built = count.value + 1;');
    await untilBuilt(2);

    await bundle("throw new Error('no ' + count.value);");
    const [entry] = await untilEntries(source, (found) => found.length > 0);
    assert.equal(entry?.severity, DiagnosticSeverity.Error);
    assert.match(entry?.message ?? '', /Error: no 1/);
    assert.equal(entry?.range.start.line, STATEMENT_LINE);
    const [related] = entry?.relatedInformation ?? [];
    assert.equal(related?.location.uri.toString(), built.toString());
    assert.equal(related?.location.range.start.line, 0);
    assert.deepEqual(languages.getDiagnostics(built), [], 'it is told twice');

    await bundle('globalThis.built = count.value + 2;');
    await untilBuilt(3);
    await untilEntries(source, (found) => found.length === 0);
  }).timeout(60_000);

  it('that come later are at their source line, counted, with the browser, until the line is edited', async () => {
    await bundle(
      'globalThis.built = count.value + 3; globalThis.later = () => setTimeout(() => { throw new Error("later"); }) && 1;',
    );
    await untilBuilt(4);
    await browser.says('later()', 1);
    const [once] = await untilEntries(source, (found) => found.length > 0);
    assert.match(once?.message ?? '', /^Uncaught Error: later \(worker, faults\)$/);
    assert.equal(once?.range.start.line, STATEMENT_LINE);
    await browser.says('later()', 1);
    const isTwice = ([entry]: readonly { message: string }[]): boolean => entry?.message.endsWith(' 2 times)') ?? false;
    await untilEntries(source, isTwice);

    const document = await workspace.openTextDocument(source);
    const edit = new WorkspaceEdit();
    edit.insert(source, new Position(STATEMENT_LINE, 0), '// being mended\n');
    await workspace.applyEdit(edit);
    await untilEntries(source, (found) => found.length === 0);
    await document.save();
  }).timeout(60_000);
});
