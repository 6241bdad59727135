// A program of another user of the machine, given the address of the service, its data folder and the ids of its processes. It tries
// what it can and prints what it got as JSON.
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';

const [, baseUrl, dataFolder, ...pids] = process.argv;
const LISTENING = '0A';

/** The ports on this machine that accept connections (proc_net(5)). */
function ports() {
  const lines = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/net/${name}`, 'utf8').split('\n').slice(1));
  const rows = lines.map((line) => line.trim().split(/\s+/)).filter(([, , , state]) => state === LISTENING);
  return [...new Set(rows.map(([, local]) => Number.parseInt(local.split(':').at(-1), 16)))];
}

async function answer(url, init = {}) {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(2000) });
    return { status: response.status, text: (await response.text()).slice(0, 2000) };
  } catch {
    return undefined;
  }
}

function attempt(work) {
  try {
    return { got: String(work()) };
  } catch (error) {
    return { refused: error.code };
  }
}

// A timeout of a signal does not keep the process running.
const running = setInterval(() => undefined, 1000);
/** The status of a websocket handshake: 101 when it succeeds. */
function handshake(port, path) {
  return new Promise((resolve) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'c3RyYW5nZXJzdHJhbmdlcg==',
    };
    const asked = request({ host: '127.0.0.1', port, path, headers, timeout: 2000 });
    asked.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode);
    });
    asked.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(0));
    asked.end();
  });
}

/** Where a port that answers as the DevTools port of a browser can be entered. */
async function doors(port) {
  const version = await answer(`http://127.0.0.1:${port}/json/version`);
  if (!version?.text.includes('webSocketDebuggerUrl')) return undefined;
  let given = '/';
  try {
    given = new URL(JSON.parse(version.text).webSocketDebuggerUrl).pathname;
  } catch {
    // It is no DevTools port.
  }
  const paths = [given, '/', '/devtools/browser', '/json/version'];
  return { port, text: version.text, statuses: await Promise.all(paths.map((path) => handshake(port, path))) };
}

const devTools = (await Promise.all(ports().map(doors))).filter((found) => found !== undefined);
const file = (name) => attempt(() => readFileSync(join(dataFolder, name)));
console.log(
  JSON.stringify({
    uid: process.getuid(),
    devTools,
    files: [attempt(() => readdirSync(dataFolder)), file('service.json'), file('sessions/x/service.pid')],
    memory: pids.map((pid) => attempt(() => readFileSync(`/proc/${pid}/environ`, 'latin1'))),
    commandLines: pids.map((pid) => attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1'))),
    requests: [
      await answer(`${baseUrl}/browsers`),
      await answer(`${baseUrl}/browsers`, { headers: { authorization: 'Bearer guess' } }),
      await answer(`${baseUrl}/browsers`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      }),
    ],
  }),
);
clearInterval(running);
