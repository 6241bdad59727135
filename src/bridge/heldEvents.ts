import { textField } from '../base/fields';
import type { Answer } from './forward';
import { END, KIND, type SocketMessage } from './socketMessages';

/** The pause of an event source before it connects again, in milliseconds, of which its server has said nothing: as in Chromium. */
const RETRY_MS = 3000;

/**
 * The answer to the event source of a browser with what its channel has brought, after which the browser asks again: at once while the server's
 * stream goes on, after the pause of the server when that has ended, and never when there is no such stream.
 * `serverRetryMs`: the pause that the server has asked for.
 */
export function heldAnswer(
  messages: readonly SocketMessage[],
  headers: Answer['headers'],
  serverRetryMs = RETRY_MS,
): Answer {
  let retryMs = 1;
  const blocks: string[] = [];
  for (const { kind, content } of messages) {
    if (kind === KIND.event) blocks.push(blockOf(JSON.parse(content.toString())));
    else if (kind !== KIND.end) continue;
    else if (content.readUInt16BE() === END.lost) retryMs = serverRetryMs;
    // The status by which a server ends an event source.
    else return { status: 204, statusText: '', headers, body: Buffer.alloc(0) };
  }
  const body = Buffer.from([`retry: ${retryMs}\n\n`, ...blocks].join(''));
  return {
    status: 200,
    statusText: '',
    headers: [...headers, { name: 'content-type', value: 'text/event-stream' }],
    body,
  };
}

/** The last pause that a server has asked for in messages, in milliseconds; undefined for none. */
export function retryIn(messages: readonly SocketMessage[]): number | undefined {
  const last = messages.findLast(({ kind }) => kind === KIND.retry);
  return last && Number(last.content);
}

/** An event as text. Each names its id, since the browser begins a stream without one. */
function blockOf(event: unknown): string {
  const [type, data, id] = [textField(event, 'type'), textField(event, 'data'), textField(event, 'lastEventId')];
  if (type === '') return `id: ${id}\n\n`;
  const lines = data.split('\n').map((line) => `data: ${line}\n`);
  return `id: ${id}\nevent: ${type}\n${lines.join('')}\n`;
}
