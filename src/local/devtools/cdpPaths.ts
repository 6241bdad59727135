import { EXTENSIONS_ROOT } from '../../service/model';
import { isFields, type Fields } from '../fields';
import type { Jail } from '../files/jail';

/**
 * Translates folder names in DevTools frames between a client, who knows only the paths of the service's machines, and
 * the browser on this machine. Only the `Extensions` domain speaks of folders; every other frame passes as it is,
 * without being parsed. One instance per connection: it remembers which answers to look at.
 */
export class CdpPaths {
  readonly #pending = new Set<number>();

  constructor(private readonly jail: Jail) {}

  /** A frame on its way to the browser. */
  toBrowser(frame: string): string {
    if (!frame.includes('Extensions.')) return frame;
    const message = parse(frame);
    if (typeof message?.['method'] !== 'string' || !message['method'].startsWith('Extensions.')) return frame;
    if (typeof message['id'] === 'number') this.#pending.add(message['id']);
    const params = message['params'];
    if (message['method'] !== 'Extensions.loadUnpacked' || !isFields(params)) return frame;
    const { path } = params;
    if (typeof path !== 'string' || !isServicePath(path)) return frame;
    return JSON.stringify({ ...message, params: { ...params, path: this.jail.real(path) } });
  }

  /** A frame on its way to the client. */
  toClient(frame: string): string {
    if (this.#pending.size === 0) return frame;
    const id = Number(ANSWER_ID.exec(frame)?.[1] ?? Number.NaN);
    if (!this.#pending.delete(id)) return frame;
    const message = parse(frame);
    return message ? JSON.stringify(this.#rewrite(message)) : frame;
  }

  #rewrite(value: unknown): unknown {
    if (typeof value === 'string') return this.jail.clientText(value);
    if (Array.isArray(value)) return value.map((item: unknown) => this.#rewrite(item));
    if (!isFields(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#rewrite(item)]));
  }
}

/** Chromium begins every answer with its id. */
const ANSWER_ID = /^\s*\{"id":(\d{1,15})[,}]/;

function isServicePath(path: string): boolean {
  return path === EXTENSIONS_ROOT || path.startsWith(`${EXTENSIONS_ROOT}/`);
}

function parse(frame: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(frame);
    return isFields(value) ? value : undefined;
  } catch {
    // Not ours to judge: the browser answers broken frames itself.
    return undefined;
  }
}
