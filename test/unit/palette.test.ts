import assert from 'node:assert/strict';
import manifest from '../../package.json';
import { COMMANDS, CONTEXT, SUBMENUS, VIEWS } from '../../src/ids';
import { paletteWith, shownIn } from '../support/contributions';
import { isTrue, type ContextKeys } from '../support/whenClause';

/** Most entries of the palette with a folder, and without. */
const MOST_WITH_FOLDER = 45;
const MOST_WITHOUT_FOLDER = 12;

/** Most entries of the menu of a row, without its submenus. */
const MOST_OF_ROW = 8;

/** Most icons in the title of a view, with that of its menu: four leave no room for its words in a sidebar of 190 px. */
const MOST_ICONS = 3;

/** The clauses that decide about the palette. */
const CLAUSES = JSON.stringify([manifest.contributes.menus.commandPalette, manifest.contributes.views]);

/** The context keys of Sideload that are either on or off and matter to the palette. */
const SWITCHES = Object.values<string>(CONTEXT).filter((key) => CLAUSES.includes(key));

/** What cannot be the case without a folder. */
const OFF_WITHOUT_FOLDER = {
  [CONTEXT.hasPushed]: false,
  [CONTEXT.showsContents]: false,
  [CONTEXT.consoleRunsEverywhere]: false,
};

/** The most entries that the palette has with `keys`, whatever is on or off besides. */
function most(keys: ContextKeys): string[] {
  let largest: string[] = [];
  for (let set = 0; set < 2 ** SWITCHES.length; set++) {
    const switched = Object.fromEntries(SWITCHES.map((key, bit) => [key, (set & (1 << bit)) !== 0]));
    const list = paletteWith({ ...switched, ...keys });
    if (list.length > largest.length) largest = list;
  }
  return largest;
}

describe('the command palette', () => {
  const rows = manifest.contributes.menus.commandPalette;

  it('has a rule for each command that is not always listed', () => {
    const known = manifest.contributes.commands.map(({ command }) => command);
    for (const { command } of rows) assert.ok(known.includes(command), command);
    assert.equal(new Set(rows.map(({ command }) => command)).size, rows.length);
  });

  for (const service of ['local', 'cloud']) {
    it(`has at most ${MOST_WITH_FOLDER} entries with a folder and a browser, whatever else is the case (${service})`, () => {
      const list = most({ workspaceFolderCount: 1, 'config.sideload.service': service });
      assert.ok(list.length <= MOST_WITH_FOLDER, `${list.length}: ${list.join('\n')}`);
    });

    it(`has at most ${MOST_WITHOUT_FOLDER} without a folder (${service})`, () => {
      const list = most({ ...OFF_WITHOUT_FOLDER, workspaceFolderCount: 0, 'config.sideload.service': service });
      assert.ok(list.length <= MOST_WITHOUT_FOLDER, `${list.length}: ${list.join('\n')}`);
    });
  }

  it('has one command each for push on save, the console and the screen, at any time', () => {
    const families = [
      [COMMANDS.togglePushOnSave, COMMANDS.setPushOnSave],
      [COMMANDS.startConsole, COMMANDS.stopConsole, COMMANDS.showConsole],
      Object.values(COMMANDS).filter((id) =>
        /\.(screen|scroll)|savePicture|refreshPicture|ScrollPoint|openS(croll|creen)/.test(id),
      ),
    ];
    for (const [consoleRuns, consoleRunsEverywhere] of [
      [false, false],
      [true, false],
      [true, true],
    ]) {
      const list = paletteWith({
        workspaceFolderCount: 1,
        [CONTEXT.hasPushed]: true,
        [CONTEXT.consoleRuns]: consoleRuns,
        [CONTEXT.consoleRunsEverywhere]: consoleRunsEverywhere,
      });
      for (const family of families) assert.equal(family.filter((id) => list.includes(id)).length, 1, family.join());
    }
  });
});

describe('the menu of a row', () => {
  /** All rows that there are, by the view and what VS Code compares. */
  const ROWS: readonly (readonly [view: string, row: string])[] = [
    ...['browser', 'pinnedBrowser'].flatMap((kind) =>
      ['', 'WithLiveView', 'WithoutDevTools', 'WithLiveViewWithoutDevTools'].flatMap((suffix) =>
        ['', 'Entered'].map((end) => [VIEWS.browsers, `${kind}${suffix}${end}`] as const),
      ),
    ),
    ...['loadedExtension', 'loadedExtensionWorkerRuns', 'loadedExtensionWithoutOptionsWorkerStopped'].map(
      (row) => [VIEWS.browsers, row] as const,
    ),
    ...['runningWorker', 'stoppedWorker', 'extensionPage', 'extensionFrame', 'tab', 'retry'].map(
      (row) => [VIEWS.browsers, row] as const,
    ),
    ...['profile', 'profileEntered'].map((row) => [VIEWS.profiles, row] as const),
    ...['extension', 'extensionEntered'].map((row) => [VIEWS.extensions, row] as const),
    [VIEWS.pushes, 'push'],
  ];

  const menuOf = (
    view: string,
    viewItem: string,
    more: ContextKeys = {},
  ): readonly { command?: string; submenu?: string }[] =>
    shownIn('view/item/context', { view, viewItem, workspaceFolderCount: 1, ...more }).filter(
      ({ group }) => group?.startsWith('inline') !== true,
    );

  it(`has at most ${MOST_OF_ROW} entries, and the submenus Open, Worker and State besides`, () => {
    for (const [view, row] of ROWS) {
      for (const everywhere of [false, true]) {
        const menu = menuOf(view, row, { [CONTEXT.consoleRuns]: true, [CONTEXT.consoleRunsEverywhere]: everywhere });
        const entries = menu.filter(({ command }) => command !== undefined);
        assert.ok(entries.length <= MOST_OF_ROW, `${row}: ${entries.map(({ command }) => command).join()}`);
        for (const { submenu } of menu) {
          if (submenu !== undefined) assert.ok(Object.values<string>(SUBMENUS).includes(submenu), submenu);
        }
      }
    }
  });

  it('has each submenu once, since VS Code drops a second entry for it', () => {
    for (const [menu, entries] of Object.entries(manifest.contributes.menus)) {
      const submenus = entries.flatMap((entry: { submenu?: string }) => entry.submenu ?? []);
      assert.equal(new Set(submenus).size, submenus.length, menu);
    }
    for (const row of ['browser', 'loadedExtension']) {
      assert.ok(
        menuOf(VIEWS.browsers, row).some(({ submenu }) => submenu === SUBMENUS.open),
        row,
      );
    }
  });

  it('has Stop or Wake Worker, and not both, where the state of the worker is known', () => {
    const worker = (viewItem: string): (string | undefined)[] =>
      shownIn(SUBMENUS.worker, { viewItem }).map(({ command }) => command);
    assert.deepEqual(worker('loadedExtensionWorkerRuns'), [COMMANDS.stopWorker]);
    assert.deepEqual(worker('loadedExtensionWorkerStopped'), [COMMANDS.wakeWorker]);
    assert.deepEqual(worker('loadedExtension'), [COMMANDS.stopWorker, COMMANDS.wakeWorker]);
  });

  it('has nothing that the manifest of the extension does not have', () => {
    const view = VIEWS.browsers;
    const open = (viewItem: string): (string | undefined)[] =>
      shownIn(SUBMENUS.open, { view, viewItem }).map(({ command }) => command);
    const surfaces = [COMMANDS.openPopup, COMMANDS.pressAction, COMMANDS.openOptions, COMMANDS.openSidePanel];
    assert.deepEqual(open('loadedExtension'), [...surfaces, COMMANDS.openPage]);
    assert.deepEqual(open('loadedExtensionWithoutPopupWithoutActionWithoutOptionsWithoutSidePanel'), [
      COMMANDS.openPage,
    ]);
    const state = (viewItem: string): (string | undefined)[] =>
      shownIn(SUBMENUS.state, { view, viewItem }).map(({ command }) => command);
    const dependent = [COMMANDS.fireAlarm, COMMANDS.hostAccess, COMMANDS.optionalPermissions, COMMANDS.pinToToolbar];
    for (const command of dependent) assert.ok(state('loadedExtension').includes(command), command);
    const without = 'loadedExtensionWithoutActionWithoutAlarmsWithoutOptionalPermissionsWithoutHosts';
    for (const command of dependent) assert.ok(!state(without).includes(command), command);
    const submenus = menuOf(view, 'loadedExtensionWithoutWorkerWithoutStorage').flatMap(({ submenu }) => submenu ?? []);
    assert.deepEqual(submenus, [SUBMENUS.open, SUBMENUS.state]);
    assert.ok(!menuOf(view, 'loadedExtensionWithoutStorage').some(({ command }) => command === COMMANDS.openStorage));
    assert.deepEqual(open('browser'), [COMMANDS.openScroll, COMMANDS.openScreenInSidebar, COMMANDS.openLocalhost]);
    assert.ok(open('browserWithLiveView').includes(COMMANDS.openLiveView));
  });
});

describe('the title of a view', () => {
  const entries = manifest.contributes.menus['view/title'];

  it(`has at most ${MOST_ICONS} icons, whatever is the case, so that a narrow sidebar shows its words`, () => {
    for (const view of Object.values(VIEWS)) {
      const clauses = entries.flatMap(({ when }) => (when.includes(view) ? [when] : [])).join();
      const switches = Object.values<string>(CONTEXT).filter((key) => clauses.includes(key));
      for (let set = 0; set < 2 ** switches.length; set++) {
        const switched = Object.fromEntries(switches.map((key, bit) => [key, (set & (1 << bit)) !== 0]));
        const shown = shownIn('view/title', { view, workspaceFolderCount: 1, ...switched });
        const commands = shown.map(({ command }) => command);
        const icons = shown.filter(({ group }) => group?.startsWith('navigation') === true);
        const count = icons.length < shown.length ? icons.length + 1 : icons.length;
        // What clears a search is there only as long as that lasts.
        const more = commands.includes(COMMANDS.clearBrowserSearch) || commands.includes(COMMANDS.clearProfileSearch);
        assert.ok(count <= MOST_ICONS + (more ? 1 : 0), `${view}: ${icons.map(({ command }) => command).join()}`);
        assert.equal(new Set(commands).size, commands.length, commands.join());
      }
    }
  });

  it('has refresh and search of browsers in its menu, and an icon that clears the search', () => {
    const shown = shownIn('view/title', { view: VIEWS.browsers, [CONTEXT.browsersSearched]: true });
    const groups = new Map(shown.map(({ command, group }) => [command, group]));
    for (const command of [COMMANDS.refresh, COMMANDS.searchBrowsers]) assert.equal(groups.get(command)?.[0], '0');
    assert.match(groups.get(COMMANDS.clearBrowserSearch) ?? '', /^navigation/);
  });
});

describe('a when clause', () => {
  it('is evaluated as VS Code does', () => {
    const keys = { a: true, b: false, n: 1, text: 'loadedExtensionWithoutX', list: ['x', 'y'], x: 'y' };
    const cases: readonly (readonly [string, boolean])[] = [
      ['a', true],
      ['!a', false],
      ['b || a', true],
      ['a || a && b', true],
      ['(a || a) && b', false],
      ['n == 1 && n != 0', true],
      ['missing != 0', true],
      ['missing', false],
      ['text =~ /^loaded/', true],
      ['!(text =~ /WithoutX/)', false],
      ['x in list', true],
      ["x == 'y'", true],
      ['false', false],
    ];
    for (const [clause, value] of cases) assert.equal(isTrue(clause, keys), value, clause);
    assert.throws(() => isTrue('a +', keys));
    assert.throws(() => isTrue('a a', keys));
  });
});
