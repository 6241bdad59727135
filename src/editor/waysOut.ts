import { commands, env } from 'vscode';
import type { WayOut } from './errorTexts';
import type { NoticeButton } from './notice';
import { offer, showError } from './notify';

/** Shows an error with a button for each command that helps. Runs what the user chooses. */
export async function showErrorWithWaysOut(text: string, ways: readonly WayOut[]): Promise<void> {
  const choice = await showError(text, ...ways.map(({ label }) => label));
  await follow(ways.find(({ label }) => label === choice));
}

/** Shows an information with a button for each command that leads on. Runs what the user chooses. */
export async function showInformationWithWays(text: string, ways: readonly WayOut[]): Promise<void> {
  const choice = await offer(text, ...ways.map(({ label }) => label));
  await follow(ways.find(({ label }) => label === choice));
}

/** Buttons of a notice that run the commands which help. */
export function buttonsOf(ways: readonly WayOut[]): NoticeButton[] {
  return ways.map((way) => ({
    label: way.label,
    act: () => {
      void follow(way);
    },
  }));
}

async function follow(way: WayOut | undefined): Promise<void> {
  const call = env.remoteName === undefined ? way : (way?.inRemoteWindow ?? way);
  if (call) await commands.executeCommand(call.command, ...(call.arguments ?? []));
}
