import { COMMANDS } from '../../ids';
import type { BrowserParts } from '../browsers/browserWiring';
import type { Handler } from '../commandRegistry';
import type { BrowserExtension } from '../lists/browserContents';
import { forExtension } from '../browsers/forExtension';

/** The commands for the state of an extension: alarms, permissions, installation. What they need is loaded with the first use. */
export function stateHandlers(parts: BrowserParts) {
  const command =
    (act: (state: typeof import('./stateCommands'), chosen: BrowserExtension) => Promise<void>): Handler =>
    (row) =>
      forExtension(parts, row, async (chosen) => {
        await act(await import('./stateCommands'), chosen);
      });
  return {
    [COMMANDS.fireAlarm]: (row: unknown) =>
      forExtension(parts, row, async (chosen) => {
        const { fireAlarm } = await import('./alarmCommands');
        await fireAlarm(parts, chosen);
      }),
    [COMMANDS.freshInstall]: command((state, chosen) => state.freshInstall(parts, chosen)),
    [COMMANDS.hostAccess]: command((state, chosen) => state.chooseHostAccess(parts, chosen)),
    [COMMANDS.allowInIncognito]: command((state, chosen) => state.switchState(parts, chosen, 'incognito')),
    [COMMANDS.allowFileAccess]: command((state, chosen) => state.switchState(parts, chosen, 'fileAccess')),
    [COMMANDS.pinToToolbar]: command((state, chosen) => state.switchState(parts, chosen, 'pinned')),
    [COMMANDS.optionalPermissions]: (row: unknown) =>
      forExtension(parts, row, async (chosen) => {
        const { showOptionalPermissions } = await import('./permissionCommands');
        await showOptionalPermissions(parts, chosen);
      }),
  };
}
