import type { FastifyInstance } from 'fastify';
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, messageOf } from '../../../src/local/httpErrors';
import {
  isJsonObject,
  optionalFlag,
  optionalInteger,
  optionalText,
  type JsonObject,
} from '../../../src/local/requestFields';

/**
 * One fault to inject, an object in the list of the faults file. `operation`, `method` and `path` select requests (all given ones must match;
 * without them, every request does); the other fields describe the fault.
 */
export interface Fault {
  /** Name of an operation, such as `uploadExtensionsToBrowser`. */
  operation?: string;
  method?: string;
  /** Path as requested, without the query; `*` stands for any characters. */
  path?: string;
  /** How many times the fault is injected; every time by default. */
  times?: number;
  /** Delay before the request is processed, in milliseconds. */
  delayMs?: number;
  /** Respond with this status instead of processing the request. */
  status?: number;
  code?: string;
  message?: string;
  /** Seconds, sent as `Retry-After` with `status`. */
  retryAfter?: number;
  /** Process the request, then close the connection instead of responding. */
  dropAfterCommit?: boolean;
}

/** The properties of a request that faults are matched against. */
export interface FaultTarget {
  operation: string | undefined;
  method: string;
  path: string;
}

/** The faults file. It is read again when it changes, which also resets `times`. A missing file means no faults. */
export class Faults {
  #stamp = '';
  #faults: { fault: Fault; remaining: number }[] = [];

  constructor(
    private readonly file: string | undefined,
    private readonly warn: (message: string) => void,
  ) {}

  /** The first fault that matches a request, counted in `times`; `undefined` when none does. */
  async next(target: FaultTarget): Promise<Fault | undefined> {
    if (this.file === undefined) return undefined;
    await this.#refresh(this.file);
    const found = this.#faults.find(({ fault, remaining }) => remaining > 0 && matches(fault, target));
    if (!found) return undefined;
    found.remaining -= 1;
    return found.fault;
  }

  async #refresh(file: string): Promise<void> {
    const state = await stat(file).catch(() => undefined);
    const stamp = state ? `${state.mtimeMs} ${state.size} ${state.ino}` : '';
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#faults = [];
    if (!state) return;
    try {
      const list: unknown = JSON.parse(await readFile(file, 'utf8'));
      if (!Array.isArray(list) || !list.every(isJsonObject)) throw new Error('it must be a JSON list of objects');
      this.#faults = list.map(decode).map((fault) => ({ fault, remaining: fault.times ?? Number.POSITIVE_INFINITY }));
    } catch (error) {
      this.warn(`The faults file ${file} is ignored: ${messageOf(error)}`);
    }
  }
}

function matches(fault: Fault, target: FaultTarget): boolean {
  if (fault.operation !== undefined && fault.operation !== target.operation) return false;
  if (fault.method !== undefined && fault.method.toUpperCase() !== target.method) return false;
  return fault.path === undefined || pattern(fault.path).test(target.path);
}

function pattern(path: string): RegExp {
  const escaped = path.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`);
}

function decode(fields: JsonObject): Fault {
  const entries: [string, unknown][] = [
    ['operation', optionalText(fields, 'operation')],
    ['method', optionalText(fields, 'method')],
    ['path', optionalText(fields, 'path')],
    ['times', optionalInteger(fields, 'times')],
    ['delayMs', optionalInteger(fields, 'delayMs')],
    ['status', optionalInteger(fields, 'status')],
    ['code', optionalText(fields, 'code')],
    ['message', optionalText(fields, 'message')],
    ['retryAfter', optionalInteger(fields, 'retryAfter')],
    ['dropAfterCommit', optionalFlag(fields, 'dropAfterCommit')],
  ];
  const unknown = Object.keys(fields).find((name) => !entries.some(([known]) => known === name));
  if (unknown !== undefined) throw new Error(`it has the unknown field "${unknown}"`);
  const operation = optionalText(fields, 'operation');
  if (operation !== undefined && !Object.values(OPERATIONS).some((known) => known === operation)) {
    throw new Error(`OPERATIONS lacks "${operation}"`);
  }
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

declare module 'fastify' {
  interface FastifyRequest {
    fault: Fault | undefined;
  }
}

/** Method and route of the operations that faults name. */
const OPERATIONS: Readonly<Record<string, string>> = {
  'GET /browsers': 'listBrowsers',
  'POST /browsers': 'createBrowser',
  'GET /browsers/:id': 'getBrowser',
  'POST /browsers/:id/extensions': 'uploadExtensionsToBrowser',
  'GET /browsers/:id/fs/list_files': 'listFiles',
  'PUT /browsers/:id/fs/delete_directory': 'deleteDirectory',
  'PUT /browsers/:id/fs/move': 'move',
  'POST /browsers/:id/fs/upload_zip': 'uploadZip',
  'POST /browsers/:id/computer/batch': 'runBatch',
  'POST /browsers/:id/computer/screenshot': 'screenshot',
  'GET /profiles': 'listProfiles',
  'DELETE /profiles/:id': 'deleteProfile',
  'POST /extensions': 'uploadExtension',
  'GET /extensions/:id': 'downloadExtension',
};

/** Has a service answer requests as its faults file says. */
export function injectFaults(app: FastifyInstance, faults: Faults): void {
  app.decorateRequest('fault', undefined);
  app.addHook('onRequest', async (request) => {
    const operation = OPERATIONS[`${request.method} ${request.routeOptions.url ?? ''}`];
    const [path = ''] = request.url.split('?');
    const fault = await faults.next({ operation, method: request.method, path });
    if (!fault) return;
    request.fault = fault;
    if (fault.delayMs !== undefined) await delay(fault.delayMs);
    if (fault.status !== undefined) {
      const code = fault.code ?? 'provoked_fault';
      throw new ApiError(fault.status, code, fault.message ?? 'An injected fault.', [], fault.retryAfter);
    }
  });
  app.addHook('onSend', async (request, _reply, payload) => {
    if (request.fault?.dropAfterCommit) request.raw.socket.destroy();
    return Promise.resolve(payload);
  });
}
