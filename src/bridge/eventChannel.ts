import type { IncomingMessage } from 'node:http';
import { type Clock, realClock } from '../base/clock';
import { urlOf } from '../base/url';
import type { Channel, ChannelEnd } from './channel';
import { EventStreamReader } from './eventStream';
import { ANSWER_LIMIT_MS, type ForwardOptions, isRefused, openRequest } from './forward';
import { headerBytes, type PausedRequest } from './pausedRequest';
import { END, endBytes, KIND, messageBytes } from './socketMessages';

/** How many redirects are followed. */
const MAX_REDIRECTS = 5;

const EVENT_STREAM = /^text\/event-stream\s*(?:;|$)/i;

export interface EventChannelOptions extends ForwardOptions {
  clock?: Clock;
  /** The hosts that it may lead to, as `localhost:5173`. */
  hosts: () => ReadonlySet<string>;
}

/**
 * Listens to the server-sent events of a server of this machine for a page whose `request` has asked for it: with its cookies, and after the
 * event `lastId`. `end` says whether the page shall connect again, as an event source does by itself: not after a status or a type that is none
 * of a stream. Source: HTML Standard §9.2.3.
 */
export function openEventSource(
  url: URL,
  { request, lastId }: { request: PausedRequest; lastId: string },
  options: EventChannelOptions,
  end: ChannelEnd,
): Channel {
  const abort = new AbortController();
  void listen(askFor(url, request, lastId), lastId, options, end, abort).catch((error: unknown) => {
    if (isRefused(error)) end.refuse();
    end.end(endBytes(END.lost));
  });
  const terminate = (): void => {
    abort.abort();
  };
  return {
    receive: ({ kind }) => {
      if (kind === KIND.end) terminate();
    },
    terminate,
  };
}

async function listen(
  request: PausedRequest,
  lastId: string,
  options: EventChannelOptions,
  end: ChannelEnd,
  abort: AbortController,
): Promise<void> {
  const { clock = realClock, answerLimitMs = ANSWER_LIMIT_MS } = options;
  const limit = clock.after(answerLimitMs, () => {
    abort.abort();
  });
  limit.unref();
  const answer = await answerTo(request, options, abort.signal).finally(() => {
    limit.clear();
  });
  if (answer?.statusCode !== 200 || !EVENT_STREAM.test(answer.headers['content-type'] ?? '')) {
    abort.abort();
    end.end(endBytes(END.final));
    return;
  }
  end.begin('');
  const reader = new EventStreamReader(lastId);
  for await (const chunk of answer) {
    if (!Buffer.isBuffer(chunk)) continue;
    for (const item of reader.push(chunk)) {
      end.hand(
        'retryMs' in item
          ? messageBytes(KIND.retry, String(item.retryMs))
          : messageBytes(KIND.event, JSON.stringify(item)),
      );
    }
  }
  end.end(endBytes(END.lost));
}

/** The answer after redirects; undefined when those lead elsewhere. */
async function answerTo(
  request: PausedRequest,
  { hosts, host }: EventChannelOptions,
  signal: AbortSignal,
): Promise<IncomingMessage | undefined> {
  for (let asked = request, time = 0; time <= MAX_REDIRECTS; time++) {
    const answer = await openRequest(asked, signal, { host });
    // Its bytes are those of the address, as browsers read it.
    const location = answer.headers.location?.replace(
      /[\u0080-\u00ff]/g,
      (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`,
    );
    if (!/^30[12378]$/.test(String(answer.statusCode)) || location === undefined) return answer;
    answer.resume();
    const next = urlOf(location, asked.url);
    if (next?.protocol !== 'http:' || !hosts().has(next.host)) return undefined;
    asked = { ...asked, url: next };
  }
  return undefined;
}

/** The request that a browser would make for it. */
function askFor(url: URL, request: PausedRequest, lastId: string): PausedRequest {
  const headers = new Map([...request.headers].filter(([name]) => !name.startsWith('content-')));
  // Browsers send no origin to their own.
  if (headers.get('origin') === url.origin) headers.delete('origin');
  headers.set('accept', 'text/event-stream').set('cache-control', 'no-cache');
  if (lastId !== '') headers.set('last-event-id', headerBytes(lastId));
  return { ...request, method: 'GET', url, headers, body: undefined };
}
