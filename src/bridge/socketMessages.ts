import { randomUUID } from 'node:crypto';

/**
 * What carried code and the bridge say to each other, in bodies of any number of messages: a byte for the kind, the length of the content in
 * four bytes, the content. `carrySockets` in `devtools/inPage/` writes and reads the same. `end` has a code of {@link END} or of a websocket, and
 * the reason; `begin` the id of the channel, a line feed, and the protocol of a websocket; `event` a server-sent event as JSON; `retry` the
 * pause before an event source connects again, in milliseconds.
 */
export const KIND = { text: 1, bytes: 2, end: 3, begin: 4, event: 5, retry: 6 } as const;

/** Codes of ends: of a websocket without one, of a connection that was lost, of an event source that shall not connect again. Source: RFC 6455 §7.4.1. */
export const END = { noStatus: 1005, lost: 1006, final: 1000 } as const;

/** The length of a message without its content, in bytes. */
const HEAD = 5;

/** One message. */
export interface SocketMessage {
  readonly kind: number;
  readonly content: Buffer;
}

/** One message as bytes. */
export function messageBytes(kind: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  const head = Buffer.alloc(HEAD);
  head.writeUInt8(kind);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** The end of a channel: its code, and the reason. */
export function endBytes(code: number, reason: Buffer = Buffer.alloc(0)): Buffer {
  const content = Buffer.alloc(2);
  content.writeUInt16BE(code);
  return messageBytes(KIND.end, Buffer.concat([content, reason]));
}

/** Reads a body; what is cut off at its end is left out. */
export function messagesIn(body: Buffer): SocketMessage[] {
  const messages: SocketMessage[] = [];
  for (let at = 0; at + HEAD <= body.length;) {
    const end = at + HEAD + body.readUInt32BE(at + 1);
    if (end > body.length) break;
    messages.push({ kind: body.readUInt8(at), content: body.subarray(at + HEAD, end) });
    at = end;
  }
  return messages;
}

/** A folder for the requests of carried websockets, with a new secret. */
export function newFolder(): string {
  return `/.sideload/${randomUUID()}`;
}
