import * as l10n from '@vscode/l10n';
import type { BrowserWiring } from './browserWiring';
import { choosePushed } from './chooseExtension';
import type { BrowserExtension } from '../lists/browserContents';

/** Calls `act` with the extension of a row, else the pushed one, else the one that the user picks; not when the user cancels. */
export async function forExtension(
  wiring: BrowserWiring,
  row: unknown,
  act: (chosen: BrowserExtension) => Promise<void>,
): Promise<void> {
  const chosen = await choosePushed(wiring, row, l10n.t('Select the extension'));
  if (chosen) await act(chosen);
}
