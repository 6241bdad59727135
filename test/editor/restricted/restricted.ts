// Covers: src/editor/service, src/editor/push, src/editor/screen, package.json
import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commands, ConfigurationTarget, Uri, workspace, Range, WorkspaceEdit } from 'vscode';
import manifest from '../../../package.json';
import { COMMANDS, SETTINGS, VIEWS } from '../../../src/ids';
import { set, type EditorBrowser } from '../../extensionHost/editorBrowser';
import { FOREIGN_SETTINGS } from '../../support/foreignSettings';
import { LOG } from '../../workbench/phrases';
import { startRecordedBrowser, type RecordedBrowser } from '../../extensionHost/recordedBrowser';
import type { RecordingService } from '../../standins/recordingService';
import { SideloadLog } from '../../extensionHost/sideloadLog';

/** Time in which a push on save would have begun, in milliseconds. */
const QUIET_MS = 2000;

/** The suite has opened a copy of the sample, whose workspace settings are `FOREIGN_SETTINGS`, without trust. */
describe('a workspace that is not trusted', () => {
  const root = workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(root, 'the suite needs a workspace folder');
  const worker = Uri.file(join(root, 'background.js'));
  let service: RecordingService;
  let browser: EditorBrowser;
  let end: RecordedBrowser['end'];

  before(async function () {
    this.timeout(60_000);
    ({ service, browser, end } = await startRecordedBrowser('restricted'));
    await browser.choose();
  });
  after(() => end());
  beforeEach(() => {
    service.requests = [];
  });

  const pause = (): Promise<void> => new Promise((settle) => setTimeout(settle, QUIET_MS));

  /** Nothing but questions were sent, and nothing runs. */
  async function requireNothingSent(): Promise<void> {
    assert.deepEqual(
      service.requests.filter(({ method }) => method !== 'GET'),
      [],
    );
    assert.deepEqual(await browser.ask('1'), []);
  }

  it('is what this window shows', () => {
    assert.equal(workspace.isTrusted, false);
  });

  it('cannot set a setting that is restricted, and each that it could set is', () => {
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.deepEqual(Object.keys(FOREIGN_SETTINGS).sort(), [...restrictedConfigurations].sort());
    for (const name of restrictedConfigurations) {
      const all = workspace.getConfiguration(undefined, worker);
      const known = all.inspect(name);
      assert.notDeepEqual(FOREIGN_SETTINGS[name], known?.defaultValue, `${name}: the test would show nothing`);
      assert.deepEqual(all.get(name), known?.globalValue ?? known?.defaultValue, name);
    }
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

  for (const command of [COMMANDS.push, COMMANDS.runExtension, COMMANDS.storeExtension]) {
    it(`is not sent by ${command}: the message says why`, async () => {
      const log = await SideloadLog.fromNow();
      await commands.executeCommand(command, browser.row);
      await log.find(LOG.notTrusted);
      await requireNothingSent();
    });
  }

  it('keeps its settings, which are hidden: commands that would change one of them say why they do not', async () => {
    const file = join(root, '.vscode', 'settings.json');
    const before = await readFile(file, 'utf8');
    const asked = { folder: root, list: 'include', path: 'keys/a.pem' };
    for (const command of [COMMANDS.togglePushOnSave, COMMANDS.setPushOnSave, COMMANDS.addToFileList]) {
      const log = await SideloadLog.fromNow();
      await commands.executeCommand(command, asked);
      await log.find(LOG.notTrusted);
      assert.equal(await readFile(file, 'utf8'), before, command);
    }
  });

  it('is not pushed on save or on build, not even when the user has that on: nothing is asked of the service', async () => {
    try {
      for (const kind of ['onSave', 'onBuild']) {
        await set(SETTINGS.pushOnSave, kind, ConfigurationTarget.Global);
        const document = await workspace.openTextDocument(worker);
        const edit = new WorkspaceEdit();
        edit.insert(worker, new Range(0, 0, 0, 0).start, `// ${kind}\n`);
        assert.ok(await workspace.applyEdit(edit));
        assert.ok(await document.save());
        await appendFile(join(root, 'content.js'), `// ${kind}\n`).catch(() => undefined);
        await writeFile(join(root, 'new.js'), `// ${kind}\n`);
        await pause();
        assert.deepEqual(service.requests, [], kind);
      }
    } finally {
      await set(SETTINGS.pushOnSave, undefined, ConfigurationTarget.Global);
    }
    await requireNothingSent();
  }).timeout(60_000);
});
