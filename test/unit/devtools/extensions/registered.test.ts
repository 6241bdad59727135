import assert from 'node:assert/strict';
import type { BrowserLink } from '../../../../src/devtools/connection/link';
import { registeredFiles } from '../../../../src/devtools/extensions/registered';
import { registeredPaths } from '../../../../src/devtools/inPage/stateCalls';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { isCallOf } from '../../../support/calledInPage';
import { TestClock } from '../../../support/testClock';

const ID = 'a'.repeat(32);

describe('the files that an extension has registered', () => {
  let browser: ScriptedBrowser;
  let clock: TestClock;
  let link: BrowserLink;
  /** What targets of the extension say; one that is not here has ended. */
  const said = new Map<string, string[] | null>();

  beforeEach(async () => {
    browser = new ScriptedBrowser();
    clock = new TestClock();
    said.clear();
    browser.onEvaluate((expression, { target = '' }) =>
      isCallOf(expression, registeredPaths) ? said.get(target) : undefined,
    );
    link = await browser.link(clock);
  });

  afterEach(() => {
    link.close();
  });

  const show = (targetId: string, type: string, files?: string[] | null): void => {
    browser.show(targetId, `chrome-extension://${ID}/${targetId}`, type);
    if (files !== undefined) said.set(targetId, files);
  };

  const asked = async (): Promise<Set<string> | undefined> => {
    await clock.idle();
    return await clock.run(registeredFiles(link, ID));
  };

  it('are known at once though a worker that has ended is listed before the one that answers', async () => {
    show('ended', 'service_worker');
    show('running', 'service_worker', ['content.js', './style.css', '/main.js']);
    const files = await asked();
    assert.deepEqual(files, new Set(['content.js', 'style.css', 'main.js']));
    assert.equal(clock.now(), 0);
    await clock.advance(1000);
    assert.equal(browser.sessions, 0);
  });

  it('are asked of a page, too, and not of what has no access to them', async () => {
    show('sandboxed', 'page', null);
    show('options', 'page', ['content.js']);
    browser.show('elsewhere', `chrome-extension://${'b'.repeat(32)}/page.html`, 'page');
    said.set('elsewhere', ['foreign.js']);
    assert.deepEqual(await asked(), new Set(['content.js']));
  });

  it('are not known when nobody answers within a second', async () => {
    show('ended', 'service_worker');
    assert.equal(await asked(), undefined);
    assert.equal(clock.now(), 1000);
  });
});
