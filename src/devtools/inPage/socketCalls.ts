import type { ChannelClass, ChannelEventInit, ChannelGlobals, Receive } from './channelTypes';

declare const self: ChannelGlobals;
declare const location: { href: string };
declare const MessageEvent: new (type: string, init: ChannelEventInit) => Event;
declare const CloseEvent: new (type: string, init: ChannelEventInit) => Event;
declare const DOMException: new (message: string, name: string) => Error;

/**
 * In a page or worker, before its own code: websockets and event sources to `hosts` (`localhost:5173`) go as requests to `folder`
 * (`/.sideload/NONCE`) on the same host, which a bridge answers: to open one, to send, to close it, and one that waits for what comes. All others
 * are as before. A second call changes nothing. A body, and an answer, is any number of messages: a byte for its kind, its length in four bytes,
 * and its content. A request that fails since the line to the bridge is lost is made again for ten seconds, with how many messages were received, or
 * sent before it, so that none is lost and none comes twice. Kinds: 1 text, 2 bytes, 3 the end (a code in two bytes, and the reason), 4 the beginning (the id of the channel, a line feed,
 * and the protocol), 5 an event as JSON, 6 the pause before an event source connects again, in milliseconds.
 */
export function carrySockets(hosts: readonly string[], folder: string): void {
  const mark = `sideload ${folder}`;
  if (Reflect.has(self, mark)) return;
  Reflect.set(self, mark, true);
  const { WebSocket: RealSocket, EventSource: RealSource, fetch: ask } = self;
  /** Those that are open; a page that goes away closes them, since nobody reports to the bridge that a page is loaded again. */
  const open = new Set<{ leave(): void }>();
  self.addEventListener('pagehide', () => {
    for (const channel of open) channel.leave();
  });
  /** The requests of one channel, beside the object that code gives names of its own. In a list, as all below, so that no bundler adds a helper for names. */
  const [Line] = [
    class {
      /** The name of what is open, or is being opened; empty before. */
      id = '';
      /** How many messages have come, of those that were waited for. */
      received = 0;

      constructor(
        readonly host: string,
        readonly credentials: 'same-origin' | 'include',
      ) {
        open.add(this);
      }

      /** Reports to the bridge that nobody is here any more, also of what is not open yet. */
      leave(): void {
        open.delete(this);
        if (this.id !== '') void this.ask(`gone?id=${this.id}`, 'POST').catch(() => undefined);
      }

      /** Asks for a channel, by a name that the bridge knows before the answer has come. */
      open(path: string): Promise<Uint8Array> {
        this.id = `${Math.random()}-${Math.random()}`;
        return this.ask(`${path}&id=${this.id}`, 'POST');
      }

      async ask(path: string, method: string, body?: Uint8Array): Promise<Uint8Array> {
        const answer = await ask(`http://${this.host}${folder}/${path}`, {
          method,
          cache: 'no-store',
          credentials: this.credentials,
          keepalive: path.startsWith('gone'),
          ...(body && { body }),
        });
        if (!answer.ok) throw new Error(path);
        return new Uint8Array(await answer.arrayBuffer());
      }

      /** As `ask`, and again while the line is lost, which a bridge makes up for within ten seconds. */
      async askAgain(path: string, method: string, body?: Uint8Array): Promise<Uint8Array> {
        for (let end = 0; ;) {
          try {
            return await this.ask(path, method, body);
          } catch (error) {
            end ||= performance.now() + 10_000;
            if (!(error instanceof TypeError) || performance.now() > end) throw error;
            await new Promise((resolve) => setTimeout(resolve, 300));
          }
        }
      }

      /** Waits for what comes next, and calls `receive` as `read` does. */
      async next(receive: Receive): Promise<void> {
        const bytes = await this.askAgain(`poll?id=${this.id}&after=${this.received}`, 'GET');
        this.read(bytes, (kind, content) => {
          this.received += 1;
          return receive(kind, content);
        });
      }

      /** Calls `receive` for each message of an answer, until that says that it has had the last. */
      read(bytes: Uint8Array, receive: Receive): void {
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        for (let at = 0; at + 5 <= bytes.length;) {
          const content = bytes.slice(at + 5, at + 5 + view.getUint32(at + 1));
          if (!receive(view.getUint8(at), content)) return;
          at += 5 + content.length;
        }
      }
    },
  ];
  /** The objects of the classes below. Those have the prototype that code knows, or that of a class which extends it. */
  const carried = new WeakSet<object>();
  /** What both kinds have. */
  const [Channel] = [
    class extends EventTarget {
      readyState = 0;

      constructor(types: readonly string[]) {
        super();
        carried.add(this);
        for (const type of types) {
          // Of its own: that of the class before takes none but its own objects.
          Object.defineProperty(this, `on${type}`, { value: null, writable: true });
          this.addEventListener(type, (event) => {
            const handler: unknown = Reflect.get(this, `on${type}`);
            if (typeof handler === 'function') Reflect.apply(handler, this, [event]);
          });
        }
      }
    },
  ];
  const [Socket] = [
    class extends Channel {
      readonly extensions = '';
      binaryType: 'blob' | 'arraybuffer' = 'blob';
      protocol = '';
      bufferedAmount = 0;
      readonly url: string;
      readonly #line: InstanceType<typeof Line>;
      /** What was sent, in its order, and goes with the next request. */
      #queue: Promise<Uint8Array>[] = [];
      #isSending = false;
      #wasOpen = false;
      /** How many messages the bridge has received. */
      #sent = 0;

      constructor(address: URL, protocols: readonly string[]) {
        super(['open', 'message', 'error', 'close']);
        this.url = address.href;
        this.#line = new Line(address.host, 'same-origin');
        void this.#open(protocols);
      }

      send(data: unknown): void {
        if (this.readyState === 0) throw new DOMException('Still in CONNECTING state.', 'InvalidStateError');
        if (this.readyState !== 1) return;
        if (data instanceof Blob) {
          this.bufferedAmount += data.size;
          this.#enqueue(data.arrayBuffer().then((bytes) => this.#message(2, new Uint8Array(bytes))));
          return;
        }
        const isBuffer = Object.prototype.toString.call(data) === '[object ArrayBuffer]';
        const bytes = ArrayBuffer.isView(data)
          ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
          : isBuffer
            ? new Uint8Array(data as ArrayBuffer)
            : new TextEncoder().encode(String(data));
        this.bufferedAmount += bytes.length;
        this.#enqueue(Promise.resolve(this.#message(isBuffer || ArrayBuffer.isView(data) ? 2 : 1, bytes.slice())));
      }

      close(code?: number, reason = ''): void {
        if (code !== undefined && code !== 1000 && !(code >= 3000 && code <= 4999)) {
          throw new DOMException(`The code must be 1000, or between 3000 and 4999: ${code}`, 'InvalidAccessError');
        }
        const text = new TextEncoder().encode(reason);
        if (text.length > 123) throw new DOMException('The reason is longer than 123 bytes.', 'SyntaxError');
        if (this.readyState > 1) return;
        this.readyState = 2;
        if (!this.#wasOpen) {
          this.#line.leave();
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
          this.#line.read(await this.#line.open(`open?${query.join('&')}`), (kind, content) =>
            this.#receive(kind, content),
          );
          // Not by the bridge, but by a server that answers whatever it is asked.
          if (this.readyState === 0) this.#fail();
          while (this.#wasOpen && this.readyState < 3)
            await this.#line.next((kind, content) => this.#receive(kind, content));
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
            await this.#line.askAgain(`send?id=${this.#line.id}&after=${this.#sent}`, 'POST', body);
            this.#sent += messages.length;
          }
        } catch {
          this.#fail();
        } finally {
          this.#isSending = false;
        }
      }

      #message(kind: number, content: Uint8Array): Uint8Array {
        const message = new Uint8Array(5 + content.length);
        message[0] = kind;
        new DataView(message.buffer).setUint32(1, content.length);
        message.set(content, 5);
        return message;
      }

      #receive(kind: number, content: Uint8Array): boolean {
        const text = kind === 2 ? '' : new TextDecoder().decode(kind === 3 ? content.subarray(2) : content);
        if (kind === 4) {
          const [id = '', protocol = ''] = text.split('\n');
          this.#line.id = id;
          // Else it was closed before, and the bridge knows.
          if (this.readyState === 0) {
            this.protocol = protocol;
            this.readyState = 1;
            this.#wasOpen = true;
            this.dispatchEvent(new Event('open'));
          }
        } else if (kind === 3) {
          const code = content.length < 2 ? 1005 : new DataView(content.buffer).getUint16(0);
          this.#end(code, text, code !== 1006);
        } else if (this.readyState === 1) {
          const buffer = content.slice().buffer;
          const data = kind === 1 ? text : this.binaryType === 'blob' ? new Blob([buffer]) : buffer;
          this.dispatchEvent(new MessageEvent('message', { data, origin: new URL(this.url).origin }));
        }
        return this.readyState < 3;
      }

      /** In a task of its own, so that handlers are called which code sets after what it has done. Source: WebSockets Standard §4. */
      #fail(): void {
        setTimeout(() => this.#end(1006, '', false), 0);
      }

      /** One that never opened has an `error` first; one that is lost has not, as in Chromium (C-SOCKET-LOST). */
      #end(code: number, reason: string, wasClean: boolean): void {
        if (this.readyState === 3) return;
        this.readyState = 3;
        open.delete(this.#line);
        if (!this.#wasOpen) this.dispatchEvent(new Event('error'));
        this.dispatchEvent(new CloseEvent('close', { code, reason, wasClean }));
      }
    },
  ];
  const [Source] = [
    class extends Channel {
      readonly url: string;
      readonly #line: InstanceType<typeof Line>;
      #lastId = '';
      /** The pause before it connects again, in milliseconds: as in Chromium, until the server says another. */
      #retryMs = 3000;

      constructor(
        address: URL,
        readonly withCredentials: boolean,
      ) {
        super(['open', 'message', 'error']);
        this.url = address.href;
        this.#line = new Line(address.host, withCredentials ? 'include' : 'same-origin');
        void this.#listen(address);
      }

      close(): void {
        if (this.readyState === 2) return;
        this.readyState = 2;
        this.#line.leave();
      }

      async #listen(address: URL): Promise<void> {
        const url = new URL(address);
        url.hash = '';
        while (this.readyState < 2) {
          try {
            const last = this.#lastId === '' ? '' : `&last=${encodeURIComponent(this.#lastId)}`;
            this.#line.read(
              await this.#line.open(`events?url=${encodeURIComponent(url.href)}${last}`),
              (kind, content) => this.#receive(kind, content),
            );
            while (this.readyState === 1) await this.#line.next((kind, content) => this.#receive(kind, content));
          } catch {
            // The bridge has no longer such a channel, or there is no bridge: as if the connection was lost.
            this.#lose();
          }
          if (this.readyState < 2) await new Promise((resolve) => setTimeout(resolve, this.#retryMs));
        }
      }

      #receive(kind: number, content: Uint8Array): boolean {
        const text = new TextDecoder().decode(content);
        if (this.readyState === 2) return false;
        if (kind === 4) {
          [this.#line.id = ''] = text.split('\n');
          this.readyState = 1;
          this.dispatchEvent(new Event('open'));
        } else if (kind === 5) this.#dispatch(JSON.parse(text) as Required<ChannelEventInit> & { type: string });
        else if (kind === 6) this.#retryMs = Number(text);
        else if (new DataView(content.buffer).getUint16(0) === 1006) this.#lose();
        else {
          this.readyState = 2;
          open.delete(this.#line);
          this.dispatchEvent(new Event('error'));
        }
        return true;
      }

      #dispatch({ type, data, lastEventId }: Required<ChannelEventInit> & { type: string }): void {
        this.#lastId = lastEventId;
        if (type === '') return;
        const { origin } = new URL(this.url);
        this.dispatchEvent(new MessageEvent(type, { data, origin, lastEventId }));
      }

      #lose(): void {
        if (this.readyState === 2) return;
        this.#line.received = 0;
        this.#line.id = '';
        this.readyState = 0;
        this.dispatchEvent(new Event('error'));
      }
    },
  ];
  /** The address of a channel that is carried; undefined for one that is for the browser to open, or to refuse. */
  const [addressOf] = [
    (url: unknown, protocol: string): URL | undefined => {
      // oxlint-disable-next-line no-restricted-properties -- it is that of Chromium
      if (!URL.canParse(String(url), location.href)) return undefined;
      const address = new URL(String(url), location.href);
      if (protocol === 'ws:') address.protocol = address.protocol.replace('http', 'ws');
      return address.protocol === protocol && hosts.includes(address.host) ? address : undefined;
    },
  ];
  /** Has methods of `Real` take what is carried as well: code finds no others, also as those of `super`. */
  const [takeCarried] = [
    (Real: ChannelClass, Carried: { prototype: object }, names: readonly string[]) => {
      const shown = Reflect.get(Real, 'prototype') as object;
      for (const name of names) {
        const real: unknown = Reflect.get(shown, name);
        const own: unknown = Reflect.get(Carried.prototype, name);
        if (typeof real !== 'function' || typeof own !== 'function') continue;
        const either = new Proxy(real, {
          apply(target, on: object, args): unknown {
            return Reflect.apply(carried.has(on) ? own : target, on, args);
          },
        });
        Reflect.set(shown, name, either);
      }
    },
  ];
  takeCarried(RealSocket, Socket, ['send', 'close']);
  self.WebSocket = new Proxy(RealSocket, {
    construct(target, args: unknown[], newTarget) {
      const address = addressOf(args[0], 'ws:');
      const protocols = [args[1] ?? []].flat().map(String);
      // The browser throws for what no websocket may have. Source: WebSockets Standard §3.1.
      const isRight = protocols.every((one, at) => /^[\w!#$%&'*+.^`|~-]+$/.test(one) && protocols.indexOf(one) === at);
      if (!address || !isRight || address.hash !== '') return Reflect.construct(target, args, newTarget) as object;
      return Reflect.construct(Socket, [address, protocols], newTarget) as object;
    },
  });
  if (RealSource) {
    takeCarried(RealSource, Source, ['close']);
    self.EventSource = new Proxy(RealSource, {
      construct(target, args: unknown[], newTarget) {
        const address = addressOf(args[0], 'http:');
        if (!address) return Reflect.construct(target, args, newTarget) as object;
        const { withCredentials } = Object(args[1]) as { withCredentials?: unknown };
        return Reflect.construct(Source, [address, Boolean(withCredentials)], newTarget) as object;
      },
    });
  }
}
