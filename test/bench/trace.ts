import { redact } from '../../src/service/redact';
import { isJsonObject, jsonOf } from '../support/json';
import type { Bench } from './context';
import { NETWORK_CASES } from './network';
import { RemoteWindow } from './remoteWindow';
import { WireReader, type WireMessage } from './wireReader';

/** The distance at which a push is traced, in milliseconds of a round trip. */
const ROUND_TRIP_MS = 80;

/** Pushes before the traced one. */
const WARM_UPS = 2;

/** The longest hint at what a command is about, in characters. */
const HINT_LENGTH = 72;

/** What was sent later than so long after an arrival waited for something else, too, in milliseconds. */
const AT_ONCE_MS = 3;

/** A message, and the one that it answers. */
interface Step {
  message: WireMessage;
  label: string;
  question?: Step | undefined;
}

/**
 * Runs one case of the network at 80 ms and returns a timeline of all that went over it, and from its end backwards which message
 * waited for which.
 */
export async function trace(bench: Bench, name: string): Promise<string[]> {
  const found = NETWORK_CASES[name];
  if (!found) throw new Error(`There is no case "${name}", only ${Object.keys(NETWORK_CASES).join(', ')}.`);
  const readers = new Map<number, WireReader>();
  const messages: WireMessage[] = [];
  const window = await RemoteWindow.open(bench, {
    name: `trace-${name}`,
    roundTripMs: ROUND_TRIP_MS,
    onBytes: (direction, connection, bytes) => {
      const reader = readers.get(connection) ?? new WireReader(connection, (message) => void messages.push(message));
      readers.set(connection, reader);
      reader.read(direction, bytes);
    },
  });
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp++) await found.run(window);
  // Connections are named by the requests before, so their messages are read from the beginning and shown from here on.
  const begun = performance.now();
  const result = await found.run(window);
  const steps = stepsOf(messages).filter(({ message }) => message.at >= begun);
  const start = typeof result === 'number' ? (steps[0]?.message.at ?? begun) : result.started;
  const moments =
    typeof result === 'number'
      ? [{ name: 'end of the operation', ms: result, isHere: true }]
      : [
          { name: 'first statement of the new code', ms: result.ran, isHere: false },
          { name: 'end of the push', ms: result.ended, isHere: true },
        ];
  return [
    `One run of "${name}" at ${ROUND_TRIP_MS} ms: milliseconds since its start, connection, message, bytes`,
    ...steps.filter(({ message }) => message.at >= start).map((step) => lineOf(step, start)),
    ...moments.flatMap(({ name: moment, ms, isHere }) => [
      '',
      `${moment} at ${ms.toFixed(0)} ms; what it waited for, from its end backwards:`,
      ...chainTo(start + ms, isHere, steps, start),
    ]),
  ];
}

/** Names all messages and sets each answer against its question. */
function stepsOf(messages: readonly WireMessage[]): Step[] {
  const asked = new Map<string, Step>();
  return [...messages]
    .sort((a, b) => a.at - b.at)
    .map((message) => {
      const step =
        'head' in message.content
          ? httpStep(message, message.content.head, asked)
          : devToolsStep(message, message.content.text, asked);
      return { ...step, label: redact(step.label) };
    });
}

function httpStep(message: WireMessage, head: string, asked: Map<string, Step>): Step {
  const key = String(message.connection);
  if (message.direction === 'down') {
    const question = asked.get(key);
    return { message, question, label: `${head.split(' ')[1] ?? ''} ${question?.label ?? ''}` };
  }
  const [method = '', path = ''] = head.split(' ');
  // Ids are long, and a query may hold a token.
  const short = path.replace(/\?.*/, '').replace(/\/browsers\/[^/]+/, '/browsers/:id');
  const step: Step = {
    message,
    label: `${method} ${short}${/\r\nupgrade: websocket/i.test(head) ? ' (websocket)' : ''}`,
  };
  asked.set(key, step);
  return step;
}

function devToolsStep(message: WireMessage, text: string, asked: Map<string, Step>): Step {
  const value = jsonOf(text);
  if (value === undefined || !isJsonObject(value)) return { message, label: 'a message that is no JSON' };
  const id = typeof value['id'] === 'number' ? value['id'] : undefined;
  const key = `${message.connection} ${id ?? ''}`;
  if (message.direction === 'down' && id !== undefined) {
    const question = asked.get(key);
    return { message, question, label: `${'error' in value ? 'error of ' : ''}${question?.label ?? `#${id}`}` };
  }
  const method = typeof value['method'] === 'string' ? value['method'] : '';
  const step: Step = {
    message,
    label: `${id === undefined ? 'event ' : `#${id} `}${method} ${hintOf(value['params'])}`,
  };
  if (id !== undefined) asked.set(key, step);
  return step;
}

/** What the parameters of a command or an event are about. */
function hintOf(params: unknown): string {
  if (!isRecord(params)) return '';
  const info = isRecord(params['targetInfo']) ? params['targetInfo'] : params;
  const words = ['type', 'url', 'expression', 'path', 'functionDeclaration', 'name', 'targetId'].flatMap((field) => {
    const value = info[field];
    return typeof value === 'string' ? [value.replace(/\?.*/, '').replace(/\s+/g, ' ').trim()] : [];
  });
  return words.join(' ').slice(0, HINT_LENGTH);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function lineOf({ message, label, question }: Step, start: number): string {
  const { at, direction, connection, bytes } = message;
  const took = question ? `  after ${(at - question.message.at).toFixed(0)} ms` : '';
  const time = (at - start).toFixed(1).padStart(8);
  return `${time}  ${direction === 'up' ? '→' : '←'} ${String(connection).padStart(3)}  ${label}  ${bytes} B${took}`;
}

/**
 * Which messages a moment waited for, latest first: the last arrival before it, what that answered, and so on. `isHere`: the moment is
 * one of this machine, not of the browser's.
 */
function chainTo(moment: number, isHere: boolean, steps: readonly Step[], start: number): string[] {
  const lines: string[] = [];
  let until = moment;
  let trips = 0;
  if (!isHere) {
    // What happens in the browser was caused by what had gone out half a round trip before, or earlier.
    const latest = moment - ROUND_TRIP_MS / 2;
    const cause = steps.findLast(({ message }) => message.direction === 'up' && message.at <= latest);
    if (cause) {
      lines.push(`${(moment - cause.message.at).toFixed(0).padStart(8)} ms  one way, ${cause.label}`);
      until = cause.message.at;
    }
  }
  for (;;) {
    const arrival = steps.findLast(({ message }) => message.direction === 'down' && message.at <= until);
    // What nothing answers was caused by what went out a round trip before, or earlier.
    const latest = (arrival?.message.at ?? 0) - ROUND_TRIP_MS + 1;
    const cause =
      arrival?.question ?? steps.findLast(({ message }) => message.direction === 'up' && message.at <= latest);
    if (!arrival || !cause || cause.message.at < start) break;
    const idle = until - arrival.message.at;
    if (idle > AT_ONCE_MS) lines.push(`${idle.toFixed(0).padStart(8)} ms  without waiting for the network`);
    const took = arrival.message.at - cause.message.at;
    trips += 1;
    lines.push(`${took.toFixed(0).padStart(8)} ms  ${cause.label}${arrival.question ? '' : `, then ${arrival.label}`}`);
    until = cause.message.at;
  }
  if (until - start > AT_ONCE_MS) lines.push(`${(until - start).toFixed(0).padStart(8)} ms  before anything was sent`);
  return [...lines, `         ${trips} round trips one after the other`];
}
