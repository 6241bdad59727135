import assert from 'node:assert/strict';
import { switchOnDeveloperMode } from '../../../src/devtools/inPage/extensionsPageCalls';
import { connectDevTools, onDisconnected, type Connection } from '../../../src/devtools/protocol/connect';
import { callOf } from '../../../src/devtools/protocol/pageCall';
import type { MessageTransport } from '../../../src/devtools/protocol/webSocket';
import { TranscriptRecorder } from '../../transcripts/recorder';
import { PUSH_PART } from '../../transcripts/pushPart';
import { Replay, type ReplayOptions } from '../../transcripts/replay';
import {
  abbreviated,
  type Entry,
  parseTranscript,
  type Transcript,
  transcriptText,
} from '../../transcripts/transcript';
import { IN_MEMORY } from '../../support/devToolsAddress';

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const LIMIT_MS = 30_000;

const VIA = { via: 'push' };

/** Two pages that are attached to one after the other, and send an event each. */
const TWO_PAGES: readonly Entry[] = [
  { opened: 'push' },
  ...[1, 2].flatMap((page): Entry[] => [
    { send: 'Target.attachToTarget', ...VIA, params: { targetId: `target-${page}` } },
    {
      event: 'Target.attachedToTarget',
      ...VIA,
      params: { sessionId: `session-${page}`, targetInfo: { targetId: `target-${page}`, type: 'page' } },
    },
    { answer: 'Target.attachToTarget', nth: page, ...VIA, result: { sessionId: `session-${page}` } },
  ]),
  { send: 'Page.enable', on: 'session-1', ...VIA },
  { send: 'Page.enable', on: 'session-2', ...VIA },
  { event: 'Page.frameNavigated', on: 'session-1', ...VIA, params: { at: 1 } },
  { event: 'Page.frameNavigated', on: 'session-2', ...VIA, params: { at: 2 } },
  { event: 'Page.frameNavigated', on: 'session-1', ...VIA, params: { at: 3 } },
  { answer: 'Page.enable', nth: 1, on: 'session-1', ...VIA, result: {} },
  { answer: 'Page.enable', nth: 1, on: 'session-2', ...VIA, result: {} },
  { mark: 'the browser ends' },
  { closed: 'push' },
];

function transcriptOf(entries: readonly Entry[]): Transcript {
  return { title: 'A test', chromium: '1.2.3.4', entries };
}

/** Attaches to both pages, and resolves to the events in the order in which they come. */
async function play(options?: ReplayOptions): Promise<{ replay: Replay; connection: Connection; events: string[] }> {
  const replay = new Replay(transcriptOf(TWO_PAGES), options);
  const connection = await connectDevTools(IN_MEMORY, undefined, undefined, replay.opener());
  const events: string[] = [];
  const pages = [];
  for (const targetId of ['target-1', 'target-2']) {
    const { sessionId } = await connection.send('Target.attachToTarget', { targetId });
    const session = connection.session(sessionId);
    assert.ok(session, 'A session begins before the answer that tells it.');
    session.on('Page.frameNavigated', (event) => events.push(`${sessionId} ${JSON.stringify(event)}`));
    pages.push(session);
  }
  await Promise.all(pages.map((page) => page.send('Page.enable')));
  return { replay, connection, events };
}

describe('the replay of a transcript', function () {
  this.timeout(LIMIT_MS);
  it('answers commands, and sends each event once all was sent that had been sent before it', async () => {
    const { replay, connection, events } = await play();
    assert.deepEqual(events, ['session-1 {"at":1}', 'session-2 {"at":2}', 'session-1 {"at":3}']);
    const lost = new Promise<void>((resolve) => onDisconnected(connection, resolve));
    assert.deepEqual([replay.unsent.length, replay.unplayed.length], [1, 1]);
    replay.mark('the browser ends');
    await lost;
    replay.check();
  });

  it('changes the order of independent events, the same way for the same seed, and keeps it within a session', async () => {
    const orders = new Set<string>();
    for (let seed = 0; seed < 20; seed++) {
      const { events, replay } = await play({ seed });
      await replay.idle();
      const again = await play({ seed });
      await again.replay.idle();
      assert.deepEqual(again.events, events);
      assert.equal(events.length, 3);
      assert.ok(events.indexOf('session-1 {"at":1}') < events.indexOf('session-1 {"at":3}'));
      orders.add(events.join());
    }
    assert.equal(orders.size, 3);
  });

  it('refuses a command that the transcript does not know, and names it', async () => {
    const { replay, connection } = await play();
    await assert.rejects(connection.send('Target.closeTarget', { targetId: 'target-1' }), /does not know/);
    await assert.rejects(connection.send('Target.attachToTarget', { targetId: 'target-1' }), /does not know/);
    assert.throws(() => {
      replay.check();
    }, /Target\.closeTarget \{\\?"targetId\\?":\\?"target-1/);
  });

  it('tells what was not sent', async () => {
    const replay = new Replay(transcriptOf(TWO_PAGES));
    await connectDevTools(IN_MEMORY, undefined, undefined, replay.opener());
    assert.throws(() => {
      replay.check();
    }, /now was not/);
    assert.match(replay.unsent[0] ?? '', /^3: .*attachToTarget.*target-1/);
  });
});

describe('a transcript', function () {
  this.timeout(LIMIT_MS);
  it('is the same after it was stored', () => {
    const transcript = transcriptOf(TWO_PAGES);
    assert.deepEqual(parseTranscript(transcriptText(transcript)), transcript);
  });

  it('is stable from recording to recording: ids, ports and times are numbered, polls are collapsed', async () => {
    const texts = await Promise.all(
      [0, 1].map(async (run) => {
        const hex = (digit: string): string => digit.repeat(31) + String(run);
        const recorder = new TranscriptRecorder();
        const open = recorder.opener('push', () => Promise.resolve(inner));
        const inner: MessageTransport = { send: () => undefined, ping: () => undefined, close: () => undefined };
        const outer = await open(IN_MEMORY);
        const send = (id: number, method: string, params: object): void => {
          outer.send(JSON.stringify({ id, method, params }));
        };
        const receive = (message: object): void => inner.onmessage?.(JSON.stringify(message));
        send(1, 'Target.attachToTarget', { targetId: hex('A') });
        receive({
          method: 'Target.attachedToTarget',
          params: { sessionId: hex('B'), targetInfo: { targetId: hex('A'), url: `http://127.0.0.1:${4000 + run}/` } },
        });
        receive({ id: 1, result: { sessionId: hex('B') } });
        receive({ method: 'Network.dataReceived', params: {} });
        for (let poll = 0; poll <= run; poll++) {
          send(10 + poll, 'Runtime.evaluate', { expression: callOf(switchOnDeveloperMode).expression });
          receive({ id: 10 + poll, result: { result: { value: 'loading' } } });
        }
        send(20, 'Runtime.evaluate', { expression: `'${'x'.repeat(300)}'` });
        receive({ id: 20, result: { result: { value: 'x' } } });
        return transcriptText(recorder.transcript('A test', '1', PUSH_PART));
      }),
    );
    assert.equal(texts[0], texts[1]);
    assert.equal(
      texts[0],
      `{"transcript":"A test","chromium":"1"}
{"opened":"push"}
{"send":"Target.attachToTarget","params":{"targetId":"target-1"}}
{"event":"Target.attachedToTarget","params":{"sessionId":"session-1","targetInfo":{"targetId":"target-1","url":"http://127.0.0.1:1001/"}}}
{"answer":"Target.attachToTarget","nth":1,"result":{"sessionId":"session-1"}}
{"send":"Runtime.evaluate","params":{"expression":${JSON.stringify(abbreviated(callOf(switchOnDeveloperMode).expression))}}}
{"answer":"Runtime.evaluate","nth":1,"result":{"result":{"value":"loading"}}}
{"send":"Runtime.evaluate","params":{"expression":"'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… #a8885ce5"}}
{"answer":"Runtime.evaluate","nth":2,"result":{"result":{"value":"x"}}}
`,
    );
  });
});
