// Covers: src/editor/push, src/editor/folder, src/push, src/archive
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { cp, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Range, Uri, workspace, WorkspaceEdit } from 'vscode';
import { SETTINGS } from '../../src/ids';
import { EditorBrowser, leaveService, set, useService } from '../extensionHost/editorBrowser';
import { LOG } from '../workbench/phrases';
import { SideloadLog } from '../extensionHost/sideloadLog';

/** Files besides the manifest and the worker: as many as a switch of branches changes. */
const MODULES = 50;

const MODULE_NAMES = Array.from({ length: MODULES }, (_none, index) => `part${index}.js`);

describe('push on save', () => {
  const root = workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(root, 'the suite needs a workspace folder');
  const folder = join(root, 'saved');
  let browser: EditorBrowser;
  let log: SideloadLog;

  const manifest = (version: string): string =>
    JSON.stringify({
      manifest_version: 3,
      name: 'Saved',
      version,
      background: { service_worker: 'worker.js', type: 'module' },
    });
  const imports = MODULE_NAMES.map((name, index) => `import { build as b${index} } from './${name}';\n`).join('');
  const parts = MODULE_NAMES.map((_name, index) => `b${index}`).join(', ');
  const worker = (build: number): string => `${imports}globalThis.parts = new Set([${parts}]).size;
globalThis.part = b0;\nglobalThis.build = ${build};\n`;

  /** Writes all files again, as a bundler or a switch of branches does. */
  function writeAll(build: number): void {
    // In one piece: on a busy machine writes that wait for each other may be further apart than a build's quiet time.
    for (const name of MODULE_NAMES) writeFileSync(join(folder, name), `export const build = ${build};\n`);
    writeFileSync(join(folder, 'worker.js'), worker(build));
    writeFileSync(join(folder, 'manifest.json'), manifest('1.0'));
  }

  /** Types over a file in the editor; it is not saved. */
  async function type(name: string, text: string): Promise<void> {
    const document = await workspace.openTextDocument(Uri.file(join(folder, name)));
    const edit = new WorkspaceEdit();
    edit.replace(document.uri, new Range(0, 0, document.lineCount, 0), text);
    assert.ok(await workspace.applyEdit(edit));
  }

  /** Saves all that is typed, as one action. */
  async function save(): Promise<void> {
    const typed = workspace.textDocuments.filter((document) => document.isDirty);
    assert.ok(typed.length > 0, 'nothing is typed');
    for (const saved of await Promise.all(typed.map((document) => document.save()))) assert.ok(saved);
  }

  /** Waits until the browser runs a build of which every part is the same. */
  async function runs(build: number): Promise<void> {
    await browser.says('[globalThis.build, globalThis.part, globalThis.parts].join()', `${build},${build},1`);
  }

  /** One more save, whose push comes after all that were before: then these can be counted. */
  async function pushesBefore(version: string): Promise<number> {
    const isTyped = workspace.getConfiguration().get(SETTINGS.pushOnSave) === 'onSave';
    if (isTyped) {
      await type('manifest.json', manifest(version));
      await save();
    } else {
      await writeFile(join(folder, 'manifest.json'), manifest(version));
    }
    await log.find(LOG.running(`Saved ${version}`, 'saves'));
    return log.lines.filter((line) => LOG.uploaded.test(line)).length - 1;
  }

  before(async function () {
    this.timeout(120_000);
    await useService();
    browser = await EditorBrowser.start('saves');
    await mkdir(folder, { recursive: true });
    writeAll(0);
    await browser.choose();
    await set(SETTINGS.folder, 'saved');
  });

  after(async () => {
    await set(SETTINGS.pushOnSave, undefined);
    await set(SETTINGS.folder, undefined);
    await browser.end();
    await leaveService();
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    log = await SideloadLog.fromNow();
  });

  describe('of files in the editor', () => {
    before(() => set(SETTINGS.pushOnSave, 'onSave'));

    it('pushes once for files that are saved together', async () => {
      for (const name of MODULE_NAMES.slice(0, 9)) await type(name, 'export const build = 1;\n');
      for (const name of MODULE_NAMES.slice(9)) await writeFile(join(folder, name), 'export const build = 1;\n');
      await type('worker.js', worker(1));
      await save();
      await runs(1);
      assert.equal(await pushesBefore('1.1'), 1, log.lines.join('\n'));
    }).timeout(60_000);

    it('pushes again, and not for each file, after saves during a push', async () => {
      await type('worker.js', worker(2).replace('globalThis.part = b0', 'globalThis.part = 2'));
      await save();
      await log.find(LOG.uploaded);
      for (let build = 3; build < 9; build++) {
        await type('worker.js', worker(build).replace('globalThis.part = b0', `globalThis.part = ${build}`));
        await save();
      }
      await runs(8);
      const pushes = await pushesBefore('1.2');
      assert.ok(pushes >= 2 && pushes <= 7, `${pushes} pushes`);
    }).timeout(60_000);

    it('keeps the running build when the check fails, and pushes the next valid save', async () => {
      await type('manifest.json', manifest('1.3').replace('worker.js', 'gone.js'));
      await save();
      await log.find(LOG.refused('manifest.json', 1));
      assert.deepEqual(await browser.ask('globalThis.build'), [8]);
      await type('worker.js', worker(9).replace('globalThis.part = b0', 'globalThis.part = 9'));
      await type('manifest.json', manifest('1.4'));
      await save();
      await runs(9);
    }).timeout(60_000);
  });

  describe('of a build', () => {
    const git = async (...args: string[]): Promise<void> => {
      const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'init.defaultBranch=one'];
      await promisify(execFile)('git', [...identity, ...args], { cwd: folder });
    };

    before(() => set(SETTINGS.pushOnSave, 'onBuild'));

    it('pushes once for many writes, when the build is complete', async () => {
      rmSync(join(folder, 'worker.js'));
      writeAll(10);
      await runs(10);
      assert.equal(await pushesBefore('2.0'), 1);
    }).timeout(60_000);

    it('notices deleted files when the folder was recreated', async () => {
      await rm(folder, { recursive: true });
      await mkdir(folder);
      await writeFile(join(folder, 'worker.js'), 'globalThis.build = 10.5;\n');
      await writeFile(join(folder, 'manifest.json'), manifest('2.0'));
      await browser.says('globalThis.build', 10.5);
      await log.find(LOG.packedFiles(2));
      writeAll(10);
      await runs(10);
    }).timeout(60_000);

    // VS Code reports only the moved folder itself, and on Linux it does not watch the folders in it.
    it('pushes a build that was moved into place, and later writes to it', async () => {
      const elsewhere = `${root}-elsewhere`;
      await rename(folder, elsewhere);
      await mkdir(join(elsewhere, 'js'));
      await writeFile(join(elsewhere, 'js', 'worker.js'), 'globalThis.build = 10.7;\n');
      await writeFile(join(elsewhere, 'manifest.json'), manifest('2.0').replace('worker.js', 'js/worker.js'));
      await rename(elsewhere, folder);
      await browser.says('globalThis.build', 10.7);
      await writeFile(join(folder, 'js', 'worker.js'), 'globalThis.build = 10.8;\n');
      await browser.says('globalThis.build', 10.8);
      await rm(join(folder, 'js'), { recursive: true });
      writeAll(10);
      await runs(10);
    }).timeout(60_000);

    it('pushes what is written behind a link, and what the link leads to next', async () => {
      const [builds, next] = [join(root, 'builds'), join(root, 'next')];
      await mkdir(builds);
      await rename(folder, join(builds, 'one'));
      await symlink(join('builds', 'one'), folder);
      await cp(join(builds, 'one'), join(builds, 'two'), { recursive: true });
      await writeFile(join(builds, 'two', 'worker.js'), 'globalThis.build = 10.9;\n');
      await symlink(join('builds', 'two'), next);
      await rename(next, folder);
      await browser.says('globalThis.build', 10.9);
      await writeFile(join(builds, 'two', 'worker.js'), 'globalThis.build = 10.95;\n');
      await browser.says('globalThis.build', 10.95);
      await rm(folder);
      await rename(join(builds, 'one'), folder);
      await rm(builds, { recursive: true });
      writeAll(10);
      await runs(10);
    }).timeout(60_000);

    it('reports a build that stays incomplete although other files are written', async () => {
      await writeFile(join(folder, 'manifest.json'), manifest('2.0').replace('worker.js', 'gone.js'));
      // The editor tells of files that are written close together at once.
      await new Promise((settle) => setTimeout(settle, 1500));
      await writeFile(join(root, 'other.log'), 'one line\n');
      await log.find(LOG.refused('manifest.json', 1));
      await rm(join(root, 'other.log'));
      writeAll(10);
      await runs(10);
    }).timeout(60_000);

    it('pushes once for a switch of git branches', async () => {
      const branches = [
        ['one', 11],
        ['two', 12],
      ] as const;
      const restoreManifest = async (): Promise<void> => {
        log = await SideloadLog.fromNow();
        await git('checkout', '--quiet', '--', '.');
        await log.find(LOG.running('Saved 1.0', 'saves'));
      };
      await git('init', '--quiet');
      for (const [branch, build] of branches) {
        if (branch !== 'one') await git('checkout', '--quiet', '-b', branch);
        writeAll(build);
        await git('add', '.');
        await git('commit', '--quiet', '--message', branch);
        await runs(build);
      }
      await pushesBefore('2.1');
      await restoreManifest();
      // A busy machine may tell of one switch at two moments, but not of each.
      const pushes: number[] = [];
      for (const [branch, build] of [...branches, ['one', 11]] as const) {
        log = await SideloadLog.fromNow();
        await git('checkout', '--quiet', branch);
        await runs(build);
        pushes.push(await pushesBefore(`2.${2 + pushes.length}`));
        await restoreManifest();
      }
      assert(pushes.filter((count) => count === 1).length >= 2, `pushes of each switch: ${pushes.join(', ')}`);
    }).timeout(120_000);
  });
});
