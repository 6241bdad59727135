import assert from 'node:assert/strict';
import { listBrowsersTool } from '../../../src/agents/browserTools';
import { findBrowser, MOST_BROWSERS } from '../../../src/agents/namedBrowsers';
import { runTool } from '../../../src/agents/runTool';
import { HeadlessWindow } from '../../../src/programs/headless/headlessWindow';
import type { BrowserService } from '../../../src/service/browserService';
import { silentLogger } from '../../../src/service/logger';
import type { Browser } from '../../../src/service/model';

describe('the browser that an agent names', () => {
  let browsers: Browser[];
  let window: HeadlessWindow;
  const { signal } = new AbortController();

  /** So many browsers, `b0` and on. */
  const running = (count: number): Browser[] =>
    Array.from({ length: count }, (_, index) => ({ id: `b${index}`, name: `name-${index}`, devToolsUrl: '' }));

  beforeEach(() => {
    const service = {
      baseUrl: new URL('http://service.test/'),
      async *listBrowsers() {
        yield* await Promise.resolve(browsers);
      },
      findBrowser: (named: string) => Promise.resolve(browsers.find(({ id, name }) => [id, name].includes(named))),
      close: () => Promise.resolve(),
    } as unknown as BrowserService;
    const connect = (): Promise<BrowserService> => Promise.resolve(service);
    window = new HeadlessWindow({ roots: [], isLocal: false, allPages: true, connect, log: silentLogger });
  });

  afterEach(() => window.dispose());

  it('is found among more than are listed', async () => {
    browsers = running(MOST_BROWSERS + 10);
    const last = `name-${MOST_BROWSERS + 9}`;
    assert.equal((await findBrowser(window, last, signal)).name, last);
    await assert.rejects(findBrowser(window, 'name-x', signal), /No browser "name-x" is running/);
    await assert.rejects(findBrowser(window, undefined, signal), /Several browsers are running/);
  });

  it('is looked for in the list alone where that has all', async () => {
    browsers = running(3);
    assert.equal((await findBrowser(window, 'name-2', signal)).id, 'b2');
    await assert.rejects(findBrowser(window, 'b3', signal), /Those are: name-0, name-1, name-2/);
  });

  it('is no other one when that which is chosen has ended', async () => {
    browsers = running(1);
    assert.equal((await findBrowser(window, undefined, signal)).id, 'b0');
    Object.assign(window, { chosenBrowsers: () => ['gone'] });
    await assert.rejects(findBrowser(window, undefined, signal), /has ended\. Name one with "browser": name-0\./);
    assert.equal((await findBrowser(window, 'name-0', signal)).id, 'b0');
  });

  it('is one of at least as many as are listed', async () => {
    for (const [count, said] of [
      [3, /^3 browsers are running/],
      [MOST_BROWSERS + 10, /^200 or more browsers are running/],
    ] as const) {
      browsers = running(count);
      const { text } = await runTool(listBrowsersTool, { limit: 1 }, window);
      assert.match(text, said);
    }
  });
});
