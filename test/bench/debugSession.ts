import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Relay } from '../../src/debugger/relay';
import { SourceLocations } from '../../src/console/sourceLocations';
import type { HiddenTargets } from '../../src/devtools/protocol/hiddenTargets';
import type { Browser } from '../../src/service/model';
import { within } from '../support/within';
import { type KnownTarget, RelayClient } from '../contract/relay.client';
import type { Subject } from './subject';
import { addressOf } from '../support/devToolsAddress';

/** The part of an extension that is a worker, as the relay names it. */
const WORKER = 'Service worker';

/** How long a relay may take to end after its client, in milliseconds. */
const END_LIMIT_MS = 20_000;

/** A statement of the sample's worker, in the function that {@link CALL} calls. */
const STATEMENT = 'const { pages = 0 } = await';

/** An expression that comes to the breakpoint. */
export const CALL = 'countPage()';

/** Where the debugger stops in the worker of a subject; the line counts from 0. */
export interface StopLine {
  urlRegex: string;
  lineNumber: number;
}

/** The line of the first statement of the function that {@link CALL} calls. */
export async function stopLineOf({ folder }: Subject): Promise<StopLine> {
  const lines = (await readFile(join(folder, 'background.js'), 'utf8')).split('\n');
  const lineNumber = lines.findIndex((line) => line.includes(STATEMENT));
  if (lineNumber < 0) throw new Error(`the worker of the sample has no statement "${STATEMENT}"`);
  return { urlRegex: '.*/background\\.js$', lineNumber };
}

/** What a session needs. */
export interface DebugOptions {
  browser: Browser;
  extensionId: string;
  stop: StopLine;
  /** The hidden pages that pushes open in the browser. */
  hidden?: HiddenTargets;
  /** Called with the relay before the debugger connects to it. */
  onRelay?: (relay: Relay) => void;
}

/** A debug session as the editor starts it, with a client in place of VS Code's JavaScript debugger, which begins sessions at once. */
export class DebugSession {
  private constructor(
    readonly client: RelayClient,
    private readonly relay: Relay,
    private readonly stop: StopLine,
  ) {}

  /** Starts a relay and attaches to it. */
  static async start({ browser, extensionId, stop, hidden, onRelay }: DebugOptions): Promise<DebugSession> {
    const relay = await Relay.start({
      extensionId,
      name: 'Bench',
      matches: () => false,
      address: () => Promise.resolve(addressOf(browser)),
      locations: new SourceLocations(extensionId, undefined),
      ...(hidden && { hidden }),
      log: { debug: () => undefined },
    });
    onRelay?.(relay);
    return new DebugSession(await RelayClient.attach(relay.socketAddress, [stop], 0), relay, stop);
  }

  /** The worker, once its breakpoints are set and it was resumed. */
  worker(): Promise<KnownTarget> {
    return this.client.target(WORKER, ({ isReady }) => isReady);
  }

  /** Waits until the worker has stopped at the breakpoint; rejects when it stops elsewhere. */
  async stopped(): Promise<KnownTarget> {
    const worker = await this.client.paused(WORKER);
    const expected = `background.js:${this.stop.lineNumber + 1}`;
    if (worker.pausedAt !== expected) throw new Error(`the worker stopped at ${worker.pausedAt}, not at ${expected}`);
    return worker;
  }

  /** Ends it; rejects when VS Code's debugger would have failed at something. */
  async end(): Promise<void> {
    const ended = this.relay.isClosed ? undefined : once(this.relay.events, 'end');
    await this.client.close();
    if (ended) await within('the relay ends', END_LIMIT_MS, ended);
    if (this.client.faults.length > 0) throw new Error(`the debugger would have failed: ${this.client.faults.join()}`);
  }
}
