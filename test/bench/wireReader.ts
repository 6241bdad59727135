import type { Direction } from '../standins/slowNetwork';

/** An HTTP request or response, or a message of a websocket. */
export interface WireMessage {
  connection: number;
  direction: Direction;
  /** When its first byte was sent, or its last one arrived: milliseconds of `performance.now()`. */
  at: number;
  bytes: number;
  /** The first line and the headers, or the text of a message. */
  content: { head: string } | { text: string };
}

const HEAD_END = '\r\n\r\n';
/** Longest header of a frame: two bytes, a length of eight, a mask of four. */
const EXTENDED_16 = 126;
const EXTENDED_64 = 127;

/** Reads the messages in the bytes of one connection: HTTP/1.1, and text messages once it has become a websocket. */
export class WireReader {
  readonly #streams: Readonly<Record<Direction, MessageStream>>;
  #isWebSocket = false;

  constructor(connection: number, onMessage: (message: WireMessage) => void) {
    const isWebSocket = (): boolean => this.#isWebSocket;
    const stream = (direction: Direction): MessageStream =>
      new MessageStream(isWebSocket, (content, bytes, firstAt, lastAt) => {
        if ('head' in content && content.head.startsWith('HTTP/1.1 101')) this.#isWebSocket = true;
        onMessage({ connection, direction, at: direction === 'up' ? firstAt : lastAt, bytes, content });
      });
    this.#streams = { up: stream('up'), down: stream('down') };
  }

  /** Takes the next bytes of a direction. */
  read(direction: Direction, bytes: Buffer): void {
    this.#streams[direction].read(bytes);
  }
}

type OnMessage = (content: WireMessage['content'], bytes: number, firstAt: number, lastAt: number) => void;

/** The messages of one direction. */
class MessageStream {
  #buffer = Buffer.alloc(0);
  #firstAt = 0;
  /** Text of a message that comes in several frames. */
  #text = '';

  constructor(
    private readonly isWebSocket: () => boolean,
    private readonly onMessage: OnMessage,
  ) {}

  read(bytes: Buffer): void {
    if (this.#buffer.length === 0) this.#firstAt = performance.now();
    this.#buffer = Buffer.concat([this.#buffer, bytes]);
    while (this.#buffer.length > 0) {
      const length = this.isWebSocket() ? this.#frame() : this.#http();
      if (length === undefined) return;
      this.#buffer = this.#buffer.subarray(length);
      this.#firstAt = performance.now();
    }
  }

  /** Takes one message of HTTP; its length, or undefined when it is not complete. */
  #http(): number | undefined {
    const headEnd = this.#buffer.indexOf(HEAD_END);
    if (headEnd < 0) return undefined;
    const head = this.#buffer.subarray(0, headEnd).toString('latin1');
    const length = this.#bodyEnd(head, headEnd + HEAD_END.length);
    if (length === undefined || length > this.#buffer.length) return undefined;
    this.onMessage({ head }, length, this.#firstAt, performance.now());
    return length;
  }

  #bodyEnd(head: string, from: number): number | undefined {
    if (/\r\ntransfer-encoding: chunked/i.test(head)) {
      const end = this.#buffer.indexOf('0\r\n\r\n', from);
      return end < 0 ? undefined : end + 5;
    }
    return from + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  }

  /** Takes one frame (RFC 6455, section 5.2); its length, or undefined when it is not complete. */
  #frame(): number | undefined {
    const buffer = this.#buffer;
    if (buffer.length < 2) return undefined;
    const [first, second] = [buffer.readUInt8(0), buffer.readUInt8(1)];
    const code = second & 0x7f;
    const isMasked = (second & 0x80) !== 0;
    const maskAt = code === EXTENDED_16 ? 4 : code === EXTENDED_64 ? 10 : 2;
    const from = maskAt + (isMasked ? 4 : 0);
    if (buffer.length < from) return undefined;
    const size =
      code === EXTENDED_16 ? buffer.readUInt16BE(2) : code === EXTENDED_64 ? Number(buffer.readBigUInt64BE(2)) : code;
    if (buffer.length < from + size) return undefined;
    const payload = Buffer.from(buffer.subarray(from, from + size));
    if (isMasked) payload.forEach((byte, at) => (payload[at] = byte ^ buffer.readUInt8(maskAt + (at % 4))));
    const opcode = first & 0x0f;
    if (opcode <= 1) {
      this.#text += payload.toString('utf8');
      if ((first & 0x80) !== 0) {
        this.onMessage({ text: this.#text }, from + size, this.#firstAt, performance.now());
        this.#text = '';
      }
    }
    return from + size;
  }
}
