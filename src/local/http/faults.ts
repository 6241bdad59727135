import { readFile, stat } from 'node:fs/promises';
import { messageOf } from '../errors';
import { isFields, optionalFlag, optionalInteger, optionalText, type Fields } from '../fields';

/**
 * One fault to provoke, an object in the list of the faults file. `operation`, `method` and `path` say which requests are
 * meant (all that are given must fit; none means every request); the rest says what happens to them.
 */
export interface Fault {
  /** Name of an operation, such as `uploadExtensionsToBrowser`. */
  operation?: string;
  method?: string;
  /** Path as requested, without the query; `*` stands for any characters. */
  path?: string;
  /** How often the fault strikes before it is used up; without it: every time. */
  times?: number;
  /** Wait before anything else, in milliseconds. */
  delayMs?: number;
  /** Answer with this status instead of doing the work. */
  status?: number;
  code?: string;
  message?: string;
  /** Seconds, sent as `Retry-After` with `status`. */
  retryAfter?: number;
  /** Do the work, then cut the connection instead of answering. */
  dropAfterCommit?: boolean;
}

/** What a fault is matched against. */
export interface FaultTarget {
  operation: string | undefined;
  method: string;
  path: string;
}

/** The faults file: read again whenever it changes, which also makes used-up faults fresh. A missing file has no faults. */
export class Faults {
  #stamp = '';
  #faults: { fault: Fault; left: number }[] = [];

  constructor(
    private readonly file: string | undefined,
    private readonly warn: (message: string) => void,
  ) {}

  /** The first fault that fits a request, counted as used; `undefined` when none does. */
  async next(target: FaultTarget): Promise<Fault | undefined> {
    if (this.file === undefined) return undefined;
    await this.#refresh(this.file);
    const found = this.#faults.find(({ fault, left }) => left > 0 && fits(fault, target));
    if (!found) return undefined;
    found.left -= 1;
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
      if (!Array.isArray(list) || !list.every(isFields)) throw new Error('it must be a JSON list of objects');
      this.#faults = list.map(decode).map((fault) => ({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }));
    } catch (error) {
      this.warn(`The faults file ${file} is not used: ${messageOf(error)}`);
    }
  }
}

function fits(fault: Fault, target: FaultTarget): boolean {
  if (fault.operation !== undefined && fault.operation !== target.operation) return false;
  if (fault.method !== undefined && fault.method.toUpperCase() !== target.method) return false;
  return fault.path === undefined || pattern(fault.path).test(target.path);
}

function pattern(path: string): RegExp {
  const escaped = path.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`);
}

function decode(fields: Fields): Fault {
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
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
