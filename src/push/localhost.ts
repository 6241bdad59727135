import type { Browser } from '../service/model';

/**
 * A place where a build connects to the machine it was made on: to load `code`, without which it cannot run elsewhere, or to open a
 * `connection` that is optional, such as the live-reload socket of a development server.
 */
export interface LocalhostUse {
  what: 'code' | 'connection';
  /** Path of the file, relative to the extension folder. */
  file: string;
  /** Counted from 1. */
  line: number;
  /** The address, such as `http://localhost:5173`. */
  address: string;
}

/** The ports that a build connects to by plain HTTP and websockets, sorted. */
export function portsOf(uses: readonly LocalhostUse[]): number[] {
  const ports = uses.flatMap(({ address }) => {
    const { protocol, port } = new URL(address);
    return protocol === 'http:' || protocol === 'ws:' ? [port === '' ? 80 : Number(port)] : [];
  });
  return [...new Set(ports)].sort((a, b) => a - b);
}

/** Whether a build can run when its browser reaches these ports: all that it loads code from, and one that it connects to. */
export function isServedBy(uses: readonly LocalhostUse[], ports: readonly number[]): boolean {
  const isReached = (use: LocalhostUse): boolean => portsOf([use]).some((port) => ports.includes(port));
  return uses.some(isReached) && uses.every((use) => use.what === 'connection' || isReached(use));
}

/** Asks whether browsers elsewhere may reach servers of this machine, and has them reach those. */
export interface LocalhostAccess {
  /**
   * Asked for a build that connects to servers of this machine, before it is sent. Resolves to `declined` when the person has just said that the
   * browsers may not reach them, and to undefined when that was not allowed, or is impossible.
   */
  grantFor(
    uses: readonly LocalhostUse[],
    browsers: readonly Browser[],
  ): Promise<LocalhostGrant | 'declined' | undefined>;
}

/** Servers of this machine that the browsers of a push may reach. */
export interface LocalhostGrant {
  /** The script, changed so that its websockets reach the servers. The same script gives the same one as long as the grant is the same. */
  withSockets(script: string): string;
  /**
   * Has what a browser asks of the servers answered, before a build is sent to it.
   * @throws DevToolsError when DevTools does not reach the browser
   */
  open(browser: Browser, signal: AbortSignal): Promise<void>;
  /**
   * Has what the extension asks answered, too, whose files are in this folder on the browser's machine: it may not be loaded yet. Resolves when
   * that is so; never rejects.
   */
  allow(browser: Browser, folder: string): Promise<void>;
}
