import { WebSocket } from 'ws';
import type { Channel, ChannelEnd } from './channel';
import { isRefused, portOf } from './forward';
import { END, endBytes, KIND, messageBytes } from './socketMessages';

/** The longest message, in bytes. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Opens a websocket to a server of this machine, whose address the caller has checked; `host` is connected to in place of the one in the address. */
export function openWebSocket(
  url: URL,
  { protocols, host, cookie }: { protocols: string[]; host: string; cookie: string | undefined },
  end: ChannelEnd,
): Channel {
  const target = `ws://${host}:${portOf(url)}${url.pathname}${url.search}`;
  const socket = new WebSocket(target, protocols, {
    headers: { host: url.host, ...(cookie !== undefined && { cookie }) },
    origin: `http://${url.host}`,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  socket.on('message', (data: Buffer | ArrayBuffer | Buffer[], isBinary) => {
    end.hand(messageBytes(isBinary ? KIND.bytes : KIND.text, bufferOf(data)));
  });
  socket.once('open', () => {
    end.begin(socket.protocol);
  });
  socket.once('close', (code, reason) => {
    end.end(endBytes(code, reason));
  });
  // It is followed by the end.
  socket.on('error', (error) => {
    if (isRefused(error)) end.refuse();
  });
  return {
    receive: ({ kind, content }) => {
      if (kind === KIND.end) close(socket, content);
      else if (socket.readyState === WebSocket.OPEN) socket.send(content, { binary: kind === KIND.bytes });
    },
    terminate: () => {
      socket.terminate();
    },
  };
}

function close(socket: WebSocket, content: Buffer): void {
  const code = content.length < 2 ? END.noStatus : content.readUInt16BE();
  if (code === END.noStatus) socket.close();
  else socket.close(code, content.subarray(2));
}

function bufferOf(data: Buffer | ArrayBuffer | Buffer[]): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
