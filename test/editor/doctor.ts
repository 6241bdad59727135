// Covers: src/editor/doctor, src/doctor
import assert from 'node:assert/strict';
import { commands, ConfigurationTarget, window } from 'vscode';
import { COMMANDS, DOCTOR_SCHEME, SETTINGS } from '../../src/ids';
import { TOKEN_VARIABLE } from '../../src/service/serviceAddress';
import { ChosenExtension } from '../extensionHost/chosenExtension';
import { EditorBrowser, serviceUrl, set } from '../extensionHost/editorBrowser';

const MANIFEST = JSON.stringify({
  manifest_version: 3,
  name: 'Patient',
  version: '1.0',
  background: { service_worker: 'worker.js' },
});

/** Nothing listens at this port. */
const NO_SERVICE = 'http://127.0.0.1:9';

describe('the doctor', () => {
  const extension = new ChosenExtension('patient');

  /** The report of an examination; its document is closed again. */
  async function examine(argument?: unknown): Promise<string> {
    await commands.executeCommand(COMMANDS.doctor, argument);
    const { document } = window.activeTextEditor ?? {};
    assert.equal(document?.uri.scheme, DOCTOR_SCHEME);
    const text = document.getText();
    await commands.executeCommand('workbench.action.closeActiveEditor');
    for (const secret of [process.env[TOKEN_VARIABLE] ?? '', extension.browser.described.devToolsUrl]) {
      assert.ok(secret.length > 10);
      assert.ok(!text.includes(secret), 'the report has a secret');
    }
    assert.doesNotMatch(text, /wss?:\/\/(?!\[hidden\])/);
    return text;
  }

  const marksIn = (text: string): string =>
    [...text.matchAll(/^- ([✓✗–]) \w+(?: \(\d+ ms\))?:/gm)].map(([, mark]) => mark).join('');

  before(async function () {
    this.timeout(90_000);
    await extension.begin({ 'manifest.json': MANIFEST, 'worker.js': '' });
    await commands.executeCommand(COMMANDS.push);
  });

  after(async () => {
    await set(SETTINGS.serviceUrl, serviceUrl(), ConfigurationTarget.Global);
    await extension.end();
  });

  it('finds a browser healthy that runs what was pushed', async () => {
    const text = await examine();
    assert.equal(marksIn(text), '✓✓✓✓✓', text);
    assert.match(text, /Browser patient$/m);
    assert.match(text, /✓ DevTools \(\d+ ms\): \S*Chrom\S*\/\d+/);
    assert.match(text, /✓ Extension \(\d+ ms\): Patient 1\.0 is enabled\.$/m);
    assert.match(text, /^- Last push to patient: running$/m);
  }).timeout(60_000);

  it('knows what was pushed to a browser that an argument names, and one that does not run', async () => {
    const text = await examine({ browser: 'patient' });
    assert.equal(marksIn(text), '✓✓✓✓✓', text);
    assert.match(text, /✓ Extension \(\d+ ms\): Patient 1\.0 is enabled\.$/m);
    assert.equal(marksIn(await examine({ browser: 'nobody' })), '✓✗–––');
  }).timeout(60_000);

  it('finds the worker broken whose script throws, and it healthy after the next push', async () => {
    await extension.write('worker.js', "throw new Error('ill');");
    await commands.executeCommand(COMMANDS.push);
    const text = await examine();
    assert.equal(marksIn(text), '✓✓✓✓✗', text);
    assert.match(text, /^- Last push to patient: failed/m);
    await extension.write('worker.js', '');
    await commands.executeCommand(COMMANDS.push);
    assert.equal(marksIn(await examine()), '✓✓✓✓✓');
  }).timeout(90_000);

  it('finds the service broken when nothing answers at its address', async () => {
    await set(SETTINGS.serviceUrl, NO_SERVICE, ConfigurationTarget.Global);
    const text = await examine();
    assert.equal(marksIn(text), '✗––––', text);
    await set(SETTINGS.serviceUrl, serviceUrl(), ConfigurationTarget.Global);
  }).timeout(60_000);

  it('finds the extension broken that was removed from the browser', async () => {
    const [id] = await extension.browser.ask('chrome.runtime.id');
    assert.equal(typeof id, 'string');
    await extension.browser.unload(String(id));
    const text = await examine();
    assert.equal(marksIn(text), '✓✓✓✗–', text);
    assert.match(text, /✗ Extension: The browser no longer has the extension that was pushed.* Push it again\.$/m);
  }).timeout(90_000);

  it('finds the browser broken that has ended', async () => {
    const other = await EditorBrowser.start('short-lived');
    await other.choose();
    await other.end();
    const text = await examine();
    assert.equal(marksIn(text), '✓✗–––', text);
    await extension.browser.choose();
  }).timeout(60_000);
});
