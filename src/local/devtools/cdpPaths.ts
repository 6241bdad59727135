import { EXTENSIONS_ROOT } from '../../service/model';
import { isJsonObject, type JsonObject } from '../fields';
import type { Jail } from '../files/jail';

/**
 * Translates paths in DevTools frames between a client, which uses the paths of the service's machines, and the browser on this machine. Only
 * the `Extensions` domain has paths; all other frames pass unparsed. There is one instance per connection, since it remembers which
 * responses to translate.
 */
export class CdpPaths {
  readonly #pending = new Set<number>();

  constructor(private readonly jail: Jail) {}

  /** Translates a frame from the client. */
  toBrowser(frame: string): string {
    if (!frame.includes('Extensions.')) return frame;
    const message = parse(frame);
    if (typeof message?.['method'] !== 'string' || !message['method'].startsWith('Extensions.')) return frame;
    if (typeof message['id'] === 'number') this.#pending.add(message['id']);
    const params = message['params'];
    if (message['method'] !== 'Extensions.loadUnpacked' || !isJsonObject(params)) return frame;
    const { path } = params;
    if (typeof path !== 'string' || !isServicePath(path)) return frame;
    return JSON.stringify({ ...message, params: { ...params, path: this.jail.real(path) } });
  }

  /** Translates a frame from the browser. */
  toClient(frame: string): string {
    if (this.#pending.size === 0) return frame;
    const id = Number(RESPONSE_ID.exec(frame)?.[1] ?? Number.NaN);
    if (!this.#pending.delete(id)) return frame;
    const message = parse(frame);
    return message ? JSON.stringify(this.#rewrite(message)) : frame;
  }

  #rewrite(value: unknown): unknown {
    if (typeof value === 'string') return this.jail.clientText(value);
    if (Array.isArray(value)) return value.map((item: unknown) => this.#rewrite(item));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#rewrite(item)]));
  }
}

/** Every response of Chromium begins with its id. */
const RESPONSE_ID = /^\s*\{"id":(\d{1,15})[,}]/;

function isServicePath(path: string): boolean {
  return path === EXTENSIONS_ROOT || path.startsWith(`${EXTENSIONS_ROOT}/`);
}

function parse(frame: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(frame);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // The browser itself responds to broken frames.
    return undefined;
  }
}
