import { commands, env } from 'vscode';
import type { WayOut } from './errors';
import { offer, showError } from './notify';

/** A button that does something of its own. */
export interface Act {
  label: string;
  run: () => void;
}

/** Shows an error with buttons: first the `acts`, then one for each command that helps. Runs what the user chooses. */
export async function showErrorWithWaysOut(
  text: string,
  ways: readonly WayOut[],
  acts: readonly Act[] = [],
): Promise<void> {
  const choice = await showError(text, ...[...acts, ...ways].map(({ label }) => label));
  acts.find(({ label }) => label === choice)?.run();
  await follow(ways.find(({ label }) => label === choice));
}

/** Shows an information with a button for each command that leads on. Runs what the user chooses. */
export async function showInformationWithWays(text: string, ways: readonly WayOut[]): Promise<void> {
  const choice = await offer(text, ...ways.map(({ label }) => label));
  await follow(ways.find(({ label }) => label === choice));
}

async function follow(way: WayOut | undefined): Promise<void> {
  const call = env.remoteName === undefined ? way : (way?.inRemoteWindow ?? way);
  if (call) await commands.executeCommand(call.command, ...(call.arguments ?? []));
}
