import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runChild, startChild } from '../support/child';
import { atEnd } from '../support/cleanup';
import { LOCAL_SERVICE_END_LIMIT_MS } from '../support/localService';
import { LOGS, SCRATCH } from '../support/paths';
import { endProcessesNaming, processesNaming } from '../support/processes';
import type { ServerBuild } from './serverBuild';

/** Longest time until the server listens, in milliseconds. */
const START_LIMIT_MS = 60_000;

/** Longest time to install an extension, in milliseconds. */
const INSTALL_LIMIT_MS = 60_000;

/** Interval at which the server's log is read while it starts, in milliseconds. */
const LOOK_MS = 100;

/** Age from which a data folder without processes is stale, in milliseconds. */
const SWEEP_AGE_MS = 10 * 60_000;

/** Age from which the log of a server is removed, in milliseconds. */
const LOG_AGE_MS = 24 * 60 * 60_000;

/** Seconds that an extension host waits for a window that lost its connection. */
const GRACE_SECONDS = 10;

/**
 * A built VS Code takes extensionDevelopmentPath and extensionTestsPath from the address only with this option. It also
 * keeps notifications in their centre, without a toast.
 */
const DEVELOPMENT = '--enable-smoke-test-driver';

/** A trusted window without content that depends on the network or on the day. */
const SETTINGS = {
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.layoutControl.enabled': false,
  'chat.disableAIFeatures': true,
  'extensions.ignoreRecommendations': true,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  // Otherwise it looks for new ports every few seconds, with a program for each process of the machine.
  'remote.autoForwardPorts': false,
  'git.enabled': false,
  'git.openRepositoryInParentFolders': 'never',
  'files.hotExit': 'off',
  // On by default in a browser; there a save would come at a time of its own, as it does not on the desktop.
  'files.autoSave': 'off',
  'editor.minimap.enabled': false,
  // What terminals write is in the page as text.
  'terminal.integrated.gpuAcceleration': 'off',
  // A blinking cursor is a picture drawn twice a second.
  'editor.cursorBlinking': 'solid',
  // One server for JavaScript files is enough: no test is about them.
  'typescript.tsserver.useSyntaxServer': 'never',
  // Type declarations for JavaScript files would be fetched by npm.
  'typescript.disableAutomaticTypeAcquisition': true,
  'npm.fetchOnlinePackageInfo': false,
} as const;

export interface ServerOptions {
  /** Names the log and the data folder. */
  readonly name: string;
  readonly env?: Readonly<Record<string, string>>;
  /** User settings in addition to the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The key bindings of the user. */
  readonly keyBindings?: readonly { readonly key: string; readonly command: string }[];
  /**
   * The packaged extension to install before the start. Without it the server is one for development: its windows take
   * `extensionDevelopmentPath` and `extensionTestsPath`, and show no notification toasts.
   */
  readonly vsix?: string;
  /** Longest time for the local service of its extension hosts to end by itself after them, in milliseconds. */
  readonly serviceEndMs?: number;
  /** A program with its arguments that replaces itself by the server, whose command line it gets as further arguments. */
  readonly launcher?: readonly string[];
}

/** A running VS Code server with user data of its own. */
export interface Server {
  /** `127.0.0.1:port` */
  readonly authority: string;
  /** Created for this server; its child processes have it in their command lines. */
  readonly dataDir: string;
  /** The `User` folder: settings, and the state of the extensions. */
  readonly userDir: string;
  readonly logFile: string;
  /** Ends the server and the local service that its extension hosts started, and removes the data folder. */
  stop(): Promise<void>;
}

/** What a window shows; without a folder an empty one. Paths are absolute; the two of the extension are for a server for development. */
export interface WindowOptions {
  /** A folder, or a file `*.code-workspace`. */
  readonly folder?: string;
  readonly extensionDevelopmentPath?: string;
  /** Module whose `run` is called in the extension host. */
  readonly extensionTestsPath?: string;
}

/** Starts a server on a free port of this machine. Rejects with the end of its log when it does not come up. */
export async function startServer(build: ServerBuild, options: ServerOptions): Promise<Server> {
  const parent = join(SCRATCH, 'servers');
  await mkdir(parent, { recursive: true });
  await sweep(parent);
  const dataDir = await mkdtemp(join(parent, `${options.name}-`));
  const userDir = join(dataDir, 'data', 'User');
  const removeData = atEnd(`data of ${options.name}`, () =>
    rm(dataDir, { recursive: true, force: true, maxRetries: 3 }),
  );
  const endService = atEnd(`local service of ${options.name}`, async () => {
    await endProcessesNaming(dataDir, options.serviceEndMs ?? LOCAL_SERVICE_END_LIMIT_MS);
  });
  await writeSettings(userDir, options.settings);
  if (options.keyBindings) await writeFile(join(userDir, 'keybindings.json'), JSON.stringify(options.keyBindings));
  if (options.vsix !== undefined) await installExtension(build, dataDir, options.vsix);
  await sweepLogs();
  // Other processes of a run start servers of this name, too.
  const logFile = join(LOGS, `${options.name}-${process.pid}.log`);
  const mode = options.vsix === undefined ? [DEVELOPMENT] : [];
  const line = [...(options.launcher ?? []), build.node, ...serverArguments(build, dataDir), ...mode];
  const [program = build.node, ...args] = line;
  const child = await startChild(program, args, {
    env: { ...process.env, ...options.env },
    output: { file: logFile },
  });
  const stop = async (): Promise<void> => {
    await child.stop();
    await endService();
    await removeData();
  };
  try {
    const authority = await whenListening(logFile, child.exited);
    return { authority, dataDir, userDir, logFile, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Address of a window; opened in a browser it shows the workbench. */
export function windowAddress(server: Server, options: WindowOptions): string {
  const remote = (path: string): string => `vscode-remote://${server.authority}${path}`;
  const payload: [string, string][] = [['skipWelcome', 'true']];
  if (options.extensionDevelopmentPath !== undefined) {
    payload.push(['extensionDevelopmentPath', remote(options.extensionDevelopmentPath)]);
  }
  if (options.extensionTestsPath !== undefined) {
    payload.push(['extensionTestsPath', remote(options.extensionTestsPath)]);
  }
  const { folder } = options;
  const shown: Record<string, string> =
    folder === undefined ? { ew: 'true' } : { [folder.endsWith('.code-workspace') ? 'workspace' : 'folder']: folder };
  const query = new URLSearchParams({ ...shown, payload: JSON.stringify(payload) });
  // The workbench decodes %20 and not the plus sign of form encoding.
  return `http://${server.authority}/?${query.toString().replaceAll('+', '%20')}`;
}

function serverArguments(build: ServerBuild, dataDir: string): string[] {
  return [
    build.main,
    ...['--host', '127.0.0.1', '--port', '0'],
    ...['--server-data-dir', dataDir, '--extensions-dir', join(dataDir, 'extensions')],
    ...['--telemetry-level', 'off', '--reconnection-grace-time', String(GRACE_SECONDS)],
    // Ends the server some minutes after its last window, should this process be killed and not stop it.
    '--enable-remote-auto-shutdown',
    '--without-connection-token',
    '--accept-server-license-terms',
  ];
}

/** Removes data folders of killed runs that no process uses any more. */
async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name);
    // Another run may have removed it.
    const made = await stat(folder).catch(() => undefined);
    // A young folder may belong to a server that is only about to start.
    if (!made || Date.now() - made.mtimeMs < SWEEP_AGE_MS || (await processesNaming(folder)).length > 0) continue;
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes logs of earlier days. */
async function sweepLogs(): Promise<void> {
  for (const name of await readdir(LOGS).catch(() => [])) {
    const file = join(LOGS, name);
    const made = await stat(file).catch(() => undefined);
    if (made && Date.now() - made.mtimeMs > LOG_AGE_MS) await rm(file, { force: true });
  }
}

/** Installs a packaged extension in the folder of a server, in place of another version. Its windows have it after they are loaded again. */
export async function installExtension(build: ServerBuild, dataDir: string, vsix: string): Promise<void> {
  const lines: string[] = [];
  const { code } = await runChild(
    build.node,
    [
      ...[build.main, '--install-extension', vsix, '--force', '--accept-server-license-terms'],
      ...['--server-data-dir', dataDir, '--extensions-dir', join(dataDir, 'extensions')],
    ],
    { limitMs: INSTALL_LIMIT_MS, output: { line: (text) => lines.push(text) } },
  );
  if (code !== 0) throw new Error(`VS Code did not install ${vsix}: ${lines.slice(-5).join(' / ')}`);
}

async function writeSettings(userDir: string, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await mkdir(userDir, { recursive: true });
  await writeFile(join(userDir, 'settings.json'), JSON.stringify({ ...SETTINGS, ...more }, undefined, 2));
}

async function whenListening(logFile: string, exited: Promise<unknown>): Promise<string> {
  let running = true;
  void exited.then(() => (running = false));
  const end = performance.now() + START_LIMIT_MS;
  for (;;) {
    const log = await readFile(logFile, 'utf8');
    const port = /Extension host agent listening on (\d+)/.exec(log)?.[1];
    if (port !== undefined) return `127.0.0.1:${port}`;
    if (!running)
      throw new Error(
        `The VS Code server ended before it listened; its log (${logFile}) ends with: ${log.slice(-600)}`,
      );
    if (performance.now() > end) {
      throw new Error(`The VS Code server did not listen within ${START_LIMIT_MS / 1000} s; see ${logFile}`);
    }
    await new Promise((settle) => setTimeout(settle, LOOK_MS));
  }
}
