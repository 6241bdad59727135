import assert from 'node:assert/strict';
import {
  nextPhase,
  browserIn,
  shownIn,
  type StreamEvent,
  type StreamPhase,
  type Way,
} from '../../../../src/editor/screen/streamStates';
import type { StreamState } from '../../../../src/screen/screenMessages';
import { BROWSER } from '../lists/sampleBrowser';

type Phase = StreamPhase<string>;
type Kind = StreamEvent<string>['kind'];

const [stay, later] = [new AbortController(), new AbortController()];
const fresh: Way = { browser: BROWSER, isMoved: false, failures: 0 };
const once: Way = { browser: BROWSER, isMoved: true, failures: 1 };
const twice: Way = { browser: BROWSER, isMoved: true, failures: 2 };

const connected = (at: 'waiting' | 'live' | 'whole'): Phase => ({ at, browser: BROWSER, screen: 'screen', stay });
const unconnected = (
  at: 'connecting' | 'lost',
  shown: 'connecting' | 'still' | 'controls',
  way: Way,
  of = stay,
): Phase => ({ at, shown, way, stay: of });

const PHASES = {
  ended: { at: 'ended' },
  idle: { at: 'idle', way: once },
  paused: { at: 'paused', way: once },
  connecting: unconnected('connecting', 'connecting', once),
  'connecting below a still picture': unconnected('connecting', 'still', once),
  'connecting without pictures': unconnected('connecting', 'controls', once),
  waiting: connected('waiting'),
  live: connected('live'),
  whole: connected('whole'),
  lost: unconnected('lost', 'connecting', once),
  failed: unconnected('lost', 'still', once),
  'failed without pictures': unconnected('lost', 'controls', once),
} satisfies Record<string, Phase>;

type Name = keyof typeof PHASES;
const isName = (name: string): name is Name => name in PHASES;
const NAMES = Object.keys(PHASES).filter(isName);

const EVENTS: Record<Kind, StreamEvent<string>> = {
  begin: { kind: 'begin', browser: BROWSER },
  leave: { kind: 'leave' },
  pause: { kind: 'pause' },
  end: { kind: 'end' },
  connect: { kind: 'connect', stay: later },
  connected: { kind: 'connected', browser: BROWSER, screen: 'screen', isWhole: false },
  picture: { kind: 'picture' },
  lost: { kind: 'lost', stay: later },
  failed: { kind: 'failed', stay: later },
  controls: { kind: 'controls' },
};

const away = (at: 'idle' | 'paused'): Partial<Record<Name, Phase>> => ({
  ...Object.fromEntries(NAMES.map((name) => [name, { at, way: 'way' in PHASES[name] ? once : fresh }])),
  ended: PHASES.ended,
});
const connects = unconnected('connecting', 'connecting', once, later);
const lost = unconnected('lost', 'connecting', { ...once, failures: 1 }, later);
const fails = (way: Way): Phase => unconnected('lost', 'still', way, later);

/** The state after each event, by the state before; those that are missing stay as they are. */
const AFTER: Record<Kind, Partial<Record<Name, Phase>>> = {
  begin: Object.fromEntries(NAMES.map((name) => [name, { at: 'idle', way: fresh }])),
  end: Object.fromEntries(NAMES.map((name) => [name, PHASES.ended])),
  leave: away('idle'),
  pause: away('paused'),
  connect: {
    idle: connects,
    paused: connects,
    lost: connects,
    failed: unconnected('connecting', 'still', once, later),
    'failed without pictures': connects,
  },
  connected: {
    connecting: connected('waiting'),
    'connecting below a still picture': connected('waiting'),
    'connecting without pictures': connected('waiting'),
  },
  picture: { waiting: connected('live') },
  lost: { waiting: lost, live: lost, whole: lost },
  failed: {
    connecting: fails(twice),
    'connecting below a still picture': fails(twice),
    'connecting without pictures': fails(twice),
    waiting: fails(once),
    live: fails(once),
    whole: fails(once),
  },
  controls: {
    'connecting below a still picture': PHASES['connecting without pictures'],
    failed: PHASES['failed without pictures'],
  },
};

/** A state with the name of its stay, as two of them look the same. */
const named = (phase: Phase): unknown =>
  'stay' in phase ? { ...phase, stay: phase.stay === stay ? 'the same' : 'a new one' } : phase;

describe('the states of a stream', () => {
  for (const event of Object.values(EVENTS)) {
    it(`go on from each one by “${event.kind}”`, () => {
      for (const name of NAMES) {
        const before = PHASES[name];
        const after = nextPhase<string>(before, event);
        const expected = AFTER[event.kind][name];
        assert.deepEqual(named(after), named(expected ?? before), name);
        if (!expected) assert.equal(after, before, `${name} is another object`);
      }
    });
  }

  it('show the whole screen where that is chosen', () => {
    const after = nextPhase<string>(PHASES.connecting, {
      kind: 'connected',
      browser: BROWSER,
      screen: 'screen',
      isWhole: true,
    });
    assert.deepEqual(named(after), named(PHASES.whole));
  });

  it('go on with the address that the browser has now', () => {
    const moved = { ...BROWSER, devToolsUrl: 'ws://127.0.0.1:2/moved' };
    const event = { kind: 'connected', browser: moved, screen: 'screen', isWhole: false } as const;
    assert.equal(browserIn(nextPhase<string>(PHASES.connecting, event)), moved);
  });

  it('have words for the page, and a browser until the end', () => {
    const shown: Record<Name, StreamState> = {
      ended: 'none',
      idle: 'none',
      paused: 'paused',
      connecting: 'connecting',
      'connecting below a still picture': 'still',
      'connecting without pictures': 'controls',
      waiting: 'waiting',
      live: 'live',
      whole: 'whole',
      lost: 'connecting',
      failed: 'still',
      'failed without pictures': 'controls',
    };
    for (const name of NAMES) {
      assert.equal(shownIn(PHASES[name]), shown[name], name);
      assert.equal(browserIn(PHASES[name]), name === 'ended' ? undefined : BROWSER, name);
    }
  });
});
