import assert from 'node:assert/strict';
import { Relay } from '../../../src/debugger/relay';
import { SourceLocations } from '../../../src/console/sourceLocations';
import { TestClock } from '../../support/testClock';
import { JsDebugger, RELAY_SCENARIOS, type RelayScenario } from '../../transcripts/relayScenarios';
import { RELAY_PART } from '../../transcripts/relayPart';
import { Replay } from '../../transcripts/replay';
import { readTranscript } from '../../transcripts/stored';
import { edited, type Entry } from '../../transcripts/transcript';
import { IN_MEMORY } from '../../support/devToolsAddress';

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const LIMIT_MS = 30_000;

/** The id of the extension in the transcripts. */
const ID = 'a'.repeat(32);

/** The longest time after which a relay goes on by itself, in milliseconds. */
const TIMERS_MS = 300;

/** The seeds of the permutations; others are as good. */
const SEEDS = [20_261_124, 1, 2, 3];

interface Played {
  replay: Replay;
  client: JsDebugger;
  told: string[];
  /** Where the relay has said that a worker is paused, in its order; empty for none. */
  pauses: string[];
}

/** Plays a scenario over its transcript. */
async function play(
  scenario: RelayScenario,
  seed?: number,
  change: (entry: Entry) => Entry | undefined = (entry) => entry,
): Promise<Played> {
  const clock = new TestClock();
  const transcript = edited(readTranscript(scenario.name), change);
  const replay = new Replay(transcript, { part: RELAY_PART, ...(seed !== undefined && { seed }) });
  const client = new JsDebugger(scenario.breakpoints);
  const options = {
    extensionId: ID,
    name: 'Stage',
    matches: (): boolean => false,
    address: () => Promise.resolve(IN_MEMORY),
    locations: new SourceLocations(ID, undefined),
    log: { debug: () => undefined },
  };
  const relay = await Relay.start(options, { open: replay.opener('relay'), clock, listen: client.listen });
  const pauses: string[] = [];
  relay.events.on('pause', () => pauses.push(relay.pausedAt() ?? ''));
  const settle = async (): Promise<void> => {
    await replay.idle();
    await clock.advance(TIMERS_MS);
    await replay.idle();
  };
  try {
    client.attach();
    await settle();
    await scenario.run({
      relay,
      client,
      act: (act) => {
        replay.mark(act);
        return Promise.resolve();
      },
      settle: async (what, isThere) => {
        await settle();
        assert.ok(isThere(), `${what}: ${client.told.join('; ')}`);
      },
    });
    return { replay, client, told: client.told, pauses };
  } finally {
    relay.close();
  }
}

const scenarioOf = (name: string): RelayScenario =>
  RELAY_SCENARIOS.find((scenario) => scenario.name === name) ?? assert.fail(name);

describe('the relay, over a replayed Chromium', function () {
  this.timeout(LIMIT_MS);
  for (const scenario of RELAY_SCENARIOS) {
    it(`shows the debugger what it did in the real one: ${scenario.title}`, async () => {
      const { replay, client, told } = await play(scenario);
      assert.deepEqual(told, scenario.told);
      assert.deepEqual(client.faults, []);
      replay.check();
      assert.deepEqual(replay.unplayed, []);
    });

    for (const seed of SEEDS) {
      it(`shows the same when independent events come in another order (${seed}): ${scenario.title}`, async () => {
        const { replay, client, told } = await play(scenario, seed + scenario.name.length);
        assert.deepEqual(told, scenario.told);
        assert.deepEqual(client.faults, []);
        replay.check();
      });
    }
  }
});

describe('the pauses that the relay reports, over a replayed Chromium', function () {
  this.timeout(LIMIT_MS);
  it('are those of a worker, with their locations, and their ends', async () => {
    const { pauses } = await play(scenarioOf('relay-worker'));
    assert.deepEqual(pauses, ['worker.js:1:1', '']);
  });

  it('are none of a page', async () => {
    assert.deepEqual((await play(scenarioOf('relay-page'))).pauses, []);
  });

  it('end with a release, and come again of the next worker', async () => {
    const { pauses } = await play(scenarioOf('relay-release'));
    const location = 'worker.js:1:1';
    assert.deepEqual(pauses, [location, '', location, '']);
  });
});

describe('the sessions that the relay has with a replayed Chromium', function () {
  this.timeout(LIMIT_MS);
  /** The commands to a session, in their order. */
  const commandsTo = ({ replay }: Played, session: string): string[] =>
    replay.sent.filter(({ on }) => on === session).map(({ method }) => method);

  it('of another extension’s worker is let go after it runs, with nothing else', async () => {
    const played = await play(scenarioOf('relay-another'));
    const attached = readTranscript('relay-another').entries.find(
      (entry) =>
        'event' in entry &&
        entry.event === 'Target.attachedToTarget' &&
        JSON.stringify(entry.params).includes(`chrome-extension://${'b'.repeat(32)}/`),
    );
    const session = attached && 'params' in attached ? attached.params?.['sessionId'] : undefined;
    assert.ok(typeof session === 'string');
    assert.deepEqual(commandsTo(played, session), ['Runtime.runIfWaitingForDebugger']);
    const detached = played.replay.sent.filter(({ method }) => method === 'Target.detachFromTarget');
    assert.ok(detached.some(({ params }) => params['sessionId'] === session));
  });

  it('of a new worker lets it run once, when its breakpoints are set', async () => {
    const commands = commandsTo(await play(scenarioOf('relay-worker')), 'session-4');
    assert.equal(commands.filter((method) => method === 'Runtime.runIfWaitingForDebugger').length, 1);
    assert.ok(
      commands.indexOf('Debugger.setBreakpointByUrl') < commands.indexOf('Runtime.runIfWaitingForDebugger'),
      commands.join(),
    );
  });

  it('skips pauses for a release, before it resumes', async () => {
    const { replay } = await play(scenarioOf('relay-release'));
    const skipped = replay.sent.findIndex(({ method }) => method === 'Debugger.setSkipAllPauses');
    const resumed = replay.sent.findIndex(({ method }) => method === 'Debugger.resume');
    assert.ok(skipped >= 0 && skipped < resumed);
  });

  it('tells the debugger a script that was parsed before the debugger knew the session', async () => {
    const { client } = await play(scenarioOf('relay-worker'));
    const scripts = client.received.filter(({ method }) => method === 'Debugger.scriptParsed');
    assert.equal(scripts.length, 2);
  });
});
