import { isJsonObject, type Json, type JsonObject } from '../support/json';

/** Ids of targets, sessions, frames, loaders and browser contexts. */
const HEX_ID = /\b[0-9A-F]{32}\b/g;

/** Ids of extensions. */
const EXTENSION_ID = /\b[a-p]{32}\b/g;

/** Addresses of servers that tests start. */
const LOCAL_ADDRESS = /\b127\.0\.0\.1:\d+/g;

/** Ids of windows and tabs in the JSON that pages give and take, at any depth of quoting. */
const WINDOW_OR_TAB = /(windowId|tabId)(\\*"):(-?\d+)/g;

/** What the id of a target is called after, by the key that it is seen at first. */
const KINDS: Record<string, string> = {
  targetId: 'target',
  frameId: 'frame',
  parentFrameId: 'frame',
  id: 'frame',
  loaderId: 'loader',
  sessionId: 'session',
  browserContextId: 'context',
  openerId: 'target',
};

/** Keys whose values are numbered in the order of their first appearance. */
const NUMBERED: Record<string, string> = {
  uniqueId: 'unique',
  uniqueContextId: 'unique',
  objectId: 'object',
  guid: 'guid',
  debuggerId: 'debugger',
  requestId: 'request',
};

/** Keys whose values say when or by which process, which nobody reads. */
const MEANINGLESS = new Set(['timestamp', 'wallTime', 'pid', 'processId', 'scriptLastModified', 'scriptResponseTime']);

/** The ids by which Chromium's own extensions are known, which are the same everywhere. */
const KNOWN_EXTENSIONS = new Set(['mhjfbmdgcfjbbpaeojofohoefgiehjai']);

/** Makes what differs from one run of Chromium to the next the same: ids in the order of their appearance, ports, times. */
export class Normaliser {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** A value as it is stored. */
  value(value: Json, key = ''): Json {
    if (typeof value === 'string') return this.#string(value, key);
    if (typeof value === 'number') return this.#number(value, key);
    if (Array.isArray(value)) return value.map((inner) => this.value(inner, key));
    return isJsonObject(value) ? this.object(value) : value;
  }

  object(object: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, this.value(value, key)]));
  }

  #string(text: string, key: string): string {
    const kind = NUMBERED[key];
    if (kind !== undefined && text !== '') return this.#name(kind, text);
    return text
      .replace(HEX_ID, (id) => this.#name(KINDS[key] ?? 'id', id))
      .replace(EXTENSION_ID, (id) => (KNOWN_EXTENSIONS.has(id) ? id : this.#extension(id)))
      .replace(LOCAL_ADDRESS, (address) => `127.0.0.1:${1000 + this.#number(this.#count(address), '')}`)
      .replace(
        WINDOW_OR_TAB,
        (_all, name: string, quote: string, id: string) => `${name}${quote}:${this.#numberOf(name, id)}`,
      );
  }

  #number(value: number, key: string): number {
    if (MEANINGLESS.has(key)) return 1;
    return key === 'windowId' || key === 'tabId' ? this.#numberOf(key, String(value)) : value;
  }

  /** The number of an address among all of them, from 1. */
  #count(address: string): number {
    return this.#numberOf('address', address);
  }

  #numberOf(kind: string, value: string): number {
    return Number(this.#name(kind, `${kind} ${value}`).split('-').at(-1));
  }

  /** 32 times the same letter, from `a` on. */
  #extension(id: string): string {
    const number = Number(this.#name('extension', id).split('-').at(-1));
    return String.fromCharCode('a'.charCodeAt(0) + number - 1).repeat(32);
  }

  #name(kind: string, value: string): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const name = `${kind}-${count}`;
    this.#names.set(value, name);
    return name;
  }
}
