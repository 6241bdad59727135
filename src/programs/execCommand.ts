import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { endTree, hasGroups } from '../publish/childCommand';
import { devToolsAddress } from '../service/devToolsAddress';
import type { Browser } from '../service/model';
import { browserName } from '../agents/namedBrowsers';
import { EXIT } from '../agents/exitCodes';
import { relayTo } from './execRelay';

/** Time from SIGTERM to SIGKILL for a command and the processes that it has started, and the interval at which they are checked, in milliseconds. */
const END_LIMIT_MS = 5000;
const POLL_MS = 50;

/** What a command gets of the browser that was pushed to. */
export interface ExecTarget {
  browser: Browser;
  /** The address of the service that the browser is one of. */
  service: URL;
  /** Of the extensions, in the order of their folders. */
  extensionIds: readonly string[];
}

/**
 * Runs a command in a shell, with the browser in its environment: `SIDELOAD_CDP_URL`, an address of its DevTools that ends with the command;
 * `SIDELOAD_EXTENSION_ID`, several separated by commas; `SIDELOAD_BROWSER`, its name or id. Resolves to the exit code of the command, which
 * the signal ends with all that it has started.
 * @throws ServiceError for a browser whose address must not be connected to
 */
export async function execWith(command: string, target: ExecTarget, signal: AbortSignal): Promise<number> {
  const { browser, service, extensionIds } = target;
  const relay = await relayTo(devToolsAddress(browser.devToolsUrl, service));
  try {
    // In a terminal, Ctrl+C reaches all of them, and only its foreground may read from it.
    const isGroup = hasGroups() && !process.stdin.isTTY;
    const child = spawn(command, {
      shell: true,
      stdio: 'inherit',
      detached: isGroup,
      env: {
        ...process.env,
        SIDELOAD_CDP_URL: relay.address,
        SIDELOAD_EXTENSION_ID: extensionIds.join(','),
        SIDELOAD_BROWSER: browserName(browser),
      },
    });
    const closed = new Promise<number>((resolve) => {
      child.once('error', () => resolve(EXIT.serviceFailed));
      // One that a signal has ended has no code.
      child.once('close', (code) => resolve(code ?? EXIT.serviceFailed));
    });
    let ending: Promise<void> | undefined;
    const end = (): void => {
      ending = endAll(child, isGroup);
    };
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    const code = await closed;
    await ending;
    return code;
  } finally {
    relay.close();
  }
}

/** Ends a command with all that it has started: what does not end by itself is ended. */
async function endAll(child: ChildProcess, isGroup: boolean): Promise<void> {
  if (!isGroup) {
    if (hasGroups()) child.kill();
    // Not twice: the id may be that of another process then.
    else endTree(child, isGroup);
    return;
  }
  endTree(child, isGroup, 'SIGTERM');
  const deadline = Date.now() + END_LIMIT_MS;
  while (isAlive(child) && Date.now() < deadline) await delay(POLL_MS);
  endTree(child, isGroup);
}

/** Whether a process runs in the group of a child. */
function isAlive({ pid }: ChildProcess): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}
