/** Runs in an extension host: debugs an extension as F5 does, and appends what each session took, in milliseconds. */
import { EventEmitter, once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  commands,
  debug,
  Disposable,
  Location,
  Position,
  SourceBreakpoint,
  Uri,
  workspace,
  type DebugSession,
  type WorkspaceFolder,
} from 'vscode';
import { fieldOf } from '../../src/base/fields';
import { COMMANDS, DEBUG_TYPE } from '../../src/ids';
import { DevTools } from '../contract/devtools';
import { EditorBrowser, leaveService, useService } from '../extensionHost/editorBrowser';
import { Beacon } from './beacon';
import { DEBUG_FILE_ENV, DEBUG_ROUNDS_ENV, type DebugLine } from './debugTimes';
import { idOf, newKey } from './extensionKey';
import { attachToWorker } from './workerTarget';

/** The name of the session of a worker. */
const WORKER = 'Service worker';

/** How long the debugger may take for anything, in milliseconds. */
const LIMIT_MS = 60_000;

/** Pause after a session has begun or ended, in milliseconds: VS Code still draws. */
const SETTLE_MS = 500;

/** The name by which the beacon knows a start of the worker. */
const START = 'start';

/** The line of the breakpoint, from 0. */
const LINE = 2;

const workerCalling = (origin: string): string => `fetch(${JSON.stringify(`${origin}/${START}`)});
globalThis.add = (a) => {
  const sum = a + 1;
  return sum;
};
`;

interface Stop {
  session: DebugSession;
  threadId: number;
  at: number;
}

/** The debug sessions of the window, as their adapters report them. */
class Sessions {
  /** When each session of a worker was ready; undefined before. */
  readonly #workers = new Map<string, number | undefined>();
  readonly #all = new Set<string>();
  readonly #changes = new EventEmitter<{ change: [] }>();
  #stop: Stop | undefined;
  readonly subscription = Disposable.from(
    debug.onDidTerminateDebugSession(({ id }) => {
      this.#all.delete(id);
      this.#workers.delete(id);
      this.#changes.emit('change');
    }),
    debug.registerDebugAdapterTrackerFactory('*', {
      createDebugAdapterTracker: (session) => {
        this.#all.add(session.id);
        if (session.name === WORKER) this.#workers.set(session.id, undefined);
        return {
          onDidSendMessage: (message: unknown) => {
            this.#onMessage(session, message);
          },
        };
      },
    }),
  );

  /** When the only session of a worker was ready. */
  workerReady(): Promise<number> {
    return this.#until('a worker has a session', () => {
      const [at, ...others] = this.#workers.values();
      return others.length === 0 ? at : undefined;
    });
  }

  /** The next stop at a breakpoint. */
  async stopped(): Promise<Stop> {
    this.#stop = undefined;
    return await this.#until('the worker stops', () => this.#stop);
  }

  /** Resolves when all sessions have ended. */
  async ended(): Promise<void> {
    await this.#until('all sessions end', () => this.#all.size === 0 || undefined);
  }

  #onMessage(session: DebugSession, message: unknown): void {
    if (fieldOf(message, 'command') === 'configurationDone' && this.#workers.has(session.id)) {
      this.#workers.set(session.id, performance.now());
    }
    const body = fieldOf(message, 'body');
    const threadId = fieldOf(body, 'threadId');
    const isStop = fieldOf(message, 'event') === 'stopped' && fieldOf(body, 'reason') === 'breakpoint';
    if (isStop && typeof threadId === 'number') {
      this.#stop = { session, threadId, at: performance.now() };
    }
    this.#changes.emit('change');
  }

  async #until<T>(what: string, find: () => T | undefined): Promise<T> {
    const signal = AbortSignal.timeout(LIMIT_MS);
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await once(this.#changes, 'change', { signal }).catch(() => {
        throw new Error(`not within ${LIMIT_MS} ms: ${what}`);
      });
    }
  }
}

/** Called by VS Code. */
export async function run(): Promise<void> {
  const file = process.env[DEBUG_FILE_ENV];
  if (file === undefined) throw new Error(`${DEBUG_FILE_ENV} is not set`);
  const write = (line: DebugLine): void => {
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  };
  await measure(Number(process.env[DEBUG_ROUNDS_ENV]), write).then(
    () => {
      write({ isOver: true });
    },
    (error: unknown) => {
      write({ error: String(error) });
    },
  );
}

async function measure(rounds: number, write: (line: DebugLine) => void): Promise<void> {
  const root = workspace.workspaceFolders?.[0];
  if (!root) throw new Error('the window has no folder');
  const beacon = await Beacon.start();
  const key = newKey();
  const script = await writeExtension(root.uri.fsPath, beacon.origin, key.toString('base64'));
  const sessions = new Sessions();
  await useService();
  const browser = await EditorBrowser.start('debugged');
  try {
    await browser.choose();
    await commands.executeCommand(COMMANDS.push, browser.row);
    await beacon.called(START);
    debug.addBreakpoints([new SourceBreakpoint(new Location(Uri.file(script), new Position(LINE, 0)))]);
    for (let round = 0; round < rounds; round++) {
      await delay(SETTLE_MS);
      const f5ToReady = await start(root, sessions, beacon);
      await delay(SETTLE_MS);
      const callToStopped = await stop(browser.described.devToolsUrl, idOf(key), sessions);
      await debug.stopDebugging();
      await sessions.ended();
      write({ f5ToReady, callToStopped });
    }
  } finally {
    await debug.stopDebugging();
    sessions.subscription.dispose();
    await browser.end();
    await leaveService();
    await beacon.close();
  }
}

/** Milliseconds from the start of debugging to a worker that has run its first statement and has a session. */
async function start(root: WorkspaceFolder, sessions: Sessions, beacon: Beacon): Promise<number> {
  const running = beacon.calledAgain(START);
  const begun = performance.now();
  const configuration = { type: DEBUG_TYPE, request: 'launch', name: 'Bench' };
  const [isStarted, ranAt] = await Promise.all([debug.startDebugging(root, configuration), running]);
  if (!isStarted) throw new Error('debugging did not start');
  return Math.max(ranAt, await sessions.workerReady()) - begun;
}

/** Milliseconds from a call in the worker, by a DevTools client, to the stop that the debugger reports to VS Code. */
async function stop(address: string, extensionId: string, sessions: Sessions): Promise<number> {
  const devtools = await DevTools.connect(address);
  try {
    const worker = await attachToWorker(devtools, extensionId);
    const begun = performance.now();
    const stopping = sessions.stopped();
    const called = worker.evaluate('add(41)');
    const { session, threadId, at } = await stopping;
    await session.customRequest('continue', { threadId });
    if ((await called) !== 42) throw new Error('the call did not return');
    return at - begun;
  } finally {
    devtools.close();
  }
}

/** Writes the extension that is debugged, and returns the path of its worker. */
async function writeExtension(folder: string, origin: string, key: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const manifest = { manifest_version: 3, name: 'Debugged', version: '1', key, host_permissions: [`${origin}/*`] };
  const script = join(folder, 'worker.js');
  await writeFile(script, workerCalling(origin));
  await writeFile(
    join(folder, 'manifest.json'),
    JSON.stringify({ ...manifest, background: { service_worker: 'worker.js' } }),
  );
  return script;
}
