import * as l10n from '@vscode/l10n';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Disposable, type Terminal, window } from 'vscode';
import { askModal } from '../notify';
import { installCommand } from './installCommand';

/** How long a shell may take until it reports itself, in milliseconds; not every shell does. */
const SHELL_LIMIT_MS = 3000;

/** From then until its prompt, in milliseconds. */
const PROMPT_MS = 700;

/** Says how a browser is installed on this system, and puts the command into a terminal without running it. */
export async function installBrowser(): Promise<void> {
  const command = installCommand(process.platform, existsSync);
  const openTerminal = l10n.t('Put It into a Terminal');
  const lines = [
    l10n.t(
      'Sideload drives a Chromium-based browser that is installed here: Chromium, Chrome for Testing, Google Chrome, Microsoft Edge or Brave.',
    ),
    command === undefined
      ? l10n.t(
          'Install one with the package manager of this system, or name its executable in the setting sideload.local.browserPath.',
        )
      : l10n.t('This command installs one: {0}', command),
  ];
  const choice = await askModal(
    l10n.t('Install a browser on this machine'),
    lines,
    ...(command === undefined ? [] : [openTerminal]),
  );
  if (choice !== openTerminal || command === undefined) return;
  // oxlint-disable-next-line no-restricted-properties -- the command line is a constant
  const terminal = window.createTerminal('Sideload');
  terminal.show();
  await promptShown(terminal);
  // oxlint-disable-next-line no-restricted-properties -- the command line is a constant
  terminal.sendText(command, false);
}

/** Waits until a new terminal shows the prompt of its shell: what is sent before is shown twice, by the terminal and by the shell. */
async function promptShown(terminal: Terminal): Promise<void> {
  let listener: Disposable | undefined;
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    listener = window.onDidChangeTerminalShellIntegration((event) => {
      if (event.terminal === terminal) resolve();
    });
    timer = setTimeout(resolve, SHELL_LIMIT_MS);
  });
  clearTimeout(timer);
  listener?.dispose();
  await delay(PROMPT_MS);
}
