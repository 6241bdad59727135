// A program of another user of the machine, given the address of the service, its data folder and the ids of its processes. It tries
// what it can and prints what it got as JSON.
import { readdirSync, readFileSync } from 'node:fs';
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
const chromium = [];
for (const port of ports()) {
  const version = await answer(`http://127.0.0.1:${port}/json/version`);
  if (version?.text.includes('webSocketDebuggerUrl')) chromium.push(port);
}
const file = (name) => attempt(() => readFileSync(join(dataFolder, name)));
console.log(
  JSON.stringify({
    uid: process.getuid(),
    chromium,
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
