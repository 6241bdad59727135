import { setTimeout as delay } from 'node:timers/promises';
import { RemoteScreen } from '../../src/devtools/screen/remoteScreen';
import type { PageScreen } from '../../src/devtools/screen/pageScreen';
import { evaluate } from '../../src/devtools/protocol/evaluate';
import type { Browser } from '../../src/service/model';
import { addressOf } from '../support/devToolsAddress';
import { eventually } from '../support/eventually';
import type { SoakPart, SoakStage } from './soakPart';

/** A page that is far higher than its window; `move()` has it move all the time. */
const HTML = `<title>soak</title><body style="margin:0;height:900000px;background:repeating-linear-gradient(red 0 120px,blue 120px 240px)">
<script>at=0;move=()=>{scrollTo(0,at=(at+7)%5000);requestAnimationFrame(move)}</script>`;
const PAGE = `data:text/html,${encodeURIComponent(HTML)}`;

/** By how many pixels one turn scrolls. */
const TURN_PX = 137;

const SIZE = { width: 800, height: 600 };
const CENTRE = { x: 400, y: 300, modifiers: 0 };

/** How long the browser may take for a change, in milliseconds. */
const SOON_MS = 20_000;

/** How long one step of the live picture is, in milliseconds. */
const PICTURE_MS = 10_000;

interface Screen {
  browser: Browser;
  /** The page in front: another object after it has moved to another process. */
  page: () => PageScreen;
  /** Frames that have come so far. */
  frames: () => number;
  end: () => Promise<void>;
}

async function open({ client }: SoakStage): Promise<Screen> {
  const browser = await client.createBrowser({ headless: true, timeoutSeconds: 7200 });
  let frames = 0;
  const screen = await RemoteScreen.open(addressOf(browser), {
    onView: () => undefined,
    onDialog: () => undefined,
    onLost: () => undefined,
    onFrame: (layer, { stream }) => {
      frames += 1;
      screen.page(layer)?.acknowledge(stream);
    },
  });
  await eventually('a tab is in front', () => screen.page('page') !== undefined, SOON_MS);
  const page = (): PageScreen => {
    const front = screen.page('page');
    if (!front) throw new Error('no tab is in front');
    return front;
  };
  const refused = await page().navigate(PAGE);
  if (refused !== undefined) throw new Error(refused);
  const isThere = async (): Promise<boolean> => (await evaluate(page().session, 'typeof move')) === 'function';
  await eventually('the page is there', isThere, SOON_MS);
  await screen.start(SIZE);
  const end = async (): Promise<void> => {
    screen.close();
    await client.deleteBrowser(browser.id);
  };
  return { browser, page, frames: () => frames, end };
}

/** Turns of the wheel at the live screen, each exact. */
export const wheel: SoakPart = {
  name: 'wheel',
  full: 5000,
  begin: async (stage) => {
    const { browser, page, end } = await open(stage);
    let expected = 0;
    return {
      browser,
      end,
      step: async (at) => {
        const down = at % 2 === 0 ? TURN_PX : -TURN_PX;
        expected += down;
        const begun = performance.now();
        await page().turn({ ...CENTRE, right: 0, down });
        const ms = performance.now() - begun;
        // The page has it when the browser has answered, and is scrolled by its next picture.
        if (at % 50 === 49) {
          await eventually(
            'the page has scrolled',
            async () => Math.round(Number(await evaluate(page().session, 'scrollY'))) === expected,
            SOON_MS,
          );
        }
        return ms;
      },
    };
  },
};

/** A live picture of a page that always moves; a step is ten seconds. */
export const picture: SoakPart = {
  name: 'picture',
  full: 360,
  begin: async (stage) => {
    const { browser, page, frames, end } = await open(stage);
    await evaluate(page().session, 'move()');
    return {
      browser,
      end,
      step: async () => {
        const before = frames();
        await delay(PICTURE_MS);
        const drawn = frames() - before;
        if (drawn === 0) throw new Error('no picture has come');
        return PICTURE_MS / drawn;
      },
    };
  },
};
