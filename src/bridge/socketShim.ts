import { LOOPBACK_HOSTS } from '../base/loopback';
import { carryInBlobWorkers } from '../devtools/inPage/blobWorkerCalls';
import { carrySockets } from '../devtools/inPage/socketCalls';
import { callOf } from '../devtools/protocol/pageCall';

/** What names websockets or event sources. */
const NAMES = /\b(?:WebSocket|EventSource)\b/;

/** What only counts at the beginning of a script, a hashbang and directives, with comments between them. */
const DIRECTIVES =
  /^(?:\ufeff?#!.*)?(?:\s{1,1000}|\/\/[^\n]{0,1000}\n|\/\*[^]{0,10000}?\*\/|(?:"use \w{1,20}"|'use \w{1,20}')[ \t]{0,9}(?:;|(?=[\r\n]|$))){0,50}/;

/** The beginning of a page up to its head, before which nothing may stand that a browser would take for content. */
const BEGINNING =
  /^(?:\s{0,1000}(?:<!--.{0,10000}?-->|<!doctype[^>]{0,1000}>|<(?:html|head)(?:\s[^>]{0,1000})?>)){0,50}/is;

/** The hosts of ports of this machine, as addresses name them: without the port 80, as in all that the browser asks for (C-FETCH-PORT). */
export function hostsOf(ports: readonly number[]): string[] {
  return ports.flatMap((port) => [...LOOPBACK_HOSTS].map((host) => new URL(`http://${host}:${port}`).host));
}

/** Where sockets are carried: the hosts, as `localhost:5173`, and the folder of their requests. */
export interface ShimOptions {
  readonly hosts: readonly string[];
  readonly folder: string;
}

/** The statement that has the sockets of a page or worker carried. */
function lineOf({ hosts, folder }: ShimOptions): string {
  const calls = [
    callOf(carrySockets, [...hosts], folder),
    callOf(carryInBlobWorkers, carrySockets, [...hosts], folder),
  ];
  return calls.map(({ expression }) => `${expression};`).join('');
}

/**
 * A script that names websockets or event sources, with what has them carried before its first statement, so that all lines keep their numbers; others as they
 * are.
 */
export function withSocketShim(script: string, options: ShimOptions): string {
  if (!NAMES.test(script)) return script;
  const at = DIRECTIVES.exec(script)?.[0].length ?? 0;
  const directives = script.slice(0, at);
  // A directive without a semicolon ends with its line otherwise.
  const separator = /["']\s*$/.test(directives) ? ';' : '';
  return `${directives}${separator}${lineOf(options)}${script.slice(at)}`;
}

/** A page in which the sockets of its own scripts, also of those within it, are carried. */
export function pageWithSocketShim(page: string, options: ShimOptions): string {
  const at = BEGINNING.exec(page)?.[0].length ?? 0;
  return `${page.slice(0, at)}<script>${lineOf(options).replaceAll('</', '<\\/')}</script>${page.slice(at)}`;
}
