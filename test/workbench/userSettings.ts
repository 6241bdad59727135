import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../support/eventually';
import type { Server } from '../machine/server';
import type { OpenWindow } from './window';

const OPEN_SETTINGS = 'Preferences: Open User Settings (JSON)';

/** Longest time until they are saved, in milliseconds. */
const SAVE_LIMIT_MS = 20_000;

/** Longest time until their editor is closed, and how long it may take after a key for it, in milliseconds. */
const CLOSE_LIMIT_MS = 20_000;
const CLOSES_MS = 3000;

/**
 * Changes user settings as a person does, in their file in the editor: VS Code does not notice when another program writes it. The returned
 * function restores it.
 */
export async function changeUserSettings(
  window: OpenWindow,
  changes: Readonly<Record<string, unknown>>,
): Promise<() => Promise<void>> {
  const text = await readSettings(window.server);
  const settings: unknown = JSON.parse(text);
  if (typeof settings !== 'object' || settings === null) throw new Error('The user settings are no object.');
  await write(window, JSON.stringify({ ...settings, ...changes }, undefined, 2));
  return () => write(window, text);
}

async function write({ workbench, server }: OpenWindow, text: string): Promise<void> {
  const { page, editors } = workbench;
  await workbench.command(OPEN_SETTINGS);
  // VS Code opens it in a dialog or, in older releases, in a tab.
  const editor = page.locator('.monaco-editor[data-uri$="/settings.json"]');
  await editor.locator('.view-lines').click();
  await editors.replaceAll(text);
  await page.keyboard.press('ControlOrMeta+s');
  await eventually('the user settings are saved', async () => (await readSettings(server)) === text, SAVE_LIMIT_MS);
  const isClosed = async (): Promise<boolean> => !(await editor.isVisible());
  await eventually('the user settings are closed', isClosed, CLOSE_LIMIT_MS, async () => {
    // The palette does not open over the dialog. The editor may take the key for something of its own.
    if (await page.locator('.modal-editor-part').isVisible()) await page.keyboard.press('Escape');
    else await workbench.command('View: Close Editor');
    await editor.waitFor({ state: 'detached', timeout: CLOSES_MS }).catch(() => undefined);
  });
}

async function readSettings({ userDir }: Server): Promise<string> {
  return await readFile(join(userDir, 'settings.json'), 'utf8');
}
