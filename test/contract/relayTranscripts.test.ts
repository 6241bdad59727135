import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { realClock } from '../../src/base/clock';
import { Relay } from '../../src/debugger/relay';
import { SourceLocations } from '../../src/console/sourceLocations';
import { loadUnpacked } from '../../src/devtools/protocol/loadedExtensions';
import { eventually } from '../support/eventually';
import { differences } from '../transcripts/confirm';
import { TranscriptRecorder } from '../transcripts/recorder';
import { RELAY_PART, withoutChromiumsScripts } from '../transcripts/relayPart';
import {
  DEBUGGED_FILES,
  JsDebugger,
  RELAY_SCENARIOS,
  type RelayAct,
  type RelayScenario,
} from '../transcripts/relayScenarios';
import { readTranscript, storeTranscript } from '../transcripts/stored';
import type { Transcript } from '../transcripts/transcript';
import { ExtensionStage } from './extensionStage';
import { addressOf } from '../support/devToolsAddress';

/** Set by `npm test -- contract --record`: the transcripts are recorded again. */
const isRecording = process.env['SIDELOAD_TEST_RECORD'] === '1';

/** What to do when Chromium, or Sideload, has changed on purpose. */
const RECORD_AGAIN = 'If this is right, record the transcripts again: npm test -- contract --record';

/**
 * The relay closes a worker that is still there when its successor comes, which is so in some reloads; and it looks at the target of one that has
 * stopped as long as Chromium keeps that, which is longer on a busy machine.
 */
const MAY_DIFFER = [
  /^not (?:asked any more|in the transcript): Target\.closeTarget /,
  /^not in the transcript: Target\.attachToTarget .*"targetId":"target".* to the browser$/,
  /^not in the transcript: Runtime\.getIsolateId \{\} to service_worker /,
];

/** How long something may take, in milliseconds. */
const SOON_MS = 60_000;

/** The longest time after which a relay goes on by itself, in milliseconds. */
const TIMERS_MS = 300;

describe(isRecording ? 'the transcripts of the relay' : 'Chromium under a debugger', function () {
  this.timeout(60_000);

  for (const scenario of RELAY_SCENARIOS) {
    it(isRecording ? `are stored of ${scenario.title}` : `still confirms ${scenario.title}`, async () => {
      const { transcript, told } = await record(scenario);
      assert.deepEqual(told, scenario.told);
      if (isRecording) storeTranscript(scenario.name, transcript);
      else {
        const all = differences(readTranscript(scenario.name), transcript);
        assert.deepEqual(
          all.filter((one) => !MAY_DIFFER.some((pattern) => pattern.test(one))),
          [],
          RECORD_AGAIN,
        );
      }
    });
  }
});

/** Runs a scenario in a real browser. */
async function record(scenario: RelayScenario): Promise<{ transcript: Transcript; told: string[] }> {
  const stage = await ExtensionStage.start();
  let relay: Relay | undefined;
  try {
    const { 'worker.js': worker, ...files } = DEBUGGED_FILES;
    const { id, path } = await stage.load({}, worker, undefined, files);
    // One that has not run yet would be stopped.
    const hasRun = async (): Promise<boolean> => (await stage.inWorker(id, 'globalThis.first')) === 1;
    await eventually('the worker has run', () => hasRun().catch(() => false), SOON_MS);
    const { devToolsUrl } = await stage.client.getBrowser(stage.browserId);
    const recorder = new TranscriptRecorder();
    const client = new JsDebugger(scenario.breakpoints);
    const options = {
      extensionId: id,
      name: 'Stage',
      matches: (): boolean => false,
      address: () => Promise.resolve(addressOf({ devToolsUrl })),
      locations: new SourceLocations(id, undefined),
      log: { debug: () => undefined },
    };
    relay = await Relay.start(options, { open: recorder.opener('relay'), clock: realClock, listen: client.listen });
    client.attach();
    let tab = '';
    const perform = async (act: RelayAct): Promise<void> => {
      const { connection } = stage.link;
      switch (act) {
        case 'reload':
          await stage.link.reload(id);
          return;
        case 'load':
          await loadUnpacked(connection, path);
          return;
        case 'load another':
          await stage.load({ name: 'Other' }, worker);
          return;
        case 'open tab':
          ({ targetId: tab } = await connection.send('Target.createTarget', { url: 'about:blank' }));
          return;
        case 'show page': {
          const { sessionId } = await connection.send('Target.attachToTarget', { targetId: tab, flatten: true });
          // It is answered when the debugger lets the page run.
          void connection.session(sessionId)?.send('Page.navigate', { url: `chrome-extension://${id}/page.html` });
          return;
        }
        case 'close tab':
          await connection.send('Target.closeTarget', { targetId: tab });
          return;
        case 'stop worker':
          await (await stage.link.workers())?.stop(id);
          return;
        case 'kill worker': {
          const { targetInfos } = await connection.send('Target.getTargets');
          for (const { targetId, type, url } of targetInfos) {
            if (type === 'service_worker' && url.includes(id))
              await connection.send('Target.closeTarget', { targetId });
          }
          return;
        }
        case 'wake worker':
          // It is awaited no further: the debugger stops it.
          void (await stage.link.workers())?.start(id);
      }
    };
    const quiet = async (): Promise<void> => {
      await recorder.quiet(true);
      await delay(TIMERS_MS);
      await recorder.quiet(true);
    };
    await quiet();
    await scenario.run({
      relay,
      client,
      act: async (act) => {
        recorder.mark(act);
        await perform(act);
      },
      settle: async (what, isThere) => {
        await eventually(() => `${what}: ${client.told.join('; ')}`, isThere, SOON_MS);
        await quiet();
      },
    });
    assert.deepEqual(client.faults, []);
    const { product } = await stage.link.connection.send('Browser.getVersion');
    const chromium = product.split('/').at(-1) ?? product;
    const transcript = recorder.transcript(scenario.title, chromium, RELAY_PART);
    return { transcript: withoutChromiumsScripts(transcript), told: client.told };
  } finally {
    relay?.close();
    await stage.end();
  }
}
