import assert from 'node:assert/strict';
import { connectDevTools, type Connection } from '../../src/devtools/protocol/connect';
import { realClock } from '../../src/base/clock';
import { evaluate } from '../../src/devtools/protocol/evaluate';
import { HiddenPage } from '../../src/devtools/protocol/hiddenPage';
import { listExtensions } from '../../src/devtools/protocol/loadedExtensions';
import { BrowserConnections } from '../../src/devtools/connection/browserConnections';
import { KnownBrowsers } from '../../src/push/known/knownBrowsers';
import { type PushService } from '../../src/push/pushService';
import type { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import type { Browser } from '../../src/service/model';
import { eventually } from '../support/eventually';
import type { Site } from '../standins/site';
import { PUSH_PART } from '../transcripts/pushPart';
import { TranscriptRecorder } from '../transcripts/recorder';
import { type Act, actName, type Scenario, ScenarioRun, told } from '../transcripts/scenario';
import type { Transcript } from '../transcripts/transcript';
import { addressOf } from '../support/devToolsAddress';

/** How long the browser may take to open a page, in milliseconds. */
const OPEN_LIMIT_MS = 15_000;

/** Runs a scenario in a real browser, and resolves to what was said and to its outcomes. */
export async function record(
  scenario: Scenario,
  { client, browser, site }: { client: ServiceClient; browser: Browser; site: Site },
): Promise<{ transcript: Transcript; outcomes: string[] }> {
  const recorder = new TranscriptRecorder();
  const browsers = new BrowserConnections(
    client.baseUrl,
    () => Infinity,
    {},
    {
      open: recorder.opener(),
      clock: realClock,
    },
  );
  const run = new ScenarioRun({
    service: marking(client, () => {
      recorder.mark('restart');
    }),
    browser,
    connections: browsers,
    known: new KnownBrowsers(browsers),
    log: silentLogger,
    act: async (act) => {
      recorder.mark(actName(act));
      const connection = await connectDevTools(addressOf(browser));
      try {
        await perform(act, connection, site);
      } finally {
        connection.dispose();
      }
    },
    settle: () => recorder.quiet(),
  });
  try {
    await scenario.run(run);
    const version = await versionOf(browser);
    return { transcript: recorder.transcript(scenario.title, version, PUSH_PART), outcomes: run.outcomes.map(told) };
  } finally {
    browsers.dispose();
  }
}

/** The service, which tells when it restarts a browser. */
function marking(client: ServiceClient, onRestart: () => void): PushService {
  return {
    baseUrl: client.baseUrl,
    uploadExtensionsToBrowser: (...args) => {
      onRestart();
      return client.uploadExtensionsToBrowser(...args);
    },
    uploadZip: client.uploadZip.bind(client),
    listFiles: client.listFiles.bind(client),
    fileInfo: client.fileInfo.bind(client),
    readFile: client.readFile.bind(client),
    moveFile: client.moveFile.bind(client),
    deleteFile: client.deleteFile.bind(client),
    deleteDirectory: client.deleteDirectory.bind(client),
    pressKey: client.pressKey.bind(client),
  };
}

async function versionOf(browser: Browser): Promise<string> {
  const connection = await connectDevTools(addressOf(browser));
  try {
    const { product } = await connection.send('Browser.getVersion');
    return product.split('/').at(-1) ?? product;
  } finally {
    connection.dispose();
  }
}

async function perform(act: Act, connection: Connection, site: Site): Promise<void> {
  switch (act.act) {
    case 'open site':
      return await open(connection, site.url, act.isBehind === true);
    case 'open page':
      return await open(connection, `chrome-extension://${await idOf(connection)}/${act.path}`, false);
    case 'open side panel': {
      const id = await idOf(connection);
      const page = await HiddenPage.open(connection, id);
      assert.ok(page);
      const expression = `chrome.windows.getAll().then(([{ id }]) => chrome.sidePanel.open({ windowId: id })).then(() => 0)`;
      await evaluate(page.session, expression, { userGesture: true });
      const isOpen = async (): Promise<boolean> =>
        (await targetsOf(connection)).some(({ url, title }) => url.endsWith('/panel.html') && title === 'Page');
      await eventually('the side panel is open', isOpen, OPEN_LIMIT_MS);
      await page.close();
    }
  }
}

async function open(connection: Connection, url: string, background: boolean): Promise<void> {
  const { targetId } = await connection.send('Target.createTarget', { url, background });
  const isOpen = async (): Promise<boolean> =>
    (await targetsOf(connection)).some(
      (target) => target.targetId === targetId && /^(Site|Page|build)/.test(target.title),
    );
  await eventually(`${url} is open`, isOpen, OPEN_LIMIT_MS);
}

async function targetsOf(connection: Connection): Promise<{ targetId: string; url: string; title: string }[]> {
  return (await connection.send('Target.getTargets', { filter: [{}] })).targetInfos;
}

async function idOf(connection: Connection): Promise<string> {
  const [extension] = await listExtensions(connection);
  assert.ok(extension);
  return extension.id;
}
