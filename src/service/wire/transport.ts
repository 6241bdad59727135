import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { isLoopback } from '../address';
import { encodeBody, type EncodedBody, type UploadProgress } from './body';
import type { HttpRequest, HttpResponse } from './http';
import { chooseProxy, type ProxySettings } from './proxy';

/** Sends requests over a pool of connections. No redirects are followed: the token would go along. */
export class Transport {
  readonly #direct: Dispatcher;
  readonly #proxied: Dispatcher;

  /** @throws AddressError when the settings or the environment name a proxy that is not an address. */
  constructor(settings: ProxySettings = {}) {
    const tls = { rejectUnauthorized: settings.strictSsl ?? true };
    // Time limits are set per operation through the signal; undici's own would cut a long upload in half.
    const shared = { headersTimeout: 0, bodyTimeout: 0 };
    this.#direct = new Agent(shared);
    this.#proxied = new EnvHttpProxyAgent({
      ...shared,
      ...chooseProxy(settings),
      connect: tls,
      requestTls: tls,
      proxyTls: tls,
      // A tunnel is opened by the method `connect`, which only undici's index would give to the pool of the proxy.
      clientFactory: (origin, options) => Object.assign(new Pool(origin, options), { connect }),
    });
  }

  /**
   * Sends `sent` once and reads the whole answer. Rejects when there is no whole answer; any status is an answer.
   * A service on this machine is reached directly, whatever proxy is set.
   */
  async send(sent: HttpRequest): Promise<HttpResponse> {
    const headers = { ...sent.headers };
    let body: string | Readable | null = null;
    if (sent.body?.kind === 'json') {
      headers['content-type'] = 'application/json';
      body = JSON.stringify(sent.body.value);
    } else if (sent.body) {
      const encoded = encodeBody(sent.body);
      headers['content-type'] = encoded.contentType;
      headers['content-length'] = String(encoded.length);
      body = Readable.from(counted(encoded, sent.onSent));
    }
    const response = await request.call(isLoopback(sent.url) ? this.#direct : this.#proxied, {
      origin: sent.url.origin,
      path: sent.url.pathname + sent.url.search,
      method: sent.method,
      headers,
      body,
      signal: sent.signal,
    });
    const bytes = new Uint8Array(await response.body.arrayBuffer());
    return { status: response.statusCode, headers: flatten(response.headers), bytes };
  }

  /** Ends open connections; requests under way fail. */
  async close(): Promise<void> {
    await Promise.all([this.#direct.destroy(), this.#proxied.destroy()]);
  }
}

/** The pieces of a body; each counts when the connection asks for the next. */
async function* counted(
  body: EncodedBody,
  onSent: UploadProgress | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  let sent = 0;
  for await (const piece of body.pieces()) {
    yield piece;
    sent += piece.byteLength;
    onSent?.(sent, body.length);
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
