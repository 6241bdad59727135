import { join } from 'node:path';
import { readLocalService, type LocalService } from '../support/localService';
import { witnessOf } from '../workbench/observer';
import { CACHE } from '../support/paths';
import { createBrowser, pushByRow, readLog, type SeenPush } from '../workbench/pushing';
import type { Server } from '../machine/server';
import { chooseChange } from './startChange';
import type { StartOptions } from './startOptions';
import type { Steps } from '../support/steps';
import type { Workbench } from '../workbench/workbench';

/** What the browser is called in the list. */
const BROWSER = 'first-browser';

/** Longest time until the Problems panel shows what a refused push found, in milliseconds. */
const PROBLEMS_LIMIT_MS = 30_000;

/** Where the pictures of the window go. */
const PICTURES = join(CACHE, 'start');

/** What the pushes need: the window and the folder that is open in it. */
export interface StartedWindow {
  readonly workbench: Workbench;
  readonly server: Server;
  readonly folder: string;
}

/**
 * Creates a browser and pushes to it through the window, as a person does, and asks the browser itself what runs. Says
 * each thing as VS Code shows it. Resolves to whether all that was tried was proved.
 */
export async function pushTwice(window: StartedWindow, options: StartOptions, steps: Steps): Promise<boolean> {
  const { workbench, folder } = window;
  await steps.step(
    'Create Browser',
    () => createBrowser(workbench, BROWSER),
    () => `Clicked Create Browser, row "${BROWSER}" is there`,
  );
  for (const line of await readLog(workbench)) steps.say(`  ${line}`);
  const service = await readLocalService(window.server.userDir);
  if (!service) throw new Error('VS Code lists a browser, but there is no local service.');

  const first = await pushAndTell(window, 'first push', steps);
  if (!first.succeeded) {
    await tellProblems(workbench, steps);
    return false;
  }
  const extensionId = idOf(first);
  await proveLoaded(service, extensionId, steps);
  if (options.inPlace) {
    steps.say('This is your own folder: it is not changed here. Change a file, save, and push again yourself.');
    return true;
  }

  const change = await chooseChange(folder);
  if (!change)
    throw new Error('The pushed folder has no manifest.json that can be read, so no second push can be proved.');
  await steps.step(
    'Change',
    () => change.make(workbench),
    () => `Typed a change into ${change.file} and saved it`,
  );
  const second = await pushAndTell(window, 'second push', steps);
  if (!second.succeeded) {
    await tellProblems(workbench, steps);
    return false;
  }
  const witness = await witnessOf(service, BROWSER);
  try {
    await steps.step(
      'Proof',
      () => change.prove(witness, extensionId),
      (seen) => `Proved over DevTools that the new code runs: ${seen}`,
    );
  } finally {
    await witness.close();
  }
  return true;
}

async function pushAndTell({ workbench }: StartedWindow, name: string, steps: Steps): Promise<SeenPush> {
  const push = await steps.step(
    `The ${name}`,
    () => pushByRow(workbench, BROWSER),
    () => `Clicked Push to This Browser in the row: ${name} ended`,
  );
  for (const question of push.asked) steps.say(`  VS Code asked: ${question}`);
  for (const line of push.lines) steps.say(`  ${line}`);
  for (const { message } of await workbench.notifications()) steps.say(`  Notification: ${message}`);
  steps.say(`  Status bar: ${push.status}`);
  const picture = join(PICTURES, `${name.replace(' ', '-')}.png`);
  await workbench.picture(picture);
  steps.say(`  Picture: ${picture}`);
  await workbench.clearNotifications();
  return push;
}

async function proveLoaded(service: LocalService, extensionId: string, steps: Steps): Promise<void> {
  const witness = await witnessOf(service, BROWSER);
  try {
    const loaded = (await witness.extensions()).filter(({ id }) => id === extensionId);
    const [only] = loaded;
    if (loaded.length !== 1 || !only?.enabled) {
      throw new Error(
        `The browser does not run exactly one enabled copy of ${extensionId}: it lists ${loaded.length}.`,
      );
    }
    steps.say(`Proved over DevTools: the browser runs ${only.name} ${only.version} (${only.id})`);
  } finally {
    await witness.close();
  }
}

async function tellProblems(workbench: Workbench, steps: Steps): Promise<void> {
  await workbench.problems.open();
  // A refusal by the browser has no place in a file and no row here.
  await workbench.problems.waitFor(/\[Ln \d+, Col \d+\]/, PROBLEMS_LIMIT_MS).catch(() => undefined);
  const problems = await workbench.problems.read();
  steps.say(problems.length === 0 ? 'The Problems panel is empty.' : 'The Problems panel shows:');
  for (const { file, line, column, message } of problems) steps.say(`  ${file}:${line}:${column} ${message}`);
  await workbench.picture(join(PICTURES, 'problems.png'));
}

/** The extension's id as the log tells it. */
function idOf({ lines }: SeenPush): string {
  const id = lines.map((line) => /extension id ([a-p]{32})$/.exec(line)?.[1]).find((found) => found !== undefined);
  if (id === undefined) throw new Error('The push succeeded, but its log names no extension id.');
  return id;
}
