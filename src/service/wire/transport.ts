import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { isLoopback } from '../serviceAddress';
import { encodeBody, type EncodedBody, type UploadProgress } from './body';
import type { HttpRequest, HttpResponse } from './http';
import { chooseProxy, type ProxySettings } from './proxy';
import { ERROR_BYTES, receive } from './receive';

/** Sends requests over a pool of connections. It follows no redirects, since the token would be sent along. */
export class Transport {
  readonly #direct: Dispatcher;
  readonly #proxied: Dispatcher;

  /** @throws AddressError when the proxy in the settings or in the environment is not a valid URL. */
  constructor(settings: ProxySettings = {}) {
    const tls = { rejectUnauthorized: settings.strictSsl ?? true };
    // The signal of each operation has its time limit; those of undici would abort long uploads.
    const shared = { headersTimeout: 0, bodyTimeout: 0 };
    this.#direct = new Agent({ ...shared, connect: tls });
    this.#proxied = new EnvHttpProxyAgent({
      ...shared,
      ...chooseProxy(settings),
      connect: tls,
      requestTls: tls,
      proxyTls: tls,
      // A tunnel needs the method `connect`, which only undici's index adds to the pool of the proxy.
      clientFactory: (origin, options) => Object.assign(new Pool(origin, options), { connect }),
    });
  }

  /**
   * Sends a request once and receives the response, whatever its status. Rejects when the response is not received completely, unless it may break
   * off.
   * A service on this machine is reached without a proxy. Compressed bodies are not unpacked.
   * @throws AnswerTooLargeError
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
      body = Readable.from(withProgress(encoded, sent.onSent));
    }
    const response = await request.call(isLoopback(sent.url) ? this.#direct : this.#proxied, {
      origin: sent.url.origin,
      path: sent.url.pathname + sent.url.search,
      method: sent.method,
      headers,
      body,
      signal: sent.signal,
    });
    const { statusCode: status, body: received } = response;
    const answered = flatten(response.headers);
    const announced = answered['content-length'];
    const isError = status < 200 || status >= 300;
    const bytes = isError
      ? await receive(received, announced, ERROR_BYTES, 'cut')
      : await receive(received, announced, sent.maxBytes, 'reject', sent.mayBreakOff);
    sent.signal.throwIfAborted();
    return { status, headers: answered, bytes };
  }

  /** Closes all connections; pending requests fail. */
  async close(): Promise<void> {
    await Promise.all([this.#direct.destroy(), this.#proxied.destroy()]);
  }
}

/** The chunks of a body; each is reported when the connection requests the next one. */
async function* withProgress(
  body: EncodedBody,
  onSent: UploadProgress | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  let sent = 0;
  for await (const chunk of body.chunks()) {
    yield chunk;
    sent += chunk.byteLength;
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
