import { COMMANDS } from '../../ids';
import type { BrowserWiring } from '../browsers/browserWiring';
import type { Handler } from '../commandRegistry';
import type { BrowserExtension } from '../lists/browserContents';
import { extensionCommand } from '../browsers/chooseExtension';

/** The commands for the state of an extension: alarms, permissions, installation. What they need is loaded with the first use. */
export function stateHandlers(wiring: BrowserWiring) {
  const command = <T>(load: () => Promise<T>, act: (commands: T, chosen: BrowserExtension) => Promise<void>): Handler =>
    extensionCommand(wiring, load, act);
  const alarms = () => import('./alarmCommands');
  const states = () => import('./stateCommands');
  const permissions = () => import('./permissionCommands');
  return {
    [COMMANDS.fireAlarm]: command(alarms, (alarm, chosen) => alarm.fireAlarm(wiring, chosen)),
    [COMMANDS.freshInstall]: command(states, (state, chosen) => state.freshInstall(wiring, chosen)),
    [COMMANDS.hostAccess]: command(states, (state, chosen) => state.chooseHostAccess(wiring, chosen)),
    [COMMANDS.allowInIncognito]: command(states, (state, chosen) => state.switchState(wiring, chosen, 'incognito')),
    [COMMANDS.allowFileAccess]: command(states, (state, chosen) => state.switchState(wiring, chosen, 'fileAccess')),
    [COMMANDS.pinToToolbar]: command(states, (state, chosen) => state.switchState(wiring, chosen, 'pinned')),
    [COMMANDS.optionalPermissions]: command(permissions, (one, chosen) => one.showOptionalPermissions(wiring, chosen)),
  };
}
