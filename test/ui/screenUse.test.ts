// Covers: src/editor/screen, src/screen, src/devtools
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS } from '../../src/ids';
import { eventually } from '../support/eventually';
import { CACHE } from '../support/paths';
import { SCREEN } from '../workbench/phrases';
import { makeRoom, openBrowsers } from '../workbench/pushing';
import { ScreenStage } from '../workbench/screenStage';
import { sharedWindow } from '../workbench/sharedWindow';
import { commandTitle } from '../workbench/titles';
import { startSite } from '../standins/site';

const BROWSER = 'use-browser';

/** Longest time until enough is recorded, in milliseconds: without other work it takes 20 s on a slow machine. */
const RECORDING_LIMIT_MS = 75_000;

/** How long a recording may take to be saved, in milliseconds. */
const SAVE_LIMIT_MS = 30_000;

/** How long a turn of the wheel may take to zoom the page, in milliseconds. */
const TURN_LIMIT_MS = 25_000;

/** How long is recorded at least, in milliseconds. */
const RECORDED_MS = 3000;

/** How many different pictures are recorded at least. */
const RECORDED_PICTURES = 8;

/** How many parts of a recording the page has read at least: twice what a hidden panel must have, which loses the last ones. */
const RECORDED_PARTS = 12;

/** Counts the parts of recordings that the page of the screen reads. */
const COUNT_PARTS = `self.parts ??= (() => {
  const { arrayBuffer } = Blob.prototype;
  Blob.prototype.arrayBuffer = async function () {
    const bytes = await arrayBuffer.call(this);
    if (bytes.byteLength > 0) self.parts += 1;
    return bytes;
  };
  return 0;
})()`;

/** A text to select, a field to type into, one for files, and a part that takes the wheel with Control for itself. */
const PAGE = `data:text/html,<meta charset=utf-8><title>Use test</title>
<body style="margin:0;height:3000px;font:40px/60px monospace;background:%23fff">
<p id="text" style="position:absolute;left:40px;top:40px;margin:0">Select these words</p>
<input id="field" style="position:absolute;left:40px;top:140px;width:400px;height:60px">
<input id="files" type="file" accept=".txt" style="position:absolute;left:40px;top:240px;width:400px;height:60px">
<div id="map" style="position:absolute;left:700px;top:40px;width:300px;height:300px;background:%239bd">map</div>
<script>self.mapped=0;map.addEventListener('wheel',(event)=>{event.preventDefault();mapped+=event.ctrlKey?1:0},{passive:false})</script>`;

/** Asks for a folder by a field, and for files without one. */
const ASKING = `<!doctype html><title>asking</title><body style="margin:0">
<input type="file" webkitdirectory style="position:absolute;left:40px;top:40px;width:400px;height:60px">
<button onclick="showOpenFilePicker().catch(() => undefined)" style="position:absolute;left:40px;top:140px;width:400px;height:60px">Pick</button>`;

describe('the screen in use', () => {
  let stage: ScreenStage;
  let folder: string;

  before(async function () {
    const shared = await sharedWindow(this);
    folder = await mkdtemp(join(tmpdir(), 'sideload-screen-'));
    await makeRoom(shared.workbench);
    stage = await ScreenStage.open(shared, BROWSER, PAGE);
    // Without a listener Playwright closes dialogs.
    stage.page.on('dialog', () => undefined);
  });

  // After a test that has failed by waiting, the picture may be paused.
  beforeEach(async () => {
    if (await stage.picture.isVisible()) await stage.look();
  });

  after(async () => {
    await stage.end();
    await rm(folder, { recursive: true, force: true });
  });

  it('selects a text by dragging over it', async () => {
    const { mouse } = stage.shared.workbench.page;
    const letter = await stage.page.evaluate<number>('text.getBoundingClientRect().width / text.textContent.length');
    const [from, to] = [await stage.placeOf(41, 70), await stage.placeOf(40 + letter * 12.2, 70)];
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move((from.x + to.x) / 2, from.y);
    await mouse.move(to.x, to.y);
    await mouse.up();
    await stage.reaches('getSelection().toString() === "Select these"');
  });

  it('types by dead keys, as a layout gives them: the key is Dead, and what comes of it is composed', async () => {
    const window = stage.shared.workbench.page;
    const session = await window.context().newCDPSession(window);
    await stage.clickAt(200, 170);
    await stage.reaches('document.activeElement === field');
    const dead = { key: 'Dead', code: 'Equal', windowsVirtualKeyCode: 221 };
    await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...dead });
    await session.send('Input.imeSetComposition', { text: '´', selectionStart: 1, selectionEnd: 1 });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...dead });
    await stage.reaches('field.value === "´"');
    await session.send('Input.insertText', { text: 'é' });
    await stage.reaches('field.value === "é"');
    await window.keyboard.type('t');
    await stage.reaches('field.value === "ét"');
    await session.detach();
  });

  it('zooms by Control and wheel, says so, and goes back; a page that handles that gets it', async () => {
    const { mouse, keyboard } = stage.shared.workbench.page;
    const map = await stage.placeOf(800, 200);
    await mouse.move(map.x, map.y);
    await keyboard.down('Control');
    await mouse.wheel(0, -120);
    await stage.reaches('mapped === 1 && devicePixelRatio === 1');
    const free = await stage.placeOf(600, 500);
    await mouse.move(free.x, free.y);
    // A page that takes too long to handle the wheel is not zoomed: then a person turns it again.
    const zoomed = 'devicePixelRatio !== 1';
    await eventually(
      'the page is zoomed',
      () => stage.page.evaluate<boolean>(zoomed),
      4 * TURN_LIMIT_MS,
      async () => {
        await mouse.wheel(0, -240);
        await stage.page.waitForFunction(zoomed, undefined, { timeout: TURN_LIMIT_MS }).catch(() => undefined);
      },
    );
    await keyboard.up('Control');
    await stage.reaches('devicePixelRatio === 1.25');
    await stage.panel.getByRole('button', { name: SCREEN.zoom(125) }).waitFor();
    await stage.shared.workbench.picture(join(CACHE, 'ui', 'screen-zoom.png'));
    await stage.clickAt(200, 170 * 1.25);
    await stage.reaches('document.activeElement === field');
    await keyboard.press('Control+0');
    await stage.reaches('devicePixelRatio === 1');
    await stage.panel.getByRole('button', { name: SCREEN.zoom(125) }).waitFor({ state: 'hidden' });
  }).timeout(180_000);

  it('takes the list of a field away when the page is loaded again, and when another tab comes to the front', async () => {
    const list = stage.panel.getByRole('listbox', { name: SCREEN.list });
    const open = async (): Promise<void> => {
      await stage.page.evaluate(`document.body.insertAdjacentHTML('beforeend',
        '<select style="position:absolute;left:40px;top:340px;width:400px;height:60px"><option>red<option>green</select>')`);
      await stage.clickAt(100, 370);
      await list.waitFor();
    };
    await open();
    await stage.page.goto(PAGE);
    await list.waitFor({ state: 'hidden' });
    await open();
    const other = await stage.page.context().newPage();
    await other.bringToFront();
    await list.waitFor({ state: 'hidden' });
    await other.close();
    await stage.page.bringToFront();
    await stage.page.goto(PAGE);
  });

  it('answers a dialog of the page by a command, until which it takes no picture of it', async () => {
    const { workbench } = stage.shared;
    const answer = stage.page.evaluate<string | null>('prompt("How many?", "3")');
    await stage.panel.getByRole('alertdialog').getByText('How many?').waitFor();
    await workbench.run(COMMANDS.savePicture);
    await workbench.notification(SCREEN.behindDialog);
    await workbench.clearNotifications();
    await workbench.runThatAsks(COMMANDS.screenAnswer);
    await workbench.quickInput.pick(SCREEN.accept);
    await workbench.quickInput.answer('5');
    assert.equal(await answer, '5');
    await stage.panel.getByRole('alertdialog').waitFor({ state: 'hidden' });
  });

  it('gives a file of this machine to a page that asks for one', async () => {
    const { quickInput } = stage.shared.workbench;
    const file = join(folder, 'given.txt');
    await writeFile(file, 'given to the page');
    await stage.clickAt(100, 270);
    await quickInput.opened();
    await quickInput.chooseFile(file);
    await stage.reaches('files.files.length === 1 && files.files[0].name === "given.txt"');
    assert.equal(await stage.page.evaluate<string>('files.files[0].text()'), 'given to the page');
  });

  it('says that it cannot give a page a folder, or files without a field', async () => {
    // Only pages of a secure origin have file pickers.
    const site = await startSite(ASKING);
    await stage.page.goto(site.url);
    try {
      await stage.clickAt(100, 70);
      await stage.panel.locator('#status').getByText(SCREEN.noFolder).waitFor({ timeout: SAVE_LIMIT_MS });
      await stage.clickAt(100, 170);
      await stage.panel.locator('#status').getByText(SCREEN.noField).waitFor({ timeout: SAVE_LIMIT_MS });
    } finally {
      await stage.page.goto(PAGE);
      site.close();
    }
  });

  it('records by a command, and saves a video that plays', async () => {
    const { workbench } = stage.shared;
    const began = performance.now();
    await startRecording();
    await workbench.run(COMMANDS.screenRecord);
    const took = (performance.now() - began) / 1000;
    const { seconds, frames, width } = await playedBy(stage, await savedAs('recorded.webm'));
    // The encoder of a busy machine begins late.
    assert.ok(seconds > RECORDED_MS / 6000 && seconds < took + 1, `${seconds} s in ${took} s`);
    assert.ok(frames > 5, `${frames} frames`);
    assert.ok(width > 0);
  });

  it('asks for a file, too, for a recording that is running when the panel is hidden', async () => {
    await startRecording();
    await stage.shared.workbench.editors.open('background.js');
    const { seconds, frames } = await playedBy(stage, await savedAs('hidden.webm'));
    assert.ok(seconds > 0 && frames > 5, `${seconds} s, ${frames} frames`);
  });

  it('asks for a file, too, for a recording that is running when the panel is closed', async () => {
    const browsers = await openBrowsers(stage.shared.workbench);
    await browsers.clickRowAction(BROWSER, commandTitle(COMMANDS.openScroll));
    await stage.picture.waitFor();
    await startRecording();
    await stage.shared.workbench.editors.closeAll();
    const { seconds, frames } = await playedBy(stage, await savedAs('closed.webm'));
    assert.ok(seconds > 0 && frames > 5, `${seconds} s, ${frames} frames`);
  });

  /** Records a page that moves for a while. */
  async function startRecording(): Promise<void> {
    await stage.page.evaluate(
      'self.at = 0; self.moving = setInterval(() => { document.body.style.background = `hsl(${at += 7} 80% 70%)` }, 20)',
    );
    const frame = await stage.frame();
    const before = await frame.evaluate<number>(COUNT_PARTS);
    await stage.shared.workbench.run(COMMANDS.screenRecord);
    await stage.panel.getByRole('button', { name: SCREEN.stopRecording }).waitFor();
    // A busy machine shows fewer pictures, and its encoder lags behind: it is recorded until there is enough.
    const end = performance.now() + RECORDED_MS;
    const pictures = new Set<string>();
    let parts = 0;
    const isLong = async (): Promise<boolean> => {
      pictures.add(await frame.evaluate<string>('document.querySelector("#picture").toDataURL("image/jpeg", 0.1)'));
      parts = (await frame.evaluate<number>('parts')) - before;
      return pictures.size > RECORDED_PICTURES && parts >= RECORDED_PARTS && performance.now() > end;
    };
    await eventually(() => `${pictures.size} pictures and ${parts} parts are recorded`, isLong, RECORDING_LIMIT_MS);
  }

  /** Names the file for a recording that has ended, and returns what is in it. */
  async function savedAs(name: string): Promise<Buffer> {
    const { quickInput } = stage.shared.workbench;
    const file = join(folder, name);
    await quickInput.opened();
    await quickInput.chooseFile(file);
    await stage.page.evaluate('clearInterval(moving)');
    const length = async (): Promise<number> =>
      await readFile(file).then(
        (bytes) => bytes.length,
        () => 0,
      );
    await eventually('the recording is saved', async () => (await length()) > 0, SAVE_LIMIT_MS);
    return await readFile(file);
  }
}).timeout(150_000);

/** Plays a video to its end in a new tab of the browser: its length in seconds, the frames that were shown, and its width in pixels. */
async function playedBy(
  { remote }: ScreenStage,
  video: Buffer,
): Promise<{ seconds: number; frames: number; width: number }> {
  const server: Server = createServer(({ url }, response) => {
    const isVideo = url === '/video.webm';
    response.writeHead(200, { 'content-type': isVideo ? 'video/webm' : 'text/html' });
    response.end(isVideo ? video : '<!doctype html><video id="video" muted src="/video.webm"></video>');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const page = await (remote.contexts()[0] ?? assert.fail('no context')).newPage();
  try {
    await page.goto(`http://127.0.0.1:${address.port}/`);
    return await page.evaluate<{ seconds: number; frames: number; width: number }>(
      `new Promise((done, fail) => {
        video.onerror = () => fail(new Error(video.error.message));
        video.onended = () => done({ seconds: video.currentTime, frames: video.getVideoPlaybackQuality().totalVideoFrames, width: video.videoWidth });
        video.playbackRate = 4;
        video.play().catch(fail);
      })`,
    );
  } finally {
    await page.close();
    server.closeAllConnections();
    server.close();
  }
}
