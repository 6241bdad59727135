import { spawn } from 'node:child_process';
import { devToolsAddress } from '../service/devToolsAddress';
import type { Browser } from '../service/model';
import { browserName } from '../agents/namedBrowsers';
import { EXIT } from '../agents/exitCodes';
import { ExecRelay } from './execRelay';

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
 * `SIDELOAD_EXTENSION_ID`, several separated by commas; `SIDELOAD_BROWSER`, its name or id. Resolves to the exit code of the command.
 * @throws ServiceError for a browser whose address must not be connected to
 */
export async function execWith(command: string, target: ExecTarget, signal: AbortSignal): Promise<number> {
  const { browser, service, extensionIds } = target;
  const relay = await ExecRelay.listen(devToolsAddress(browser.devToolsUrl, service));
  try {
    const child = spawn(command, {
      shell: true,
      stdio: 'inherit',
      env: {
        ...process.env,
        SIDELOAD_CDP_URL: relay.address,
        SIDELOAD_EXTENSION_ID: extensionIds.join(','),
        SIDELOAD_BROWSER: browserName(browser),
      },
    });
    const end = (): void => void child.kill();
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    return await new Promise((resolve) => {
      child.once('error', () => resolve(EXIT.serviceFailed));
      // One that a signal has ended has no code.
      child.once('close', (code) => resolve(code ?? EXIT.serviceFailed));
    });
  } finally {
    relay.close();
  }
}
