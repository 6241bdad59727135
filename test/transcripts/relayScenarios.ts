import type { Relay } from '../../src/debugger/relay';
import { fieldOf } from '../../src/base/fields';
import type { JsonObject } from '../support/json';
import { MemoryDebugger, type Message, messageOf } from '../standins/memoryDebugger';

/** The files of the extension that is debugged, but for its manifest. */
export const DEBUGGED_FILES = {
  'worker.js': 'globalThis.first = 1;\nglobalThis.add = (a) => {\n  const sum = a + 1;\n  return sum;\n};\n',
  'page.html': '<!doctype html><title>Page</title><script src="page.js"></script>',
  'page.js': 'globalThis.shown = 1;\n',
} as const;

/** A breakpoint of the debugger: the beginning of a script's address, and a line from 0. */
interface Breakpoint {
  file: keyof typeof DEBUGGED_FILES;
  line: number;
}

/** What a scenario does to the browser besides debugging. */
export type RelayAct =
  | 'reload'
  | 'load'
  | 'load another'
  | 'open tab'
  | 'show page'
  | 'close tab'
  | 'stop worker'
  | 'kill worker'
  | 'wake worker';

/** Where a scenario takes place. */
export interface RelayPlace {
  relay: Relay;
  client: JsDebugger;
  act: (act: RelayAct) => Promise<void>;
  /** Resolves when `isThere` says yes and the browser has nothing more to say. */
  settle: (what: string, isThere: () => boolean) => Promise<void>;
}

/** A debugger that sets its breakpoints in each part that it is told of, as js-debug does. */
export class JsDebugger extends MemoryDebugger {
  /** What each session is called here: after the title that its part had first. */
  readonly #names = new Map<string, string>();
  readonly #titles = new Map<string, string>();
  /** The targets of sessions. */
  readonly #targets = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #paused = new Map<string, string>();
  readonly #scripts = new Map<string, string>();
  readonly #log = new Map<string, string[]>();

  constructor(private readonly breakpoints: readonly Breakpoint[]) {
    super();
  }

  override send(text: string): void {
    super.send(text);
    if (this.port !== 0) this.#onMessage(messageOf(text));
  }

  /** What it has seen of each part, in the order of that part. */
  get told(): string[] {
    return [...this.#log].map(([name, events]) => `${name}: ${events.join(', ')}`).sort();
  }

  /** The session of a part that is there, by its title; of several the newest. */
  sessionOf(title: string): string | undefined {
    return this.sessions.findLast((session) => this.#titles.get(session) === title);
  }

  /** Where a part is paused, as `file:line`. */
  pausedAt(title: string): string | undefined {
    return this.#paused.get(this.sessionOf(title) ?? '');
  }

  resume(title: string): void {
    this.command('Debugger.resume', {}, this.sessionOf(title) ?? '');
  }

  #onMessage({ id, method, sessionId, params }: Message): void {
    if (id !== undefined) return;
    const about = params['sessionId'];
    const inner = typeof about === 'string' ? about : '';
    if (method === 'Target.attachedToTarget') {
      const [title, target, type] = infoOf(params);
      const count = (this.#counts.get(title) ?? 0) + 1;
      this.#counts.set(title, count);
      this.#names.set(inner, `${title} ${count}`);
      this.#titles.set(inner, title);
      this.#targets.set(inner, target);
      this.#note(inner, 'attached');
      queueMicrotask(() => {
        this.#begin(inner, type);
      });
    } else if (method === 'Target.targetInfoChanged') {
      const [title, target] = infoOf(params);
      for (const [session, of] of this.#targets) if (of === target) this.#titles.set(session, title);
    } else if (method === 'Target.detachedFromTarget') {
      this.#note(inner, 'detached');
      this.#paused.delete(inner);
    } else if (method === 'Debugger.scriptParsed') {
      this.#scripts.set(`${sessionId} ${String(fieldOf(params, 'scriptId'))}`, String(fieldOf(params, 'url')));
    } else if (method === 'Debugger.paused') {
      const frames = params['callFrames'];
      const location = fieldOf(Array.isArray(frames) ? frames[0] : undefined, 'location');
      const url = this.#scripts.get(`${sessionId} ${String(fieldOf(location, 'scriptId'))}`) ?? '';
      const place = `${url.split('/').at(-1) ?? ''}:${Number(fieldOf(location, 'lineNumber')) + 1}`;
      this.#paused.set(sessionId, place);
      this.#note(sessionId, `paused at ${place}`);
    } else if (method === 'Debugger.resumed') {
      this.#paused.delete(sessionId);
      this.#note(sessionId, 'resumed');
    }
  }

  #begin(sessionId: string, type: string): void {
    if (type === 'service_worker') this.command('Runtime.runIfWaitingForDebugger', {}, sessionId);
    this.command('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, sessionId);
    this.command('Runtime.enable', {}, sessionId);
    this.command('Debugger.enable', {}, sessionId);
    for (const { file, line } of this.breakpoints) {
      const where = { urlRegex: `.*/${file.replace('.', '\\.')}$`, lineNumber: line };
      this.command('Debugger.setBreakpointByUrl', where, sessionId);
    }
    this.command('Runtime.runIfWaitingForDebugger', {}, sessionId);
  }

  #note(sessionId: string, event: string): void {
    const name = this.#names.get(sessionId);
    if (name === undefined) return;
    this.#log.set(name, [...(this.#log.get(name) ?? []), event]);
  }
}

/** The title of a target, its id and its type. */
function infoOf({ targetInfo }: JsonObject): [string, string, string] {
  const text = (name: string): string => String(fieldOf(targetInfo, name));
  return [text('title'), text('targetId'), text('type')];
}

/** What is debugged in a real browser, or in a replay. */
export interface RelayScenario {
  /** Of its transcript. */
  name: string;
  title: string;
  breakpoints: readonly Breakpoint[];
  run: (place: RelayPlace) => Promise<void>;
  /** What the debugger has seen, as {@link JsDebugger.told}. */
  told: readonly string[];
}

const WORKER = 'Service worker';
const PAGE = 'page.html';

/** Waits until a part has its session, and runs. */
async function ready({ client, settle }: RelayPlace, title: string): Promise<void> {
  await settle(`the debugger has a session of ${title}`, () => client.sessionOf(title) !== undefined);
}

async function paused({ client, settle }: RelayPlace, title: string, place: string): Promise<void> {
  await settle(`${title} is paused at ${place}`, () => client.pausedAt(title) === place);
}

async function resumed(at: RelayPlace, title: string): Promise<void> {
  at.client.resume(title);
  await at.settle(`${title} goes on`, () => at.client.pausedAt(title) === undefined);
}

/** A worker that something stops, and that starts again. */
function stopped(name: string, title: string, act: RelayAct): RelayScenario {
  return {
    name,
    title,
    breakpoints: [{ file: 'worker.js', line: 0 }],
    run: async (at) => {
      await ready(at, WORKER);
      await at.act(act);
      await at.settle('its session has ended', () => at.client.sessionOf(WORKER) === undefined);
      await at.act('wake worker');
      await paused(at, WORKER, 'worker.js:1');
      await resumed(at, WORKER);
    },
    told: [
      'Service worker 1: attached, detached',
      'Service worker 2: attached, paused at worker.js:1, resumed',
      'about:blank 1: attached',
    ],
  };
}

/** What is recorded of the relay. */
export const RELAY_SCENARIOS: readonly RelayScenario[] = [
  stopped(
    'relay-stop',
    'a worker that is stopped, and stops at its first statement when it starts again',
    'stop worker',
  ),
  stopped('relay-kill', 'a worker whose target is closed, and that starts again', 'kill worker'),
  {
    name: 'relay-worker',
    title: 'a worker that runs already, and is stopped at its first statement after a reload',
    breakpoints: [{ file: 'worker.js', line: 0 }],
    run: async (at) => {
      await ready(at, WORKER);
      await at.act('reload');
      await paused(at, WORKER, 'worker.js:1');
      await resumed(at, WORKER);
    },
    told: [
      'Service worker 1: attached, detached',
      'Service worker 2: attached, paused at worker.js:1, resumed',
      'about:blank 1: attached',
    ],
  },
  {
    name: 'relay-function',
    title: 'a function of a worker that runs already, and is called',
    breakpoints: [{ file: 'worker.js', line: 2 }],
    run: async (at) => {
      await ready(at, WORKER);
      at.client.command('Runtime.evaluate', { expression: 'add(41)' }, at.client.sessionOf(WORKER));
      await paused(at, WORKER, 'worker.js:3');
      await resumed(at, WORKER);
    },
    told: ['Service worker 1: attached, paused at worker.js:3, resumed', 'about:blank 1: attached'],
  },
  {
    name: 'relay-page',
    title: 'a page in a tab, which is stopped at its first statement and then closed',
    breakpoints: [{ file: 'page.js', line: 0 }],
    run: async (at) => {
      await ready(at, WORKER);
      await at.act('open tab');
      await at.settle('the tab has its session', () => at.client.sessions.length === 3);
      await at.act('show page');
      await paused(at, PAGE, 'page.js:1');
      await resumed(at, PAGE);
      await at.act('close tab');
      await at.settle('it is gone', () => at.client.sessionOf(PAGE) === undefined);
    },
    told: [
      'Service worker 1: attached',
      'about:blank 1: attached',
      'about:blank 2: attached, paused at page.js:1, resumed, detached',
    ],
  },
  {
    name: 'relay-another',
    title: 'the worker of another extension, which runs and is not shown',
    breakpoints: [{ file: 'worker.js', line: 0 }],
    run: async (at) => {
      await ready(at, WORKER);
      await at.act('load another');
      await at.settle('nothing is paused', () => at.client.pausedAt(WORKER) === undefined);
    },
    told: ['Service worker 1: attached', 'about:blank 1: attached'],
  },
  {
    name: 'relay-release',
    title: 'a worker that is paused in its script, and released for a reload',
    breakpoints: [{ file: 'worker.js', line: 0 }],
    run: async (at) => {
      await ready(at, WORKER);
      await at.act('reload');
      await paused(at, WORKER, 'worker.js:1');
      await at.relay.release();
      await at.settle('it goes on', () => at.client.pausedAt(WORKER) === undefined);
      await at.act('load');
      await paused(at, WORKER, 'worker.js:1');
      await resumed(at, WORKER);
    },
    told: [
      'Service worker 1: attached, detached',
      'Service worker 2: attached, paused at worker.js:1, resumed, detached',
      'Service worker 3: attached, paused at worker.js:1, resumed',
      'about:blank 1: attached',
    ],
  },
];
