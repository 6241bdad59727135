import Agent from 'undici/lib/dispatcher/agent.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import request from 'undici/lib/api/api-request.js';
import { FormData } from 'undici/lib/web/fetch/formdata.js';
import { File } from 'node:buffer';
import type { Dispatcher } from 'undici';
import { isLoopback } from './address';

/** One part of a multipart body, in the order of sending. A part with `fileName` is a file. */
export type Part =
  { name: string; value: string } | { name: string; fileName: string; bytes: Uint8Array; contentType?: string };

export type Body =
  | { kind: 'json'; value: unknown }
  | { kind: 'multipart'; parts: readonly Part[] }
  | { kind: 'bytes'; bytes: Uint8Array };

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute address, with query. */
  url: URL;
  headers: Record<string, string>;
  body?: Body;
  signal: AbortSignal;
}

export interface HttpResponse {
  status: number;
  /** Names in lower case; a repeated header is joined with a comma. */
  headers: Record<string, string>;
  bytes: Uint8Array;
}

/** Proxy of the machine or of VS Code; empty fields mean none beyond the usual environment variables. */
export interface ProxySettings {
  proxy?: string;
  noProxy?: readonly string[];
  /** False accepts any certificate (VS Code's `http.proxyStrictSSL`). */
  strictSsl?: boolean;
}

/** Sends requests over a pool of connections. No redirects are followed: the token would go along. */
export class Transport {
  readonly #direct: Dispatcher;
  readonly #proxied: Dispatcher;

  constructor(settings: ProxySettings = {}) {
    const tls = { rejectUnauthorized: settings.strictSsl ?? true };
    // Time limits are set per operation through the signal; undici's own would cut a long upload in half.
    const shared = { headersTimeout: 0, bodyTimeout: 0 };
    this.#direct = new Agent(shared);
    this.#proxied = new EnvHttpProxyAgent({
      ...shared,
      connect: tls,
      requestTls: tls,
      ...(settings.proxy ? { httpProxy: settings.proxy, httpsProxy: settings.proxy } : {}),
      ...(settings.noProxy?.length ? { noProxy: settings.noProxy.join(',') } : {}),
    });
  }

  /** Sends `sent` and reads the whole answer. Rejects when there is no whole answer; any status is an answer. */
  async send(sent: HttpRequest): Promise<HttpResponse> {
    const dispatcher = isLoopback(sent.url) ? this.#direct : this.#proxied;
    const headers = { ...sent.headers };
    let body: string | Uint8Array | FormData | null = null;
    switch (sent.body?.kind) {
      case 'json':
        headers['content-type'] = 'application/json';
        body = JSON.stringify(sent.body.value);
        break;
      case 'multipart':
        body = formOf(sent.body.parts);
        break;
      case 'bytes':
        headers['content-type'] = 'application/octet-stream';
        body = sent.body.bytes;
        break;
      case undefined:
        break;
    }
    const response = await request.call(dispatcher, {
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

function formOf(parts: readonly Part[]): FormData {
  const form = new FormData();
  for (const part of parts) {
    if ('fileName' in part) {
      form.append(
        part.name,
        new File([part.bytes], part.fileName, { type: part.contentType ?? 'application/octet-stream' }),
      );
    } else {
      form.append(part.name, part.value);
    }
  }
  return form;
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
