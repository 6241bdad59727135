import manifest from '../../package.json';
import { ROWS, SUBMENUS, VIEWS } from '../../src/ids';
import { textsOfPackage } from '../support/texts';
import type { MenuEntry } from '../support/contributions';

const TEXTS = new Map(Object.entries(textsOfPackage()));

const MENUS: Readonly<Record<string, readonly MenuEntry[] | undefined>> = manifest.contributes.menus;

/** What rows are called, by what VS Code compares. */
const ROW_NAMES: Readonly<Record<string, string>> = {
  [ROWS.browser]: 'a browser',
  [ROWS.pinnedBrowser]: 'a browser',
  [ROWS.browserExtension]: 'an extension',
  [ROWS.runningWorker]: 'a worker',
  [ROWS.stoppedWorker]: 'a worker',
  [ROWS.browserTab]: 'a tab',
  [ROWS.extensionPage]: 'a page of an extension',
  [ROWS.extensionFrame]: 'a frame of an extension',
  [ROWS.profile]: 'a profile',
  [ROWS.extension]: 'a stored extension',
  [ROWS.push]: 'a push',
  [ROWS.localhost]: 'localhost',
  [ROWS.retry]: 'a failed list',
};

/** The suffix of rows of what was entered, and the menus that are no rows and no views. */
const ENTERED = 'what was entered';
const OTHER_MENUS: Readonly<Record<string, string>> = {
  'editor/title/run': 'title of manifest.json',
  'explorer/context': 'Explorer, at the extension folder',
};

/** A text of package.json in English: what its `%name%` stands for, else itself. */
export function englishText(text: string): string {
  return TEXTS.get(text.replaceAll('%', '')) ?? text;
}

/** The places where package.json puts a command, in words: `row of a browser, **Open**`. */
export function placesOf(command: string): string[] {
  const palette = MENUS['commandPalette']?.find((entry) => entry.command === command);
  const found = new Set(palette?.when === 'false' ? [] : ['palette']);
  for (const [menu, entries = []] of Object.entries(MENUS)) {
    if (menu === 'commandPalette') continue;
    for (const entry of entries)
      if (entry.command === command) for (const where of placesIn(menu, entry)) found.add(where);
  }
  return [...found];
}

function placesIn(menu: string, { when = '', group = '' }: MenuEntry): string[] {
  if (menu === 'view/title') {
    const views = Object.values(VIEWS).filter((id) => when.includes(id));
    return views.map((id) => `${group.startsWith('navigation') ? 'title' : 'menu'} of ${viewName(id)}`);
  }
  if (menu === 'view/item/context') return rowsIn(when).map((row) => `row of ${row}`);
  const submenu = manifest.contributes.submenus.find(({ id }) => id === menu);
  if (submenu) {
    const rows = menu === SUBMENUS.open ? rowsIn(when) : ['an extension'];
    return rows.map((row) => `row of ${row}, **${englishText(submenu.label)}**`);
  }
  return [OTHER_MENUS[menu] ?? menu];
}

/** The rows that a clause allows: those that one of its comparisons names, positively. */
function rowsIn(when: string): string[] {
  const found = new Set<string>();
  for (const [, pattern = '', text] of when.matchAll(/(?<!\()viewItem (?:=~ \/(.*?)\/|== (\w+))/g)) {
    const names = Object.entries(ROW_NAMES).filter(([row]) =>
      text === undefined ? new RegExp(pattern).test(row) : row === text,
    );
    if (pattern === 'WithLiveView') found.add('a browser');
    if (pattern.startsWith('Entered')) found.add(ENTERED);
    for (const [, name] of names) found.add(name);
  }
  return [...found];
}

/** The name of a view. */
export function viewName(id: string): string {
  const views: readonly { id: string; name: string }[] = manifest.contributes.views.sideload;
  return englishText(views.find((view) => view.id === id)?.name ?? id);
}

/** The keys of a command: `Ctrl+F6 (Cmd+F6 on a Mac)`. */
export function keysOf(command: string): string[] {
  const keys: readonly { command: string; key: string; mac?: string }[] = manifest.contributes.keybindings;
  const own = keys.filter((binding) => binding.command === command);
  return [
    ...new Set(
      own.map(({ key, mac }) => (mac === undefined ? keyText(key) : `${keyText(key)} (${keyText(mac)} on a Mac)`)),
    ),
  ];
}

function keyText(key: string): string {
  return key.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
