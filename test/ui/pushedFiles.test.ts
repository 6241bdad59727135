// Covers: src/editor/files, src/archive
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { COMMANDS, SETTINGS, VIEWS } from '../../src/ids';
import { eventually } from '../support/eventually';
import { sharedWindow } from '../workbench/sharedWindow';
import { commandTitle, containerTitle, paletteTitle, viewTitle } from '../workbench/titles';
import type { View } from '../workbench/view';
import type { Workbench } from '../workbench/workbench';

/** The group of what is left out. */
const NOT_PUSHED = /^Not Pushed/;

/** Longest time until the view shows what there is, in milliseconds. */
const ROWS_LIMIT_MS = 60_000;

describe('what is pushed', () => {
  let workbench: Workbench;
  let folder: string;
  let view: View;

  /** Presses the keys again and again until an element can be seen. */
  const pressUntilVisible = async (wanted: Locator, ...keys: readonly string[]): Promise<void> => {
    const press = async (): Promise<void> => {
      for (const key of keys) await workbench.page.keyboard.press(key);
    };
    await eventually(
      () => view.rows(),
      () => wanted.isVisible(),
      ROWS_LIMIT_MS,
      press,
    );
  };

  before(async function () {
    ({ workbench, folder } = await sharedWindow(this));
    await mkdir(join(folder, 'node_modules', 'left'), { recursive: true });
    await writeFile(join(folder, 'big.txt'), 'x'.repeat(50_000));
    await workbench.openSidebar(containerTitle());
    view = workbench.view(viewTitle(VIEWS.contents));
  });

  after(async () => {
    for (const name of ['node_modules', 'big.txt', 'added.txt', 'many', '.vscode']) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
  });

  it('is shown before any push, largest first, with sizes and the rule of each omission', async () => {
    await workbench.command(paletteTitle(COMMANDS.showContents));
    await view.waitForRow('big.txt');
    const rows = await view.rows();
    assert.equal(rows[0], 'big.txt 50.0 kB');
    assert.ok(
      rows.some((row) => /^manifest\.json \d/.test(row)),
      rows.join('\n'),
    );
    // The command puts the focus into the view.
    await workbench.page.keyboard.press('End');
    await view.waitForRow(NOT_PUSHED);
    const left = view.row('node_modules').first();
    // A key is lost while the rows are still drawn; an open row stays open.
    await pressUntilVisible(left, 'End', 'ArrowRight', 'End');
    assert.equal(
      await left.getAttribute('aria-label'),
      'node_modules is not pushed: built-in rule: installed packages',
    );
  });

  it('follows files that are created and settings that change, while it is visible', async () => {
    await writeFile(join(folder, 'added.txt'), 'x'.repeat(1234));
    await workbench.page.keyboard.press('Home');
    await view.waitForRow(/added\.txt\s*1\.2 kB/);
    await mkdir(join(folder, '.vscode'), { recursive: true });
    await writeFile(join(folder, '.vscode', 'settings.json'), JSON.stringify({ [SETTINGS.exclude]: ['big.*'] }));
    await view.row('big.txt 50.0 kB').waitFor({ state: 'detached' });
    await workbench.page.keyboard.press('End');
    await view.waitForRow(/big\.txt\s*excluded by your pattern "big\.\*"/);
    await workbench.page.keyboard.press('Home');
  });

  it('shows a huge folder in a bounded number of rows, the largest files', async () => {
    await mkdir(join(folder, 'many'));
    const names = Array.from({ length: 600 }, (_none, index) => join(folder, 'many', `${index}.txt`));
    await Promise.all(names.map((name) => writeFile(name, 'x')));
    const row = await view.waitForRow(/many\s*600 files, 600 B/);
    await row.click();
    await workbench.page.keyboard.press('End');
    const more = view.row(/^100 smaller ones, 100 B$/).first();
    await pressUntilVisible(more, 'ArrowUp');
    await rm(join(folder, 'many'), { recursive: true });
    await view.row(/^many/).waitFor({ state: 'detached' });
    await workbench.page.keyboard.press('Home');
  });

  it('opens a file, and is hidden again', async () => {
    await (await view.waitForRow('added.txt')).click();
    await workbench.page.getByRole('tab', { name: /added\.txt/ }).waitFor();
    await view.clickAction(commandTitle(COMMANDS.hideContents));
    await workbench.page.locator('.part.sidebar .pane').filter({ hasText: view.title }).waitFor({ state: 'detached' });
    await workbench.editors.discard();
  });

  it('is offered for the folder of an extension in the Explorer, and for no other', async () => {
    await mkdir(join(folder, 'dist', 'js'), { recursive: true });
    await writeFile(
      join(folder, 'dist', 'manifest.json'),
      '{ "manifest_version": 3, "name": "built", "version": "1" }',
    );
    await workbench.openSidebar('Explorer');
    const menuOf = async (name: string): Promise<string[]> => {
      await workbench.page.getByRole('treeitem', { name, exact: true }).first().click({ button: 'right' });
      // The window has a menu item of its own, which is always there.
      const menu = workbench.page.locator('.monaco-menu-container');
      await menu.getByRole('menuitem').first().waitFor();
      const items = await menu.getByRole('menuitem').allInnerTexts();
      const isClosed = async (): Promise<boolean> => !(await menu.first().isVisible());
      await eventually('the menu closes', isClosed, ROWS_LIMIT_MS, () => workbench.page.keyboard.press('Escape'));
      return items.map((item) => item.trim());
    };
    const title = commandTitle(COMMANDS.showContents);
    try {
      await eventually('the folder offers it', async () => (await menuOf('dist')).includes(title), ROWS_LIMIT_MS);
      const isInManifest = async (): Promise<boolean> => (await menuOf('manifest.json')).includes(title);
      await eventually('the manifest offers it', isInManifest, ROWS_LIMIT_MS);
      assert.ok(!(await menuOf('icons')).includes(title));
    } finally {
      await rm(join(folder, 'dist'), { recursive: true, force: true });
    }
  });
}).timeout(120_000);
