// Covers: src/bridge
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { eventually } from '../support/eventually';
import { BridgeStage, type OpenPage, SOON_MS } from './bridgeStage';

/** How deep the modules of the page import each other. */
const DEPTH = 8;

describe('the modules of a page of a development server', function () {
  this.timeout(60_000);
  let stage: BridgeStage;
  /** What the last module exports. */
  let text = 'first';
  /** What answers with the first module, which waits until the last one is asked for; undefined while nothing waits. */
  let held: (() => void)[] | undefined;

  const moduleAt = (at: number): string =>
    at === DEPTH ? `export default '${text}';` : `export { default } from '/m/${text}/${at + 1}.js';`;

  function answer(response: ServerResponse, at: number): void {
    const reply = (): void => void response.setHeader('content-type', 'text/javascript').end(moduleAt(at));
    if (at === DEPTH) for (const release of held?.splice(0) ?? []) release();
    if (held && at === 1) held.push(reply);
    else reply();
  }

  before(async () => {
    stage = await BridgeStage.start(({ path }, response) => {
      const [, at] = /^\/m\/(?:\w+\/)?(\d+)\.js/.exec(path) ?? [];
      if (at === undefined && path !== '/page') return false;
      if (at !== undefined) answer(response, Number(at));
      else {
        const script = `<script type="module">import text from '/m/1.js'; document.title = text;</script>`;
        response.setHeader('content-type', 'text/html').end(`<!doctype html><title></title>${script}`);
      }
      return true;
    });
    await stage.load();
    await stage.startBridge();
  });

  after(() => stage.end());

  afterEach(() => (held = undefined));

  const shows = async ({ page }: OpenPage): Promise<void> => {
    const title = async (): Promise<unknown> => page.evaluate('document.title').catch(() => undefined);
    await eventually(`the page shows ${text}`, async () => (await title()) === text, SOON_MS);
  };

  it('are all asked for at once when it is loaded again, before the first of them is answered', async () => {
    const page = await stage.open(`${stage.server.origin}/page`);
    await shows(page);
    held = [];
    await page.page.evaluate(`document.title = 'before'; setTimeout(() => location.reload())`);
    await shows(page);
    assert.deepEqual(held, [], 'The first module was held until the last was asked for.');
  });

  it('are those of now, whatever they were when they were loaded before', async () => {
    const page = await stage.open(`${stage.server.origin}/page`);
    await shows(page);
    text = 'second';
    stage.server.received.length = 0;
    await page.page.evaluate(`setTimeout(() => location.reload())`);
    await shows(page);
    assert.ok(stage.server.received.some(({ path }) => path === `/m/second/${DEPTH}.js`));
    stage.server.received.length = 0;
    await page.page.evaluate(`document.title = 'before'; setTimeout(() => location.reload())`);
    await shows(page);
    assert.ok(
      !stage.server.received.some(({ path }) => path.includes('first')),
      'What is not imported is not hinted at.',
    );
  });
});
