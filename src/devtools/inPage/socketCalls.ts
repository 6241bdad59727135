/** What a websocket's events have beside their type. */
interface SocketEventInit {
  data?: string | ArrayBuffer | Blob;
  origin?: string;
  code?: number;
  reason?: string;
  wasClean?: boolean;
}

/** An answer to a request of `fetch`, as far as it is read. */
interface Fetched {
  ok: boolean;
  arrayBuffer(): Promise<ArrayBuffer>;
}

type SocketClass = new (url: string | URL, protocols?: string | string[]) => object;

declare const self: {
  WebSocket: SocketClass;
  fetch(
    this: void,
    address: string,
    options: { method: string; body?: Uint8Array; cache: 'no-store' },
  ): Promise<Fetched>;
};
declare const location: { href: string };
declare const MessageEvent: new (type: string, init: SocketEventInit) => Event;
declare const CloseEvent: new (type: string, init: SocketEventInit) => Event;
declare const DOMException: new (message: string, name: string) => Error;

/**
 * In a page or worker, before its own code: websockets to `hosts` (`localhost:5173`) go as requests to `folder` (`/.sideload/NONCE`) on the same
 * host, which a bridge answers: to open one, to send, to close it, and one that waits for what comes. All others are as before. A second call
 * changes nothing. A body, and an answer, is any number of messages: a byte for its kind, its length in four bytes, and its content. Kinds: 1
 * text, 2 bytes, 3 the end (a code in two bytes, and the reason), 4 the beginning (the socket's id, a line feed, and the protocol).
 */
export function carrySockets(hosts: readonly string[], folder: string): void {
  const mark = `sideload ${folder}`;
  if (Reflect.has(self, mark)) return;
  Reflect.set(self, mark, true);
  const { WebSocket: Real, fetch: ask } = self;
  // In a list, so that no bundler adds a helper that keeps its name.
  const [Carried] = [
    class extends EventTarget {
      readonly CONNECTING = 0;
      readonly OPEN = 1;
      readonly CLOSING = 2;
      readonly CLOSED = 3;
      readonly extensions = '';
      binaryType: 'blob' | 'arraybuffer' = 'blob';
      readyState = 0;
      protocol = '';
      bufferedAmount = 0;
      readonly url: string;
      readonly #base: string;
      #id = '';
      /** What was sent, in its order, and goes with the next request. */
      #queue: Promise<Uint8Array>[] = [];
      #isSending = false;

      constructor(address: URL, protocols: readonly string[]) {
        super();
        this.url = address.href;
        this.#base = `http://${address.host}${folder}`;
        for (const type of ['open', 'message', 'error', 'close']) {
          // Of its own: that of the class before takes none but its own objects.
          Object.defineProperty(this, `on${type}`, { value: null, writable: true });
          this.addEventListener(type, (event) => {
            const handler: unknown = Reflect.get(this, `on${type}`);
            if (typeof handler === 'function') Reflect.apply(handler, this, [event]);
          });
        }
        void this.#open(protocols);
      }

      send(data: string | Blob | ArrayBuffer | ArrayBufferView): void {
        if (this.readyState === 0) throw new DOMException('Still in CONNECTING state.', 'InvalidStateError');
        if (this.readyState !== 1) return;
        if (data instanceof Blob) {
          this.bufferedAmount += data.size;
          this.#enqueue(data.arrayBuffer().then((bytes) => this.#message(2, new Uint8Array(bytes))));
          return;
        }
        const isText = typeof data === 'string';
        const bytes = isText
          ? new TextEncoder().encode(data)
          : ArrayBuffer.isView(data)
            ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
            : new Uint8Array(data);
        this.bufferedAmount += bytes.length;
        this.#enqueue(Promise.resolve(this.#message(isText ? 1 : 2, bytes.slice())));
      }

      close(code?: number, reason = ''): void {
        if (code !== undefined && code !== 1000 && !(code >= 3000 && code <= 4999)) {
          throw new DOMException(
            `The close code must be 1000, or between 3000 and 4999: ${code}`,
            'InvalidAccessError',
          );
        }
        const text = new TextEncoder().encode(reason);
        if (text.length > 123) throw new DOMException('The reason is longer than 123 bytes.', 'SyntaxError');
        if (this.readyState > 1) return;
        const wasOpen = this.readyState === 1;
        this.readyState = 2;
        if (!wasOpen) {
          this.#fail();
          return;
        }
        const content = new Uint8Array(2 + text.length);
        new DataView(content.buffer).setUint16(0, code ?? 1005);
        content.set(text, 2);
        this.#enqueue(Promise.resolve(this.#message(3, content)));
      }

      async #open(protocols: readonly string[]): Promise<void> {
        try {
          const query = [
            `url=${encodeURIComponent(this.url)}`,
            ...protocols.map((one) => `protocol=${encodeURIComponent(one)}`),
          ];
          this.#read(await this.#ask(`open?${query.join('&')}`, 'POST'));
          while (this.readyState === 1 || this.readyState === 2)
            this.#read(await this.#ask(`poll?id=${this.#id}`, 'GET'));
        } catch {
          this.#fail();
        }
      }

      #enqueue(message: Promise<Uint8Array>): void {
        this.#queue.push(message);
        if (!this.#isSending) void this.#send();
      }

      /** One request at a time, so that all arrives in its order. */
      async #send(): Promise<void> {
        this.#isSending = true;
        try {
          while (this.#queue.length > 0) {
            const messages = await Promise.all(this.#queue.splice(0));
            const body = new Uint8Array(messages.reduce((sum, { length }) => sum + length, 0));
            let end = 0;
            for (const message of messages) {
              body.set(message, end);
              end += message.length;
              this.bufferedAmount = Math.max(0, this.bufferedAmount - message.length + 5);
            }
            await this.#ask(`send?id=${this.#id}`, 'POST', body);
          }
        } catch {
          this.#fail();
        } finally {
          this.#isSending = false;
        }
      }

      async #ask(path: string, method: string, body?: Uint8Array): Promise<Uint8Array> {
        const options = { method, cache: 'no-store' as const, ...(body && { body }) };
        const answer = await ask(`${this.#base}/${path}`, options);
        if (!answer.ok) throw new Error(path);
        return new Uint8Array(await answer.arrayBuffer());
      }

      #message(kind: number, content: Uint8Array): Uint8Array {
        const message = new Uint8Array(5 + content.length);
        message[0] = kind;
        new DataView(message.buffer).setUint32(1, content.length);
        message.set(content, 5);
        return message;
      }

      #read(bytes: Uint8Array): void {
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        for (let at = 0; at + 5 <= bytes.length && this.readyState < 3;) {
          const content = bytes.slice(at + 5, at + 5 + view.getUint32(at + 1));
          this.#receive(view.getUint8(at), content);
          at += 5 + content.length;
        }
      }

      #receive(kind: number, content: Uint8Array): void {
        const text = kind === 2 ? '' : new TextDecoder().decode(kind === 3 ? content.subarray(2) : content);
        const origin = new URL(this.url).origin;
        if (kind === 4) {
          [this.#id = '', this.protocol = ''] = text.split('\n');
          this.readyState = 1;
          this.dispatchEvent(new Event('open'));
        } else if (kind === 3) {
          const code = content.length < 2 ? 1005 : new DataView(content.buffer).getUint16(0);
          this.#end(code, text, code !== 1006);
        } else if (this.readyState === 1) {
          const buffer = content.slice().buffer;
          const data = kind === 1 ? text : this.binaryType === 'blob' ? new Blob([buffer]) : buffer;
          this.dispatchEvent(new MessageEvent('message', { data, origin }));
        }
      }

      #fail(): void {
        if (this.readyState === 3) return;
        this.readyState = 3;
        this.dispatchEvent(new Event('error'));
        this.#end(1006, '', false);
      }

      #end(code: number, reason: string, wasClean: boolean): void {
        if (!wasClean && this.readyState !== 3) {
          this.#fail();
          return;
        }
        this.readyState = 3;
        this.dispatchEvent(new CloseEvent('close', { code, reason, wasClean }));
      }
    },
  ];
  // Code asks whether something is a WebSocket.
  const shown: unknown = Reflect.get(Real, 'prototype');
  if (typeof shown === 'object') Object.setPrototypeOf(Carried.prototype, shown);
  self.WebSocket = new Proxy(Real, {
    construct(target, args: unknown[], newTarget) {
      const [url, protocols = []] = args;
      // What is no address is for the browser to refuse.
      const address = URL.canParse(String(url), location.href) ? new URL(String(url), location.href) : undefined;
      if (address) address.protocol = address.protocol.replace('http', 'ws');
      if (address?.protocol !== 'ws:' || !hosts.includes(address.host))
        return Reflect.construct(target, args, newTarget) as object;
      return new Carried(address, [protocols].flat().map(String));
    },
  });
}
