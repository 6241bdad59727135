import manifest from '../../package.json';
import { SUBMENUS, type CommandId } from '../../src/ids';
import { textsOfPackage, type Language } from '../support/texts';

let byKey = new Map(Object.entries(textsOfPackage()));

/** From now on all titles are those of a window that speaks this language; undefined for English. */
export function titlesIn(language: Language | undefined): void {
  byKey = new Map(Object.entries(textsOfPackage(language)));
}

/** Title of a command as its buttons carry it, such as "Create Browser". */
export function commandTitle(id: CommandId): string {
  const command = manifest.contributes.commands.find((entry) => entry.command === id);
  if (!command) throw new Error(`package.json contributes no command ${id}.`);
  return localized(command.title);
}

/** A command as the palette lists it, such as "Sideload: Create Browser". */
export function paletteTitle(id: CommandId): string {
  const command = manifest.contributes.commands.find((entry) => entry.command === id);
  return `${command?.category ?? ''}: ${commandTitle(id)}`;
}

/** Title of a view of the sidebar. */
export function viewTitle(id: string): string {
  const view = manifest.contributes.views.sideload.find((entry) => entry.id === id);
  if (!view) throw new Error(`package.json contributes no view ${id}.`);
  return localized(view.name);
}

/** Title of a submenu of a row. */
export function submenuTitle(name: keyof typeof SUBMENUS): string {
  const submenu = manifest.contributes.submenus.find(({ id }) => id === SUBMENUS[name]);
  if (!submenu) throw new Error(`package.json contributes no submenu ${name}.`);
  return localized(submenu.label);
}

/** Title of the icon in the activity bar. */
export function containerTitle(): string {
  const [container] = manifest.contributes.viewsContainers.activitybar;
  if (!container) throw new Error('package.json contributes no activity-bar container.');
  return localized(container.title);
}

/** Resolves a text of package.json that has the form `%key%` in package.nls.json. */
function localized(text: string): string {
  const key = /^%(.+)%$/.exec(text)?.[1];
  if (key === undefined) return text;
  const words = byKey.get(key);
  if (words === undefined) throw new Error(`package.nls.json has no text for ${key}.`);
  return words;
}
