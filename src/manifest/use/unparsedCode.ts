import { isApiPair } from './apiTable';
import type { ApiSpot, CodeFacts, HiddenWay, Spot } from './codeFacts';

/** The API and two names, or two names of it in a bundle. */
const PAIR = /\b([a-zA-Z]\w*)\s*\??\.\s*([a-zA-Z]\w*)/g;

/** Reads a text that was not parsed: names of the API are found, and nothing else is known. */
export function readUnparsed(text: string): CodeFacts {
  const api = new Map<string, ApiSpot>();
  for (const { 0: found, 1: namespace = '', 2: member = '', index } of text.matchAll(PAIR)) {
    const path = `${namespace}.${member}`;
    if (isApiPair(namespace, member) && !api.has(path))
      api.set(path, { start: index, end: index + found.length, isSure: false });
  }
  const hidden = new Map<HiddenWay, Spot>([['unread', { start: 0, end: 0 }]]);
  return {
    api,
    marks: new Map(),
    hidden,
    exportsApi: new Set(),
    open: new Map(),
    remote: [],
    addresses: new Map(),
    files: new Set(),
  };
}
