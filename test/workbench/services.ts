import { COMMANDS } from '../../src/ids';
import { QUICK_INPUT } from './phrases';
import { paletteTitle } from './titles';
import type { Workbench } from './workbench';

/** Chooses another service by its address, and enters its token. */
export async function chooseOtherService(workbench: Workbench, baseUrl: string, token: string): Promise<void> {
  const { quickInput, page } = workbench;
  await workbench.commandThatAsks(paletteTitle(COMMANDS.chooseService));
  await quickInput.pick(QUICK_INPUT.otherService);
  await quickInput.answer(baseUrl);
  await page.locator('.quick-input-title', { hasText: QUICK_INPUT.tokenTitle }).waitFor();
  await quickInput.answer(token);
  // Another box in its place would be a token that was not entered.
  await quickInput.closed();
}

/** Clears the token of the service in use, and chooses one of before by its address, whose token is still there. */
export async function chooseServiceOfBefore(workbench: Workbench, baseUrl: string): Promise<void> {
  const { quickInput } = workbench;
  await workbench.command(paletteTitle(COMMANDS.clearToken));
  await workbench.clearNotifications();
  await workbench.commandThatAsks(paletteTitle(COMMANDS.chooseService));
  await quickInput.pick(QUICK_INPUT.otherService);
  await quickInput.answer(baseUrl);
  await quickInput.closed();
}

/** Clears the token of the service in use, and chooses the local one. */
export async function leaveOtherService(workbench: Workbench): Promise<void> {
  await workbench.command(paletteTitle(COMMANDS.clearToken));
  await workbench.clearNotifications();
  await workbench.commandThatAsks(paletteTitle(COMMANDS.chooseService));
  await workbench.quickInput.pick(QUICK_INPUT.localService);
}
