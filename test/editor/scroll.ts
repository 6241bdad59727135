// Covers: src/editor/screen
import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { COMMANDS } from '../../src/ids';
import { type EditorBrowser } from '../extensionHost/editorBrowser';
import { startRecordedBrowser, type RecordedBrowser } from '../extensionHost/recordedBrowser';
import type { RecordingService } from '../standins/recordingService';

/** Time in which a scroll would have been sent, in milliseconds. */
const QUIET_MS = 1500;

describe('scroll commands', () => {
  let service: RecordingService;
  let browser: EditorBrowser;
  let end: RecordedBrowser['end'];

  before(async function () {
    this.timeout(120_000);
    ({ service, browser, end } = await startRecordedBrowser('scrolled'));
  });
  after(() => end());

  it('ask, and do not act, while no browser is chosen, although only one runs', async () => {
    for (const command of [COMMANDS.scrollDown, COMMANDS.scrollToTop, COMMANDS.scrollPageUp]) {
      const ended = Promise.resolve(commands.executeCommand(command));
      await service.find('GET', /^\/browsers(\?|$)/);
      await new Promise((settle) => setTimeout(settle, QUIET_MS));
      await commands.executeCommand('workbench.action.closeQuickOpen');
      await ended;
    }
    assert.deepEqual(
      service.requests.filter(({ method }) => method !== 'GET'),
      [],
    );
  });

  it('act on the push target', async () => {
    await browser.choose();
    await commands.executeCommand(COMMANDS.scrollDown);
    await service.find('POST', new RegExp(`/${browser.described.id}/computer/scroll$`));
    await commands.executeCommand(COMMANDS.scrollToBottom);
    const { body } = await service.find('POST', /\/computer\/press_key$/);
    assert.deepEqual(JSON.parse(body), { keys: ['End'] });
  });

  it('turn the wheel by the ticks of a key binding, each in its own direction', async () => {
    const isScroll = new RegExp(`/${browser.described.id}/computer/scroll$`);
    for (const ticks of [{ down: 3 }, { right: 0, down: 3 }]) {
      const from = service.requests.length;
      await commands.executeCommand(COMMANDS.scrollBy, { browser: 'scrolled', ...ticks });
      const sent = service.requests.slice(from).find(({ path }) => isScroll.test(path));
      const { delta_x: right, delta_y: down } = JSON.parse(sent?.body ?? '{}') as Record<string, number>;
      assert.ok((right ?? 0) === 0 && (down ?? 0) > 0, `${right}, ${down}`);
    }
    // What is no number of ticks is asked for.
    const from = service.requests.length;
    const asked = Promise.resolve(
      commands.executeCommand(COMMANDS.scrollBy, { browser: 'scrolled', right: 'x', down: 3 }),
    );
    await new Promise((settle) => setTimeout(settle, QUIET_MS));
    await commands.executeCommand('workbench.action.closeQuickOpen');
    await asked;
    assert.equal(
      service.requests.slice(from).find(({ path }) => isScroll.test(path)),
      undefined,
    );
  });
});
