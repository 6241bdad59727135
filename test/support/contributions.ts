import manifest from '../../package.json';
import { isTrue, type ContextKeys } from './whenClause';

/** An entry of a menu in package.json. */
export interface MenuEntry {
  command?: string;
  submenu?: string;
  group?: string;
  when?: string;
}

const menus: Readonly<Record<string, readonly MenuEntry[] | undefined>> = manifest.contributes.menus;

/** The entries of a menu that are shown with these context keys. */
export function shownIn(menu: string, keys: ContextKeys): readonly MenuEntry[] {
  return (menus[menu] ?? []).filter(({ when }) => when === undefined || isTrue(when, keys));
}

/**
 * What the palette lists of Sideload with these context keys: the ids of commands, and of the views that have a command of VS Code's own
 * which puts the focus on them.
 */
export function paletteWith(keys: ContextKeys): string[] {
  const rules = new Map((menus['commandPalette'] ?? []).map(({ command, when }) => [command, when]));
  const isShown = (when: string | undefined): boolean => when === undefined || isTrue(when, keys);
  const commands = manifest.contributes.commands.flatMap(({ command }) =>
    isShown(rules.get(command)) ? [command] : [],
  );
  const views: readonly { id: string; when?: string }[] = manifest.contributes.views.sideload;
  return [...commands, ...views.flatMap(({ id, when }) => (isShown(when) ? [`${id}.focus`] : []))];
}
