// Loaded by NODE_OPTIONS into a VS Code server and every Node process that it starts, before any other code: writes each connection,
// look-up of a name and datagram as a line of JSON into the file of SIDELOAD_SOCKETS, which sockets.ts reads.
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import process from 'node:process';

const file = process.env.SIDELOAD_SOCKETS;
const LOOK_UPS = ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'resolveSrv', 'resolveTxt', 'reverse'];

function record(kind, target) {
  const origin = (new Error().stack ?? '').split('\n').slice(3).join('\n');
  appendFileSync(file, `${JSON.stringify({ program: process.argv.join(' '), kind, target, origin })}\n`);
}

/** Records the calls of a function, and passes them on. */
function watch(owner, name, kind, targetOf) {
  const original = owner[name];
  if (typeof original !== 'function') return;
  owner[name] = function (...args) {
    record(kind, targetOf(...args));
    return Reflect.apply(original, this, args);
  };
}

function addressOf(first, second) {
  // Node passes the arguments of its own calls as one list.
  if (Array.isArray(first)) return addressOf(...first);
  if (typeof first === 'object') return first.path ?? `${first.host ?? 'localhost'}:${first.port}`;
  return typeof first === 'string' ? first : `${typeof second === 'string' ? second : 'localhost'}:${first}`;
}

if (file !== undefined) {
  Error.stackTraceLimit = 40;
  watch(net.Socket.prototype, 'connect', 'connection', addressOf);
  watch(dgram.Socket.prototype, 'send', 'datagram', (...args) =>
    args.filter((arg) => typeof arg !== 'object').join(' '),
  );
  for (const api of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
    for (const name of LOOK_UPS) watch(api, name, 'name', String);
  }
  // VS Code removes NODE_OPTIONS from the environment of the extension host.
  const { fork } = childProcess;
  const { NODE_OPTIONS } = process.env;
  childProcess.fork = (path, args, options) =>
    fork(path, args, { ...options, env: { ...(options?.env ?? process.env), NODE_OPTIONS } });
  // For modules that import these functions by name.
  syncBuiltinESMExports();
}
