// Covers: test/fixtures/sample, package.json, package.nls*.json, media/l10n, src/extension.ts, src/editor/sideload.ts
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureBrowser } from '../machine/browser';
import { atEnd } from '../support/cleanup';
import { SAMPLE, SCRATCH } from '../support/paths';
import { keyBindings } from './keys';
import { readLogFile } from './logFile';
import type { Release } from '../machine/releases';
import { startServer, windowAddress, type Server } from '../machine/server';
import { ensureServerBuild } from '../machine/serverBuild';
import { ensureVsix } from '../machine/vsix';
import { Workbench } from './workbench';

/** A window with Sideload installed, its server, and its workspace folder: a copy of the sample. */
export interface OpenWindow {
  readonly workbench: Workbench;
  readonly server: Server;
  readonly folder: string;
}

/** What differs from a usual window. */
export interface OpenWindowOptions {
  /** The settings of its workspace. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** For its extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** What Sideload speaks. */
  readonly language?: string;
  /** As that of the server. */
  readonly launcher?: readonly string[];
  /** The package that is installed, in place of today's. */
  readonly vsix?: string;
}

/** Opens such a window; `name` is the prefix of its log and its folders. `endAll` closes it. */
export async function openWindow(
  name: string,
  release: Release = 'newest',
  { settings, env = {}, language, launcher = [], vsix: chosen }: OpenWindowOptions = {},
): Promise<OpenWindow> {
  const report = (line: string): void => console.log(`  ${line}`);
  const browser = await ensureBrowser(report);
  const build = await ensureServerBuild(report, release);
  const vsix = chosen ?? (await ensureVsix());
  const folder = await copySample(name);
  if (settings) {
    await mkdir(join(folder, '.vscode'));
    await writeFile(join(folder, '.vscode', 'settings.json'), JSON.stringify(settings));
  }
  const server = await startServer(build, {
    ...{ name, vsix, env, launcher, serviceEndMs: 0 },
    keyBindings: keyBindings(),
  });
  const workbench = await Workbench.open(windowAddress(server, { folder }), {
    browserPath: browser.path,
    readLog: () => readLogFile(server.dataDir),
    ...(language === undefined ? {} : { language }),
  });
  return { workbench, server, folder };
}

/** Closes a window and ends its server, with what a failed test has left of them. */
export async function closeWindow({ workbench, server }: OpenWindow): Promise<void> {
  await workbench.close();
  await server.stop();
}

async function copySample(name: string): Promise<string> {
  await mkdir(join(SCRATCH, 'workspaces'), { recursive: true });
  const parent = await mkdtemp(join(SCRATCH, 'workspaces', `${name}-`));
  atEnd(`workspace of ${name}`, () => rm(parent, { recursive: true, force: true }));
  const folder = join(parent, 'sample');
  await cp(SAMPLE, folder, { recursive: true });
  return folder;
}
