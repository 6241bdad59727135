import { download } from '@vscode/test-electron';
import { join } from 'node:path';
import { CACHE } from '../support/paths';
import { RELEASES, type Release } from './releases';
import { ensureServerBuild, type ServerBuild } from './serverBuild';
import type { Report } from '../support/steps';

/** Longest silence of the download host, in milliseconds. */
const DOWNLOAD_SILENCE_MS = 15_000;

/** Desktop VS Code: the program that `runTests` of @vscode/test-electron starts. */
export interface DesktopBuild {
  readonly kind: 'desktop';
  readonly executable: string;
}

/**
 * Which VS Code an editor suite runs in, decided here and nowhere else.
 *
 * 1. Desktop VS Code, where there is a display and its download host answers: what most people use.
 * 2. The server build from npm: the same workbench and a real extension host, on every machine that reaches npm.
 *
 * The tests of the user interface and `npm start` always take the server build (`ensureServerBuild`): the workbench
 * they drive is then a page, which needs no display and looks the same on each machine.
 */
export async function ensureEditorBuild(
  report: Report,
  release: Release = 'newest',
): Promise<DesktopBuild | ServerBuild> {
  if (!hasDisplay()) {
    report('No display: tests in the extension host use the VS Code server from npm');
    return ensureServerBuild(report, release);
  }
  try {
    const version = release === 'oldest' ? { version: RELEASES.oldest.version } : {};
    const executable = await download({ ...version, cachePath: join(CACHE, 'desktop'), timeout: DOWNLOAD_SILENCE_MS });
    return { kind: 'desktop', executable };
  } catch (error) {
    report(`Desktop VS Code cannot be downloaded (${reason(error)}): using the VS Code server from npm`);
    return ensureServerBuild(report, release);
  }
}

/** Whether a program can open a window on this machine. */
export function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
