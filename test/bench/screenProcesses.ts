import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import type { CDPSession } from 'playwright-core';
import type { Workbench } from '../workbench/workbench';

const KIB_IN_MIB = 1024;

/** CPU time and memory of what shows a screen: the extension host, and the pages of the window in their renderer processes. */
export class ScreenProcesses {
  private constructor(
    private readonly host: number,
    private readonly browser: CDPSession,
  ) {}

  /** `dataDir`: the data folder of the window's server. */
  static async of(workbench: Workbench, dataDir: string): Promise<ScreenProcesses> {
    const browser = workbench.page.context().browser();
    assert(browser, 'the window has no browser');
    return new ScreenProcesses(extensionHost(dataDir), await browser.newBrowserCDPSession());
  }

  /** CPU time so far, in milliseconds; a tick of the kernel is 10 ms. */
  async cpu(): Promise<{ host: number; page: number }> {
    const { processInfo } = await this.browser.send('SystemInfo.getProcessInfo');
    const pages = processInfo.filter(({ type }) => type === 'renderer');
    return { host: cpuMs(this.host), page: pages.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0) };
  }

  /** Resident memory, in MiB. */
  async memory(): Promise<{ host: number; page: number }> {
    const { processInfo } = await this.browser.send('SystemInfo.getProcessInfo');
    const pages = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentMib(id));
    return { host: residentMib(this.host), page: pages.reduce((sum, each) => sum + each, 0) };
  }
}

/** The extension host of the server with this data folder: the youngest of its line that runs as one. */
function extensionHost(dataDir: string): number {
  const host = extensionHosts(dataDir).at(-1);
  assert(host, 'the extension host was not found');
  return host;
}

/** The extension hosts of the server with this data folder, the youngest last. */
export function extensionHosts(dataDir: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const commands = pids.map((pid) => ({ pid: Number(pid), command: commandOf(pid), parent: parentOf(pid) }));
  const servers = commands.filter(({ command }) => command.includes(dataDir));
  const hosts = commands.filter(
    ({ command, parent }) =>
      command.includes('--type=extensionHost') &&
      servers.some(({ pid }) => pid === parent || pid === parentOf(String(parent))),
  );
  return hosts.map(({ pid }) => pid);
}

function commandOf(pid: string): string {
  return textOf(pid, 'cmdline').replaceAll('\0', ' ');
}

function parentOf(pid: string): number {
  return Number(statOf(pid)[1] ?? -1);
}

function cpuMs(pid: number): number {
  const fields = statOf(String(pid));
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function residentMib(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(textOf(String(pid), 'status'))?.[1] ?? 0) / KIB_IN_MIB;
}

/** The fields of /proc/PID/stat after the name, which may hold blanks. */
function statOf(pid: string): string[] {
  const text = textOf(pid, 'stat');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** A file of a process; empty when the process has ended. */
function textOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
