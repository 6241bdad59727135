/**
 * `npm start`: opens a browser extension in a real VS Code with Sideload installed, starts a browser and pushes to it
 * through the user interface. What it starts it ends: at the end, on a failure, and when it is interrupted.
 */
import { cp, mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ensureBrowser } from '../machine/browser';
import { endAll, isInterrupted, onInterruption } from '../support/cleanup';
import { CACHE } from '../support/paths';
import { processesNaming } from '../support/processes';
import { startServer, windowAddress } from '../machine/server';
import { ensureServerBuild } from '../machine/serverBuild';
import { readStartOptions, type StartOptions } from './startOptions';
import { pushTwice, type StartedWindow } from './startPushes';
import { Steps } from '../support/steps';
import { hasDisplay } from '../machine/vscode';
import { ensureVsix } from '../machine/vsix';
import { Workbench } from '../workbench/workbench';

const CLOSING = 'Closing VS Code; the local service ends itself, and its browser, 10 s after its last window';

const steps = new Steps();

/** The data folder of the server once it is started: all processes below it name it. */
let dataDir: string | undefined;

async function main(): Promise<boolean> {
  const options = await readStartOptions(process.argv.slice(2), process.env['INIT_CWD'] ?? process.cwd());
  onInterruption(
    () => steps.say(`Interrupted. ${CLOSING}`),
    async () => void (await tellWhatIsLeft()),
  );
  const browser = await steps.step(
    'Browser',
    () => ensureBrowser(steps.say),
    ({ path, version, installed }) => `Browser ${installed ? 'installed' : 'found'}: ${path} (${version})`,
  );
  const build = await steps.step(
    'VS Code',
    () => ensureServerBuild(steps.say),
    ({ version, installed }) => `VS Code ${version} ${installed ? 'installed' : 'found'}`,
  );
  const vsix = await steps.step('Package', ensureVsix, (file) => `Sideload packaged: ${file}`);
  const folder = options.inPlace ? options.folder : await copyOf(options.folder);
  const server = await steps.step(
    'VS Code server',
    () => startServer(build, { name: 'start', vsix }),
    () => 'VS Code server started, Sideload installed in it',
  );
  ({ dataDir } = server);
  const address = windowAddress(server, { folder });
  const headed = !options.once && hasDisplay();
  const workbench = await steps.step(
    'Window',
    () => Workbench.open(address, { browserPath: browser.path, headed }),
    () => `Window opened with ${folder}`,
  );
  const proved = await tryPushes({ workbench, server, folder }, options);
  if (!options.once) {
    steps.say(proved ? 'All of this was real. It stays open until Ctrl+C.' : 'It stays open until Ctrl+C, for a look.');
    steps.say(`The same VS Code in your own browser: ${address}`);
    await untilInterrupted();
  }
  return proved;
}

/** Never settles; the timer keeps this process alive. */
function untilInterrupted(): Promise<never> {
  return new Promise(() => setInterval(() => undefined, 60_000));
}

async function tryPushes(window: StartedWindow, options: StartOptions): Promise<boolean> {
  try {
    return await pushTwice(window, options, steps);
  } catch (error) {
    const picture = join(CACHE, 'start', 'failure.png');
    await window.workbench.picture(picture).catch(() => undefined);
    if (!isInterrupted()) steps.say(`Picture: ${picture}`);
    throw error;
  }
}

/** The copy lies in the cache: what is typed into it changes nothing of the user's. */
async function copyOf(folder: string): Promise<string> {
  const copy = join(CACHE, 'start', 'workspace', basename(folder));
  await rm(join(CACHE, 'start'), { recursive: true, force: true });
  await mkdir(copy, { recursive: true });
  await cp(folder, copy, {
    recursive: true,
    filter: (source) => !['node_modules', '.git'].includes(basename(source)),
  });
  return copy;
}

/** Ends all and looks whether it is gone. */
async function leave(): Promise<boolean> {
  steps.say(CLOSING);
  await steps.step('Closing', endAll, () => 'Closed');
  return tellWhatIsLeft();
}

async function tellWhatIsLeft(): Promise<boolean> {
  const left = dataDir === undefined ? [] : await processesNaming(dataDir);
  steps.say(left.length === 0 ? 'Nothing left running.' : `Still running: ${left.join(', ')}`);
  return left.length === 0;
}

main()
  .catch((error: unknown) => {
    // The signal's own handler closes everything and ends this process.
    if (isInterrupted()) return untilInterrupted();
    // Playwright's messages are coloured.
    steps.say(stripVTControlCharacters(error instanceof Error ? error.message : String(error)));
    return false;
  })
  .then(async (proved) => {
    const clean = await leave();
    steps.say(proved && clean ? 'Done: all that was pushed was proved to run.' : 'Not done: the lines above say why.');
    process.exitCode = proved && clean ? 0 : 1;
  })
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
