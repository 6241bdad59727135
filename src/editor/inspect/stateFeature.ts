import { COMMANDS } from '../../ids';
import type { BrowserWiring } from '../browsers/browserWiring';
import type { Handler } from '../commandRegistry';
import type { BrowserExtension } from '../lists/browserContents';
import { forExtension } from '../browsers/chooseExtension';

/** The commands for the state of an extension: alarms, permissions, installation. What they need is loaded with the first use. */
export function stateHandlers(wiring: BrowserWiring) {
  const command =
    (act: (state: typeof import('./stateCommands'), chosen: BrowserExtension) => Promise<void>): Handler =>
    (row) =>
      forExtension(wiring, row, async (chosen) => {
        await act(await import('./stateCommands'), chosen);
      });
  return {
    [COMMANDS.fireAlarm]: (row: unknown) =>
      forExtension(wiring, row, async (chosen) => {
        const { fireAlarm } = await import('./alarmCommands');
        await fireAlarm(wiring, chosen);
      }),
    [COMMANDS.freshInstall]: command((state, chosen) => state.freshInstall(wiring, chosen)),
    [COMMANDS.hostAccess]: command((state, chosen) => state.chooseHostAccess(wiring, chosen)),
    [COMMANDS.allowInIncognito]: command((state, chosen) => state.switchState(wiring, chosen, 'incognito')),
    [COMMANDS.allowFileAccess]: command((state, chosen) => state.switchState(wiring, chosen, 'fileAccess')),
    [COMMANDS.pinToToolbar]: command((state, chosen) => state.switchState(wiring, chosen, 'pinned')),
    [COMMANDS.optionalPermissions]: (row: unknown) =>
      forExtension(wiring, row, async (chosen) => {
        const { showOptionalPermissions } = await import('./permissionCommands');
        await showOptionalPermissions(wiring, chosen);
      }),
  };
}
