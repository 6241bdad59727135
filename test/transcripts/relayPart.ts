import { isJsonObject, type Json, type JsonObject } from '../support/json';
import { PUSH_PART } from './pushPart';
import type { StoredPart } from './recorder';
import { edited, type Transcript } from './transcript';

/** The events that a relay reads, or that a test of what it passes on counts. */
const READ = new Set([
  'Debugger.paused',
  'Debugger.resumed',
  'Debugger.scriptParsed',
  'Inspector.targetCrashed',
  'Inspector.targetReloadedAfterCrash',
  'Runtime.executionContextCreated',
  'Target.attachedToTarget',
  'Target.detachedFromTarget',
  'Target.targetCreated',
  'Target.targetDestroyed',
  'Target.targetInfoChanged',
]);

/** The fields of a call frame that are stored. */
const FRAME = ['functionName', 'functionLocation', 'location'];

/** What is stored of the connection of a relay. */
export const RELAY_PART: StoredPart = {
  ...PUSH_PART,
  reads: (event) => READ.has(event),
  trim: (name, value) => {
    if (name !== 'Debugger.paused') return PUSH_PART.trim(name, value);
    const { callFrames, reason = '' } = value;
    return { reason, callFrames: Array.isArray(callFrames) ? callFrames.map(framePart) : [] };
  },
  isPoll: () => false,
  isIncidental: () => false,
};

function framePart(frame: Json): JsonObject {
  const kept = isJsonObject(frame) ? Object.entries(frame).filter(([key]) => FRAME.includes(key)) : [];
  return Object.fromEntries(kept);
}

/** A transcript without the events of Chromium's own scripts, which are many. */
export function withoutChromiumsScripts(transcript: Transcript): Transcript {
  return edited(transcript, (entry) => {
    if (!('event' in entry) || entry.event !== 'Debugger.scriptParsed') return entry;
    const url = entry.params?.['url'];
    return typeof url === 'string' && url.startsWith('chrome-extension://') ? entry : undefined;
  });
}
