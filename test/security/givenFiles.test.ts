import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { realClock } from '../../src/base/clock';
import { evaluate } from '../../src/devtools/protocol/evaluate';
import type { PageScreen } from '../../src/devtools/screen/pageScreen';
import { RemoteScreen } from '../../src/devtools/screen/remoteScreen';
import { GivenFiles, UNFOLLOWED_MS } from '../../src/editor/screen/givenFiles';
import { silentLogger } from '../../src/service/logger';
import { ExtensionStage } from '../contract/extensionStage';
import { eventually } from '../support/eventually';
import { addressOf } from '../support/devToolsAddress';

const FOLDER = '/home/kernel/uploads';
const FORM = 'data:text/html,<title>form</title><input type=file id=field multiple>';

const NAMES = `Promise.all([...field.files].map(async (file) => file.name + ': ' + await file.text())).then((all) => all.join())`;

describe('files that were given to a page', function () {
  this.timeout(60_000);
  let stage: ExtensionStage;
  let screen: RemoteScreen;
  let ends: (() => void)[] = [];
  let given: GivenFiles;

  beforeEach(async () => {
    stage = await ExtensionStage.start();
    screen = await open();
    ends = [];
    given = new GivenFiles(
      {
        folder: () => Promise.resolve(FOLDER),
        isLocal: () => true,
        log: silentLogger,
      },
      {
        ...realClock,
        delay: (ms) => {
          assert.equal(ms, UNFOLLOWED_MS);
          return new Promise((resolve) => ends.push(resolve));
        },
      },
    );
  });
  afterEach(async () => {
    screen.close();
    await stage.end();
  });

  const open = async (): Promise<RemoteScreen> => {
    const { devToolsUrl } = await stage.client.getBrowser(stage.browserId);
    const ignore = (): void => undefined;
    return await RemoteScreen.open(addressOf({ devToolsUrl }), {
      onView: ignore,
      onFrame: ignore,
      onDialog: ignore,
      onLost: ignore,
    });
  };
  const page = (): PageScreen => screen.page('page') ?? assert.fail('no tab is in front');
  const inPage = (expression: string): Promise<unknown> => evaluate(page().session, expression);

  async function show(url: string): Promise<void> {
    assert.equal(await page().navigate(url), undefined);
    await eventually('the page is there', async () => (await inPage('document.readyState')) === 'complete', 15_000);
  }

  /** Gives two files of the same name to the field. */
  async function give(): Promise<void> {
    const root = await page().session.send('DOM.getDocument');
    const { nodeId } = await page().session.send('DOM.querySelector', {
      nodeId: root.root.nodeId,
      selector: '#field',
    });
    const { node } = await page().session.send('DOM.describeNode', { nodeId });
    const browser = await stage.client.getBrowser(stage.browserId);
    const files = ['one', 'two'].map((text) => ({
      name: 'a.txt',
      bytes: () => Promise.resolve(Buffer.from(text)),
    }));
    await given.give(page(), node.backendNodeId, { client: stage.client, browser }, files);
    assert.equal(await inPage(NAMES), 'a.txt: one,a.txt: two');
  }

  const copies = async (): Promise<number> => (await stage.client.listFiles(stage.browserId, FOLDER)).length;

  it('are for the browser’s user alone', async () => {
    await show(FORM);
    await give();
    const [folder] = await stage.client.listFiles(stage.browserId, FOLDER);
    const [file] = await stage.client.listFiles(stage.browserId, `${folder?.path ?? ''}/0`);
    assert.equal(file?.mode, '-rw-------');
  });

  it('stay while the page is there, and go when another one takes its place', async () => {
    await show(FORM);
    await give();
    await inPage(`history.pushState({}, '', '#other')`);
    await delay(300);
    assert.equal(await inPage(NAMES), 'a.txt: one,a.txt: two', 'the page can read them no more');
    assert.equal(await copies(), 1);
    await show('data:text/html,<title>next</title>');
    await eventually('they are gone', async () => (await copies()) === 0, 5000);
  });

  it('go when the tab is closed, also one in the background', async () => {
    await show(FORM);
    await give();
    const { targetId } = page();
    await screen.newTab();
    assert.notEqual(page().targetId, targetId);
    assert.equal(await copies(), 1);
    await screen.closeTab(targetId);
    await eventually('they are gone', async () => (await copies()) === 0, 5000);
  });

  it('go some time after the screen was closed, which is when their page cannot be followed any more', async () => {
    await show(FORM);
    await give();
    screen.close();
    await eventually('the time runs', () => ends.length === 1, 5000);
    assert.equal(await copies(), 1, 'the page may be reading them');
    for (const end of ends) end();
    await eventually('they are gone', async () => (await copies()) === 0, 5000);
  });

  it('do not stay when the page did not get them', async () => {
    await show(FORM);
    const browser = await stage.client.getBrowser(stage.browserId);
    const file = { name: 'a.txt', bytes: () => Promise.resolve(Buffer.from('x')) };
    await assert.rejects(given.give(page(), 123_456, { client: stage.client, browser }, [file]));
    assert.equal(await copies(), 0);
    const broken = { name: 'b.txt', bytes: () => Promise.reject(new Error('unreadable')) };
    await assert.rejects(given.give(page(), 123_456, { client: stage.client, browser }, [file, broken]), /unreadable/);
    assert.equal(await copies(), 0);
  });
});
