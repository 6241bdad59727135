import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chromiumFlags } from '../../src/local/chromium/chromiumFlags';
import { atEnd } from './cleanup';

const LISTENING = /^DevTools listening on (ws:\/\/\S+)/;
const START_LIMIT_MS = 30_000;

/** A headless Chromium with a DevTools port of its own and nothing between it and its clients. */
export interface BareChromium {
  readonly url: string;
  stop: () => Promise<void>;
}

/** Starts one with the flags of the local service, except for the pipe, and with the extensions in these folders. */
export async function startBareChromium(
  executable: string,
  userDataFolder: string,
  extensionFolders: readonly string[] = [],
): Promise<BareChromium> {
  const flags = chromiumFlags({
    executable,
    userDataFolder,
    extensionFolders,
    headless: true,
    kiosk: false,
    viewport: { width: 1280, height: 800 },
  }).filter((flag) => flag !== '--remote-debugging-pipe');
  const child = spawn(executable, ['--remote-debugging-port=0', ...flags], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  // At once: the process may be interrupted while the browser starts, which has a group of its own.
  const stop = atEnd('a bare Chromium', async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  });
  const lines = createInterface({ input: child.stderr });
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The bare Chromium did not start.')), START_LIMIT_MS);
    lines.on('line', (line) => {
      const found = LISTENING.exec(line)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
    child.once('exit', () => reject(new Error('The bare Chromium ended at once.')));
  }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url, stop };
}
