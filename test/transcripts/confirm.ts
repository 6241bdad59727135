import { isJsonObject, type Json, type JsonObject } from '../support/json';
import { type Entry, stableText, type Transcript } from './transcript';

/** Events that tell a passing state: how many come, and of which states, depends on the machine. */
const PASSING = new Set(['Target.targetInfoChanged', 'ServiceWorker.workerVersionUpdated']);

/** An event that reports the end of a worker, unless the session is detached first: both orders were seen on Chromium 156. */
const END_OF_WORKER = 'Inspector.targetCrashed from service_worker';

/** A question that is asked until a worker has started; one that has started by then is not asked. */
const UNTIL_STARTED = '"expression":"self.serviceWorker.state"';

/** Texts up to this length in the value of an expression are part of what Chromium confirms, in characters. */
const WORD_LENGTH = 24;

/** Objects deeper than this are of one shape. */
const DEPTH = 5;

/** What a transcript says, whatever order, ids and numbers it has. */
interface Summary {
  /** Shapes of the answers, by command. */
  commands: Map<string, Set<string>>;
  /** Shapes of the parameters, by event. */
  events: Map<string, Set<string>>;
}

/**
 * Where a Chromium of today (`live`) does not confirm a transcript: it was asked something else, answers in another shape, or an event does
 * not come, or has another shape. Not compared: the order of independent messages, how many there are of a kind, ids, numbers and long texts.
 */
export function differences(stored: Transcript, live: Transcript): string[] {
  const [then, now] = [summaryOf(stored), summaryOf(live)];
  return [
    ...missing(then.commands, now.commands).map((key) => `not asked any more: ${key}`),
    ...missing(now.commands, then.commands).map((key) => `not in the transcript: ${key}`),
    ...unlike('answer to', then.commands, now.commands),
    ...[...then.events.keys()]
      .filter((key) => !now.events.has(key) && !key.startsWith(END_OF_WORKER))
      .map((key) => `does not come any more: ${key}`),
    ...unlike('event', then.events, now.events),
    ...brokenPromises(live).map((promise) => `Chromium breaks a promise: ${promise}`),
  ];
}

/** The commands that are there alone, but those whose being asked depends on the machine. */
function missing(from: ReadonlyMap<string, unknown>, others: ReadonlyMap<string, unknown>): string[] {
  return [...from.keys()].filter((key) => !others.has(key) && !key.includes(UNTIL_STARTED));
}

/**
 * What a push builds on, and a transcript does not keep: a session begins with its attachment and ends with its detachment; the events of
 * existing targets come before the answer to the request for them, and so do those of the contexts of a page; a worker reports its scripts
 * before it is activated; and a restart closes the connections.
 */
export function brokenPromises({ entries }: Transcript): string[] {
  const broken: string[] = [];
  const begun = new Set<string>();
  const ended = new Set<string>();
  const parsed = new Set<string>();
  const withContexts = new Set<string>();
  const types = typesOf(entries);
  let hasTargets = false;
  let isRestarting = false;
  for (const entry of entries) {
    if ('mark' in entry) isRestarting = entry.mark === 'restart' && begun.size > 0;
    if ('opened' in entry) {
      if (isRestarting) broken.push('A restart closes the connections.');
      hasTargets = false;
    }
    if ('closed' in entry) isRestarting = false;
    if (!('answer' in entry) && !('event' in entry)) continue;
    const session = entry.on === undefined ? undefined : `${entry.via} ${entry.on}`;
    if (session !== undefined && !begun.has(session)) broken.push(`A session begins with its attachment: ${session}`);
    if (session !== undefined && ended.has(session)) broken.push(`A session ends with its detachment: ${session}`);
    if ('event' in entry) {
      const subject = `${entry.via} ${textOf(entry.params?.['sessionId'])}`;
      if (entry.event === 'Target.attachedToTarget') begun.add(subject);
      if (entry.event === 'Target.detachedFromTarget') ended.add(subject);
      if (entry.event === 'Target.targetCreated') hasTargets = true;
      if (session === undefined) continue;
      if (entry.event === 'Debugger.scriptParsed') parsed.add(session);
      if (entry.event === 'Runtime.executionContextCreated') withContexts.add(session);
      continue;
    }
    const { answer, result } = entry;
    if (answer === 'Target.setDiscoverTargets' && !hasTargets)
      broken.push('The events of existing targets come before the answer.');
    if (session === undefined) continue;
    const isPage = types.get(session) === 'page';
    if (answer === 'Runtime.enable' && isPage && !withContexts.has(session)) {
      broken.push('The events of the contexts of a page come before the answer.');
    }
    if (answer === 'Runtime.evaluate' && wordOf(result) === 'activated' && !parsed.has(session)) {
      broken.push('A worker tells its scripts before it is activated.');
    }
  }
  return broken;
}

/** The values of a transcript's commands and events that the same ones of another transcript never have. */
function unlike(
  what: string,
  then: ReadonlyMap<string, ReadonlySet<string>>,
  now: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  return [...then].flatMap(([key, shapes]) => {
    const others = now.get(key);
    if (!others || shapes.size === 0 || others.size === 0 || [...shapes].some((shape) => others.has(shape))) return [];
    return [`${what} ${key}:\n    ${[...shapes].join(' or ')}\n  is now ${[...others].join(' or ')}`];
  });
}

function summaryOf({ entries }: Transcript): Summary {
  const roles = rolesOf(entries);
  const commands = new Map<string, Set<string>>();
  const events = new Map<string, Set<string>>();
  /** Of each command, in the order in which answers count them. */
  const sent = new Map<string, string[]>();
  const roleOf = (via: string, on: string | undefined): string =>
    on === undefined ? 'the browser' : (roles.get(`${via} ${on}`) ?? 'a session');
  const note = (map: Map<string, Set<string>>, key: string, shape?: string): void => {
    const shapes = map.get(key) ?? new Set<string>();
    map.set(key, shape === undefined ? shapes : shapes.add(shape));
  };
  for (const entry of entries) {
    if ('send' in entry) {
      const { send, on, via, params = {} } = entry;
      const key = `${send} ${blurred(stableText(params))} to ${roleOf(via, on)}`;
      const counted = JSON.stringify([via, on, send]);
      sent.set(counted, [...(sent.get(counted) ?? []), key]);
      note(commands, key);
    } else if ('answer' in entry) {
      const { answer, nth, on, via, result, error } = entry;
      const key = sent.get(JSON.stringify([via, on, answer]))?.[nth - 1];
      if (key === undefined) continue;
      note(commands, key, error === undefined ? shapeOf(result ?? {}) : `error ${blurred(JSON.stringify(error))}`);
    } else if ('event' in entry && !PASSING.has(entry.event)) {
      const { event, on, via, params = {} } = entry;
      const target = params['targetInfo'];
      const subject = target !== undefined && isJsonObject(target) ? ` of a ${textOf(target['type'])}` : '';
      note(events, `${event}${subject} from ${roleOf(via, on)}`, shapeOf(params));
    } else if ('closed' in entry) {
      note(events, `the end of connection ${entry.closed}`);
    }
  }
  return { commands, events };
}

/** What each session is about: the type and the address of its target. */
function rolesOf(entries: readonly Entry[]): Map<string, string> {
  return sessionsOf(entries, (info) => `${textOf(info['type'])} ${blurred(textOf(info['url']))}`);
}

function typesOf(entries: readonly Entry[]): Map<string, string> {
  return sessionsOf(entries, (info) => textOf(info['type']));
}

function sessionsOf(entries: readonly Entry[], tell: (targetInfo: JsonObject) => string): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of entries) {
    if (!('event' in entry) || entry.event !== 'Target.attachedToTarget') continue;
    const info = entry.params?.['targetInfo'];
    const session = `${entry.via} ${textOf(entry.params?.['sessionId'])}`;
    if (info !== undefined && isJsonObject(info)) found.set(session, tell(info));
  }
  return found;
}

/** A text without what is numbered in the order of its appearance. */
function blurred(text: string): string {
  return text
    .replace(/\b(target|session|frame|loader|context|unique|object|debugger|request|guid|id)-\d+\b/g, '$1')
    .replace(/\b([a-p])\1{31}\b/g, 'extension')
    .replace(/"(entryId|contextId|windowId|tabId)":\d+/g, '"$1":0')
    .replace(/… #[0-9a-f]{8}/g, (digest) => digest);
}

/** The keys and the kinds of values, and the words that expressions have for value. */
function shapeOf(value: Json, depth = 0, key = ''): string {
  if (typeof value === 'string') return key === 'value' && value.length <= WORD_LENGTH ? `'${value}'` : 'text';
  if (Array.isArray(value)) {
    return `[${[...new Set(value.map((inner) => shapeOf(inner, depth + 1)))].sort().join('|')}]`;
  }
  if (!isJsonObject(value)) return value === null ? 'null' : typeof value;
  if (depth > DEPTH) return '{}';
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, inner]) => `${name}:${shapeOf(inner, depth + 1, name)}`).join(',')}}`;
}

function wordOf(result: Json | undefined): unknown {
  const inner = result !== undefined && isJsonObject(result) ? result['result'] : undefined;
  return inner !== undefined && isJsonObject(inner) ? inner['value'] : undefined;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
