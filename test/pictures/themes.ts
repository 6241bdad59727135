import { eventually } from '../support/eventually';
import type { Workbench } from '../workbench/workbench';

/** One theme of each kind, by the part of a file's name that it is. */
export const THEMES = { light: 'Light Modern', dark: 'Dark Modern' } as const;
export const CONTRAST_THEMES = { 'hc-light': 'Light High Contrast', 'hc-dark': 'Dark High Contrast' } as const;

/** Longest time until a new window knows its themes, in milliseconds. */
const THEMES_LIMIT_MS = 30_000;

/** How long the window may take to list them, in milliseconds. */
const SETTLE_MS = 1500;

/** Chooses a theme. A window that has just opened does not list its themes yet. */
export async function useTheme(workbench: Workbench, name: string): Promise<void> {
  const { quickInput, page } = workbench;
  const end = performance.now() + THEMES_LIMIT_MS;
  for (;;) {
    await workbench.command('Preferences: Color Theme');
    await quickInput.opened();
    if ((await quickInput.entries()).length > 1) break;
    if (performance.now() > end) throw new Error('The window lists no themes.');
    await quickInput.cancel();
    await page.waitForTimeout(SETTLE_MS);
  }
  await quickInput.type(name);
  await eventually(
    `the window lists ${name}`,
    async () => (await quickInput.entries())[0]?.startsWith(name) === true,
    THEMES_LIMIT_MS,
  );
  // By the keyboard, since a tooltip may cover the list.
  await quickInput.accept();
  await quickInput.closed();
}
