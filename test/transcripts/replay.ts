import assert from 'node:assert/strict';
import type { OpenSocket } from '../../src/devtools/protocol/connect';
import type { MessageTransport } from '../../src/devtools/protocol/webSocket';
import { isJsonObject, type Json, type JsonObject, jsonOf } from '../support/json';
import { type Chance, seededChance } from '../support/random';
import { PUSH_PART } from './pushPart';
import type { StoredPart } from './recorder';
import { abbreviated, type Entry, isReceived, type Received, stableText, type Transcript } from './transcript';

export interface ReplayOptions {
  /**
   * Changes the order of what Chromium sends independently of each other, another one for each seed. What comes over one session keeps its
   * order, a session begins with its attachment, and nothing comes before a command that was sent before it.
   */
  seed?: number;
  /**
   * Whether a command is answered also when others were not sent that had been sent before it: for a test that leaves the way of the
   * transcript. Events are then played no further than where it was left.
   */
  isLoose?: boolean;
  /** What is stored of such connections: some commands are answered that no transcript has. */
  part?: Pick<StoredPart, 'isIncidental'>;
}

/** An open connection of a replay. */
interface Line {
  transport: MessageTransport;
  isOpen: boolean;
}

/** An entry of a command. */
type Sent = Extract<Entry, { send: string }>;

/** A command that was sent, as the answer needs it. */
interface Command {
  id: number;
  sessionId: string | undefined;
}

/**
 * Plays the part of the browser in a transcript, in memory and without time: it answers what it is asked, and sends each event once
 * everything was sent that had been sent before that event.
 */
export class Replay {
  /** What was sent that the transcript does not know. */
  readonly faults: string[] = [];
  /** The commands so far, by method, in their order. */
  readonly sent: { via: string; on: string | undefined; method: string; params: JsonObject }[] = [];
  readonly #entries: readonly Entry[];
  readonly #chance: Chance | undefined;
  readonly #part: Pick<StoredPart, 'isIncidental'>;
  /** Places of the entries of our side that have not happened yet, by what they are. */
  readonly #expected = new Map<string, number[]>();
  /** Places of the entries of our side that have not happened yet, in their order. */
  readonly #awaited = new Set<number>();
  /** Places of the entries of the browser that have not been played yet, in their order. */
  readonly #unplayed = new Set<number>();
  readonly #commands = new Map<string, Command>();
  readonly #labels = new Map<string, number>();
  readonly #lines = new Map<string, Line>();
  /** Answers to commands that the transcript does not know. */
  readonly #refusals: (() => void)[] = [];
  #isScheduled = false;

  readonly #isLoose: boolean;

  constructor(transcript: Transcript, { seed, part = PUSH_PART, isLoose = false }: ReplayOptions = {}) {
    this.#isLoose = isLoose;
    this.#part = part;
    this.#entries = transcript.entries;
    this.#chance = seed === undefined ? undefined : seededChance(seed);
    for (const [at, entry] of this.#entries.entries()) {
      if (isReceived(entry)) {
        this.#unplayed.add(at);
        continue;
      }
      const key = keyOf(entry);
      this.#expected.set(key, [...(this.#expected.get(key) ?? []), at]);
      this.#awaited.add(at);
    }
  }

  /** Opens connections to the replayed browser: the first under the name `label`, the next as `label 2`. */
  opener(label = 'push'): OpenSocket {
    return (_url, signal) => {
      signal?.throwIfAborted();
      const count = (this.#labels.get(label) ?? 0) + 1;
      this.#labels.set(label, count);
      const via = count === 1 ? label : `${label} ${count}`;
      if (!this.#happened({ opened: via })) this.faults.push(`a connection "${via}" was opened`);
      return Promise.resolve(this.#lineOf(via));
    };
  }

  /** Something is done to the browser over another way, which the transcript notes, too. */
  mark(name: string): void {
    if (!this.#happened({ mark: name })) this.faults.push(`"${name}" was done`);
  }

  /** Whether something will be played without anything else being sent. */
  get isBusy(): boolean {
    return this.#refusals.length > 0 || this.#playable().length > 0;
  }

  /** Resolves when nothing more comes before something else is sent. */
  async idle(turns = 4): Promise<void> {
    for (let quiet = 0; quiet < turns; quiet = this.isBusy ? 0 : quiet + 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** What the transcript has that was not sent, in its order. */
  get unsent(): string[] {
    return [...this.#awaited].map((at) => this.#describe(at));
  }

  /** What Chromium has said in the transcript and was not played, in its order. */
  get unplayed(): string[] {
    return [...this.#unplayed].map((at) => this.#describe(at));
  }

  /** Fails when something was sent that the transcript does not know, or was not sent that it has; `mayLack`: but for these. */
  check(mayLack: (entry: string) => boolean = () => false): void {
    assert.deepEqual(this.faults, [], 'The transcript does not know what was sent. If that is right, record it again.');
    const lacking = this.unsent.filter((entry) => !mayLack(entry));
    assert.deepEqual(lacking, [], 'This was sent when the transcript was recorded, and now was not.');
  }

  #lineOf(via: string): MessageTransport {
    const transport: MessageTransport = {
      send: (text) => {
        if (line.isOpen) this.#onSend(via, text);
      },
      ping: () => undefined,
      close: () => {
        line.isOpen = false;
        this.#schedule();
      },
    };
    const line: Line = { transport, isOpen: true };
    this.#lines.set(via, line);
    return transport;
  }

  #onSend(via: string, text: string): void {
    const message = jsonOf(text);
    assert.ok(message !== undefined && isJsonObject(message));
    const { id, method, params = {}, sessionId } = message;
    assert.ok(typeof id === 'number' && typeof method === 'string' && isJsonObject(params));
    const on = typeof sessionId === 'string' && sessionId !== '' ? sessionId : undefined;
    this.sent.push({ via, on, method, params });
    const command = { id, sessionId: on };
    const short = abbreviated(params);
    const entry: Entry = {
      send: method,
      ...(on !== undefined && { on }),
      via,
      params: isJsonObject(short) ? short : {},
    };
    if (this.#part.isIncidental(method, params)) {
      this.#refusals.push(() => this.#deliver(via, { id, ...(on !== undefined && { sessionId: on }), result: {} }));
    } else if (this.#happened(entry)) {
      // The transcript counts the commands in its own order.
      this.#commands.set(commandKey(via, on, method, this.#nthOf(entry)), command);
    } else {
      this.faults.push(`${method}${on === undefined ? '' : ` on ${on}`} ${JSON.stringify(short)}`);
      const error = { code: -32601, message: `The transcript does not know this ${method}.` };
      this.#refusals.push(() => this.#deliver(via, { id, ...(on !== undefined && { sessionId: on }), error }));
    }
    this.#schedule();
  }

  /** The place of the entry that happened last with a key, as the transcript counts it among all commands of its name. */
  #nthOf(entry: Sent): number {
    const at = this.#lastPlace;
    const same = (other: Entry): boolean =>
      'send' in other && other.send === entry.send && other.on === entry.on && other.via === entry.via;
    return this.#entries.slice(0, at + 1).filter(same).length;
  }

  #lastPlace = -1;

  /** Whether the transcript has this, and it has not happened before. */
  #happened(entry: Entry): boolean {
    const at = this.#expected.get(keyOf(entry))?.shift();
    if (at === undefined) return false;
    this.#lastPlace = at;
    this.#awaited.delete(at);
    this.#schedule();
    return true;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#step();
      if (this.isBusy) this.#schedule();
    });
  }

  #step(): void {
    const refusal = this.#refusals.shift();
    if (refusal) {
      refusal();
      return;
    }
    const playable = this.#playable();
    const at = this.#chance && playable.length > 0 ? this.#chance.pick(playable) : playable[0];
    if (at !== undefined) this.#play(at);
  }

  /** The places of what may come next. */
  #playable(): number[] {
    const [firstAwaited = Infinity] = this.#awaited;
    const found: number[] = [];
    /** Sessions, connections and pairs of them that something earlier has to come on. */
    const held = new Set<string>();
    for (const at of this.#unplayed) {
      if (at > firstAwaited) break;
      const entry = this.#entries[at];
      if (!entry || !isReceived(entry)) continue;
      const stream = streamOf(entry);
      const { begun, ended } = sessionsOf(entry);
      const isHeld =
        held.has(stream) ||
        (ended !== undefined && held.has(`${viaOf(entry)} ${ended}`)) ||
        ('closed' in entry && [...held].some((one) => one.startsWith(`${entry.closed} `)));
      if (!isHeld) found.push(at);
      if (!this.#chance && found.length > 0) break;
      held.add(stream);
      if (begun !== undefined) held.add(`${viaOf(entry)} ${begun}`);
    }
    if (found.length > 0 || !this.#isLoose) return found;
    const answered = this.#answered();
    return answered === undefined ? [] : [answered];
  }

  /** The place of the first answer to a command that was sent, whatever else was not. */
  #answered(): number | undefined {
    return [...this.#unplayed].find((at) => {
      const entry = this.#entries[at];
      return entry && 'answer' in entry && this.#commands.has(commandKey(entry.via, entry.on, entry.answer, entry.nth));
    });
  }

  #play(at: number): void {
    const entry = this.#entries[at];
    this.#unplayed.delete(at);
    if (!entry || !isReceived(entry)) return;
    if ('closed' in entry) {
      const line = this.#lines.get(entry.closed);
      if (line?.isOpen) line.transport.onclose?.();
      return;
    }
    const on = entry.on === undefined ? {} : { sessionId: entry.on };
    if ('event' in entry) {
      this.#deliver(entry.via, { method: entry.event, params: entry.params ?? {}, ...on });
      return;
    }
    const command = this.#commands.get(commandKey(entry.via, entry.on, entry.answer, entry.nth));
    if (!command) return;
    const outcome = entry.error === undefined ? { result: entry.result ?? {} } : { error: entry.error };
    this.#deliver(entry.via, { id: command.id, ...on, ...outcome });
  }

  #deliver(via: string, message: Json): void {
    const line = this.#lines.get(via);
    if (line?.isOpen) line.transport.onmessage?.(JSON.stringify(message));
  }

  #describe(at: number): string {
    return `${at + 2}: ${JSON.stringify(this.#entries[at])}`;
  }
}

function commandKey(via: string, on: string | undefined, method: string, nth: number): string {
  return JSON.stringify([via, on, method, nth]);
}

function keyOf(entry: Entry): string {
  if ('send' in entry) return stableText([entry.via, entry.on ?? null, entry.send, entry.params ?? {}]);
  if ('opened' in entry) return `opened ${entry.opened}`;
  return 'mark' in entry ? `mark ${entry.mark}` : '';
}

function viaOf(entry: Received): string {
  return 'closed' in entry ? entry.closed : entry.via;
}

/** What keeps its order: what comes over one session, and what comes from the browser itself. */
function streamOf(entry: Received): string {
  return `${viaOf(entry)} ${('on' in entry && entry.on) || ''}`;
}

/** The session that an event begins or ends. */
function sessionsOf(entry: Received): { begun?: string; ended?: string } {
  if (!('event' in entry)) return {};
  const session = entry.params?.['sessionId'];
  if (typeof session !== 'string') return {};
  if (entry.event === 'Target.attachedToTarget') return { begun: session };
  return entry.event === 'Target.detachedFromTarget' ? { ended: session } : {};
}
