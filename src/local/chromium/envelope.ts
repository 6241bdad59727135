import { isJsonObject, type JsonObject } from '../requestFields';

/** What tells to whom a message of the browser belongs. */
export interface Envelope {
  /** Of a response: the id of its command. */
  id?: number;
  /** Of an event: its name. */
  method?: string;
  /** The session of the message; absent for the browser's own connection. */
  sessionId?: string;
}

/** Each message begins with its id or its method (C-MESSAGE-ORDER) … */
const HEAD = /^\{"(?:id":(\d{1,15})|method":"([\w.]{1,100})"),/;
/** … and ends it with its session. A text cannot look like this, since its quotation marks are escaped. */
const TAIL = /,"sessionId":"(\w{1,64})"\}$/;
const HEAD_BYTES = 128;
const TAIL_BYTES = 96;

/**
 * Reads whose message this is, without parsing the whole of it: a picture of the screen has megabytes. The members are in a fixed order
 * (C-MESSAGE-ORDER); a message in another order is parsed. Throws for what is not JSON.
 */
export function envelopeOf(frame: Buffer): Envelope {
  const head = HEAD.exec(frame.toString('latin1', 0, HEAD_BYTES));
  if (!head) return parsedEnvelope(frame);
  const sessionId = TAIL.exec(frame.toString('latin1', Math.max(0, frame.length - TAIL_BYTES)))?.[1];
  const [, id, method] = head;
  return {
    ...(id === undefined ? {} : { id: Number(id) }),
    ...(method === undefined ? {} : { method }),
    ...(sessionId === undefined ? {} : { sessionId }),
  };
}

function parsedEnvelope(frame: Buffer): Envelope {
  const { id, method, sessionId } = parsedFrame(frame);
  return {
    ...(typeof id === 'number' ? { id } : {}),
    ...(typeof method === 'string' ? { method } : {}),
    ...(typeof sessionId === 'string' ? { sessionId } : {}),
  };
}

/** The frame of a response with another id. */
export function withId(frame: Buffer, id: number, wanted: number): Buffer {
  const head = Buffer.from(`{"id":${id},`);
  if (!frame.subarray(0, head.length).equals(head)) return serialized({ ...parsedFrame(frame), id: wanted });
  return Buffer.concat([Buffer.from(`{"id":${wanted},`), frame.subarray(head.length)]);
}

/** The frame without its session. */
export function withoutSession(frame: Buffer, sessionId: string): Buffer {
  const end = frame.length - Buffer.byteLength(`,"sessionId":"${sessionId}"}`);
  if (!TAIL.test(frame.toString('latin1', end))) {
    const { sessionId: _removed, ...rest } = parsedFrame(frame);
    return serialized(rest);
  }
  return Buffer.concat([frame.subarray(0, end), Buffer.from('}')]);
}

/** The message in a frame of the browser, which is always an object. */
export function parsedFrame(frame: Buffer): JsonObject {
  const message: unknown = JSON.parse(frame.toString('utf8'));
  return isJsonObject(message) ? message : {};
}

/** A message as a frame. */
export function serialized(message: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(message));
}
