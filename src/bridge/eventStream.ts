/** One server-sent event. Without a type it only sets the last event id, and is not dispatched. */
export interface ServerEvent {
  readonly type: string;
  readonly data: string;
  readonly lastEventId: string;
}

/** What a stream says: an event, or how long to wait before connecting again, in milliseconds. */
export type StreamItem = ServerEvent | { readonly retryMs: number };

/** The longest event, in characters. */
const MAX_EVENT_LENGTH = 32 * 1024 * 1024;

/** Reads a `text/event-stream` as its bytes come. Source: HTML Standard §9.2.6. */
export class EventStreamReader {
  readonly #decoder = new TextDecoder();
  /** The beginning of a line. */
  #rest = '';
  #isAfterReturn = false;
  #data: string[] = [];
  #length = 0;
  #type = '';
  #lastId: string;
  /** Whether an id has come for which there is no event yet. */
  #hasId = false;

  /** `lastId`: the id of the last event before this stream. */
  constructor(lastId = '') {
    this.#lastId = lastId;
  }

  /**
   * What is complete with these bytes.
   * @throws RangeError for an event that is too long
   */
  push(bytes: Uint8Array): StreamItem[] {
    let text = this.#decoder.decode(bytes, { stream: true });
    if (text === '') return [];
    // A line feed may come later than the carriage return that it belongs to.
    if (this.#isAfterReturn && text.startsWith('\n')) text = text.slice(1);
    this.#isAfterReturn = text === '' ? false : text.endsWith('\r');
    const lines = text.split(/\r\n|\r|\n/);
    lines[0] = this.#rest + (lines[0] ?? '');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length + this.#length > MAX_EVENT_LENGTH) throw new RangeError('An event is too long.');
    return lines.flatMap((line) => this.#read(line) ?? []);
  }

  #read(line: string): StreamItem | undefined {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') {
      this.#data.push(value);
      this.#length += value.length;
    } else if (name === 'event') this.#type = value;
    else if (name === 'id' && !value.includes('\0')) {
      this.#lastId = value;
      this.#hasId = true;
    } else if (name === 'retry' && /^\d{1,9}$/.test(value)) return { retryMs: Number(value) };
    return undefined;
  }

  #dispatch(): ServerEvent | undefined {
    const [data, type, hasId, lastEventId] = [this.#data, this.#type, this.#hasId, this.#lastId];
    this.#data = [];
    this.#length = 0;
    this.#type = '';
    this.#hasId = false;
    if (data.length === 0) return hasId ? { type: '', data: '', lastEventId } : undefined;
    return { type: type === '' ? 'message' : type, data: data.join('\n'), lastEventId };
  }
}
