// Covers: src/editor/push, src/editor/folder
import assert from 'node:assert/strict';
import {
  commands,
  Disposable,
  EventEmitter,
  FileType,
  workspace,
  type FileStat,
  type FileSystemProvider,
} from 'vscode';
import { COMMANDS, VIEWS } from '../../../src/ids';
import { type EditorBrowser } from '../../extensionHost/editorBrowser';
import { LOG } from '../../workbench/phrases';
import { startRecordedBrowser, type RecordedBrowser } from '../../extensionHost/recordedBrowser';
import type { RecordingService } from '../../standins/recordingService';
import { SideloadLog } from '../../extensionHost/sideloadLog';
import { VIRTUAL_SCHEME } from '../../support/virtualScheme';

/** A folder of one extension that is on no disk. */
class MemoryFolder implements FileSystemProvider {
  readonly onDidChangeFile = new EventEmitter<never>().event;
  readonly #files = new Map([
    ['/virtual/manifest.json', '{ "manifest_version": 3, "name": "Virtual", "version": "1" }'],
  ]);

  watch = (): Disposable => new Disposable(() => undefined);

  stat({ path }: { path: string }): FileStat {
    const text = this.#files.get(path);
    return {
      type: text === undefined ? FileType.Directory : FileType.File,
      ctime: 0,
      mtime: 0,
      size: text?.length ?? 0,
    };
  }

  readDirectory(): [string, FileType][] {
    return [['manifest.json', FileType.File]];
  }

  readFile({ path }: { path: string }): Uint8Array {
    return Buffer.from(this.#files.get(path) ?? '');
  }

  createDirectory(): void {
    throw new Error('read-only');
  }

  writeFile(): void {
    throw new Error('read-only');
  }

  delete(): void {
    throw new Error('read-only');
  }

  rename(): void {
    throw new Error('read-only');
  }
}

/** The suite has opened a workspace whose only folder has `VIRTUAL_SCHEME`. */
describe('a virtual folder', () => {
  let service: RecordingService;
  let browser: EditorBrowser;
  let end: RecordedBrowser['end'];
  let files: Disposable;

  before(async function () {
    this.timeout(60_000);
    files = workspace.registerFileSystemProvider(VIRTUAL_SCHEME, new MemoryFolder(), { isReadonly: true });
    ({ service, browser, end } = await startRecordedBrowser('virtual'));
    await browser.choose();
  });
  after(async () => {
    await end();
    files.dispose();
  });
  beforeEach(() => {
    service.requests = [];
  });

  it('is what this window shows, and it can be read', async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.equal(folder?.uri.scheme, VIRTUAL_SCHEME);
    assert.deepEqual(await workspace.fs.readDirectory(folder.uri), [['manifest.json', FileType.File]]);
  });

  it('shows the lists', async () => {
    await commands.executeCommand(`${VIEWS.browsers}.focus`);
    await service.find('GET', /^\/browsers(\?|$)/);
    await commands.executeCommand('workbench.view.explorer');
  });

  it('lets the target be scrolled', async () => {
    await commands.executeCommand(COMMANDS.scrollDown);
    await service.find('POST', /\/computer\/scroll$/);
  });

  it('is not pushed: the message says that a push needs files on a disk', async () => {
    const log = await SideloadLog.fromNow();
    await commands.executeCommand(COMMANDS.push, browser.row);
    await log.find(LOG.virtualFolder);
    assert.deepEqual(
      service.requests.filter(({ method }) => method !== 'GET'),
      [],
    );
  });
});
