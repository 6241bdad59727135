// Covers: src/editor/screen, src/screen, src/devtools
import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { COMMANDS } from '../../src/ids';
import { DevTools } from '../contract/devtools';
import { dose } from '../runner/seed';
import { eventually } from '../support/eventually';
import { localDevToolsAddress } from '../support/localService';
import { CACHE } from '../support/paths';
import { SCREEN } from '../workbench/phrases';
import { makeRoom, pushByRow } from '../workbench/pushing';
import { ScreenStage } from '../workbench/screenStage';
import { sharedWindow } from '../workbench/sharedWindow';

const BROWSER = 'panel-browser';

/** A window in which the code and the screen are beside each other, in CSS pixels. */
const WINDOW = { width: 1280, height: 800 };

/** How long it may take until the screen shows a side panel, in milliseconds. */
const PANEL_LIMIT_MS = 60_000;

/** How long the screen may take to follow what has changed, in milliseconds. */
const FOLLOW_LIMIT_MS = 15_000;

/** The side panel: what is at its very top and bottom is seen when it is not cut. */
const PANEL =
  '<!doctype html><title>Side</title><style>body{margin:0;height:100vh;display:flex;flex-direction:column;justify-content:space-between;font:14px sans-serif;background:#fff7e0;color:#222}</style><button>Top of the side panel</button><p>Reading list: 3 pages</p><button>Bottom of the side panel</button>';

/** How often the panel is closed and opened. */
const TIMES = dose(5, 50);

describe('the screen with the side panel of an extension', () => {
  let stage: ScreenStage;
  let panel: Locator;

  before(async function () {
    const shared = await sharedWindow(this);
    const { workbench, folder } = shared;
    await makeRoom(workbench);
    const file = join(folder, 'manifest.json');
    const sample = await readFile(file, 'utf8');
    const manifest = JSON.parse(sample) as { permissions: string[] };
    manifest.permissions.push('sidePanel');
    await writeFile(file, JSON.stringify({ ...manifest, side_panel: { default_path: 'side.html' } }, null, 2));
    await writeFile(join(folder, 'side.html'), PANEL);
    const before = workbench.page.viewportSize() ?? assert.fail('the window has no size');
    restore = async () => {
      await workbench.page.setViewportSize(before);
      await writeFile(file, sample);
      await rm(join(folder, 'side.html'));
    };
    await workbench.page.setViewportSize(WINDOW);
    await workbench.editors.open('manifest.json');
    const text = '<p>A page of the web, behind the side panel. </p>'.repeat(40);
    stage = await ScreenStage.open(shared, BROWSER, `data:text/html,<title>Page</title><h1>Page</h1>${text}`);
    assert.ok((await pushByRow(workbench, BROWSER)).succeeded);
    panel = stage.panel.getByRole('img', { name: SCREEN.sidePanel });
  });

  let restore: () => Promise<void>;

  after(async () => {
    await stage.end();
    await restore();
  });

  const open = async (): Promise<void> => {
    await stage.shared.workbench.run(COMMANDS.openSidePanel);
    await panel.waitFor({ timeout: PANEL_LIMIT_MS });
  };

  it('shows the page in all of its place, and over it the panel at its own size, as far as there is room, at the right edge of the page, whole, and its button outside of it', async () => {
    await open();
    const close = stage.panel.getByRole('button', { name: SCREEN.close, exact: true });
    const boxes = async (): Promise<Record<'over' | 'room' | 'button' | 'page', Box>> => ({
      over: await boxOf(panel),
      room: await boxOf(stage.panel.locator('#stage')),
      button: await boxOf(close),
      page: await boxOf(stage.picture),
    });
    let seen = '';
    const isRight = async (): Promise<boolean> => {
      const { over, room, button, page } = await boxes();
      const own = await sizeOfPanel(stage);
      seen = JSON.stringify({ over, room, button, page, own });
      const isWhole = isIn(over, room) && isIn(button, room);
      const isOutside = button.x + button.width <= over.x + 1 || button.y >= over.y + over.height - 1;
      const isAtEdge = Math.abs(over.x + over.width - (page.x + page.width)) <= 2;
      // It is as high as its window, which may be higher than the room.
      const scale = Math.min(room.width / own.width, room.height / own.height, 1);
      const isOwn = Math.abs(over.width - own.width * scale) <= 2 && Math.abs(over.height - own.height * scale) <= 2;
      return fills(page, room) && isWhole && isOutside && isAtEdge && isOwn;
    };
    try {
      await eventually(() => seen, isRight, FOLLOW_LIMIT_MS);
    } finally {
      await stage.shared.workbench.picture(join(CACHE, 'ui', 'screen-panel.png'));
    }
  });

  it(`shows the page in all of its place again when the panel is closed and opened at once, ${TIMES} of ${TIMES} times`, async () => {
    let seen = '';
    const isRight = async (): Promise<boolean> => {
      const [room, page] = [await boxOf(stage.panel.locator('#stage')), await boxOf(stage.picture)];
      seen = JSON.stringify({ room, page });
      return fills(page, room);
    };
    for (let time = 1; time <= TIMES; time += 1) {
      await stage.panel.getByRole('button', { name: SCREEN.close, exact: true }).click();
      await panel.waitFor({ state: 'hidden' });
      await open();
      await eventually(() => `${seen}, time ${time}`, isRight, FOLLOW_LIMIT_MS);
    }
  });

  it('closes it by its button, and by Escape where it is used', async () => {
    await stage.panel.getByRole('button', { name: SCREEN.close, exact: true }).click();
    await panel.waitFor({ state: 'hidden' });
    await open();
    const { x, y, width, height } = await boxOf(panel);
    await stage.shared.workbench.page.mouse.click(x + width / 2, y + height / 2);
    await stage.shared.workbench.page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
  });
}).timeout(240_000);

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

async function boxOf(of: Locator): Promise<Box> {
  return (await of.boundingBox()) ?? assert.fail('it is not shown');
}

function fills(box: Box, room: Box): boolean {
  return Math.abs(box.height - room.height) <= 2 && Math.abs(box.width - room.width) <= 2;
}

function isIn(box: Box, room: Box): boolean {
  return (
    box.x >= room.x - 1 &&
    box.y >= room.y - 1 &&
    box.x + box.width <= room.x + room.width + 1 &&
    box.y + box.height <= room.y + room.height + 1
  );
}

/** The size that the side panel has in its browser, in CSS pixels. Playwright does not know it: it is in no tab. */
async function sizeOfPanel({ shared, browser }: ScreenStage): Promise<{ width: number; height: number }> {
  const devtools = await DevTools.connect(await localDevToolsAddress(shared.server.userDir, browser));
  try {
    const { targetInfos } = await devtools.result('Target.getTargets');
    const infos = targetInfos as { url: string; targetId: string }[];
    const side = infos.find(({ url }) => url.endsWith('/side.html')) ?? assert.fail('there is no side panel');
    const page = await devtools.attachTo(side.targetId);
    return (await page.evaluate('({ width: innerWidth, height: innerHeight })')) as { width: number; height: number };
  } finally {
    devtools.close();
  }
}
