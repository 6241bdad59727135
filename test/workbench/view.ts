import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually';
import { actionLabel } from './actionLabel';

/** Longest time until the pointer can be over a row that nothing covers, in milliseconds. */
const HOVER_LIMIT_MS = 3000;

/** Longest time until a menu is closed, in milliseconds. */
const MENU_LIMIT_MS = 20_000;

/** Longest time until a view shows its content, in milliseconds. */
const SHOW_LIMIT_MS = 60_000;

/** One view of the open sidebar: a tree, or welcome content when the tree is empty. */
export class View {
  readonly #page: Page;
  readonly #pane: Locator;

  constructor(
    page: Page,
    readonly title: string,
  ) {
    this.#page = page;
    // A description beside the title, such as the service in use, is part of the name.
    const header = page.getByRole('button', { name: new RegExp(`^${title}( - .*)? Section$`) });
    this.#pane = page.locator('.part.sidebar .pane').filter({ has: header });
  }

  /** Expands the view and waits until it is visible. */
  async open(): Promise<void> {
    const header = this.#pane.locator('.pane-header');
    await header.waitFor();
    if ((await header.getAttribute('aria-expanded')) !== 'true') await header.click();
    await this.#pane.locator('.pane-body').waitFor();
  }

  /** Waits until it is there and expanded, by whatever does that. */
  async opened(): Promise<void> {
    await this.#pane.locator('.pane-header[aria-expanded="true"]').waitFor({ timeout: SHOW_LIMIT_MS });
    await this.#pane.locator('.pane-body').waitFor();
  }

  /** Whether the sidebar has it now, open or not. */
  async isThere(): Promise<boolean> {
    return (await this.#pane.count()) > 0;
  }

  /** Collapses the view. */
  async close(): Promise<void> {
    const header = this.#pane.locator('.pane-header');
    if ((await header.getAttribute('aria-expanded')) === 'true') await header.click();
    await this.#pane.locator('.pane-header[aria-expanded="false"]').waitFor();
  }

  /** The row whose label has this text. */
  row(text: string | RegExp): Locator {
    return this.#pane.getByRole('treeitem').filter({ hasText: text });
  }

  /** The rows that are shown, top to bottom: label and description of each in one text. */
  async rows(): Promise<string[]> {
    const rows: string[] = [];
    for (const row of await this.#pane.getByRole('treeitem').all()) {
      rows.push((await row.locator('.label-name, .label-description').allInnerTexts()).join(' ').trim());
    }
    return rows;
  }

  /** Waits for a row with this text. */
  async waitForRow(text: string | RegExp, limitMs = SHOW_LIMIT_MS): Promise<Locator> {
    const row = this.row(text).first();
    await row.waitFor({ timeout: limitMs });
    return row;
  }

  /** The welcome content, which the view shows while it has no rows. */
  async welcome(): Promise<string> {
    const words = this.#pane.locator('.welcome-view-content');
    await words.waitFor({ timeout: SHOW_LIMIT_MS });
    return words.innerText();
  }

  /** Waits until the view has no rows and its welcome content matches. */
  async waitForWelcome(text: RegExp): Promise<void> {
    const words = this.#pane.locator('.welcome-view-content').filter({ hasText: text });
    await words.waitFor({ timeout: SHOW_LIMIT_MS });
  }

  /** The line above the rows; empty when there is none in sight. */
  async message(): Promise<string> {
    const line = this.#pane.locator('.tree-explorer-viewlet-tree-view > .message');
    const [shown, body] = [await line.boundingBox(), await this.#pane.locator('.pane-body').boundingBox()];
    return shown && body && shown.y >= body.y ? (await line.innerText()).trim() : '';
  }

  /** Clicks a button in the welcome content. */
  async clickWelcome(button: string): Promise<void> {
    await this.#pane.locator('.welcome-view-content').getByRole('button', { name: button }).click();
  }

  /** Clicks an action in the title of the view, which is visible while the pointer is over it. */
  async clickAction(title: string): Promise<void> {
    await this.#clickInTitle((header) => header.getByRole('button', { name: actionLabel(title) }));
  }

  /** Opens the menu "…" in the title of the view. It is no button in VS Code 1.105. */
  async #openMenu(): Promise<void> {
    await this.#clickInTitle((header) => header.locator('.codicon-toolbar-more'));
  }

  async #clickInTitle(find: (header: Locator) => Locator): Promise<void> {
    await this.#pane.hover({ position: { x: 20, y: 10 } });
    await find(this.#pane.locator('.pane-header')).click();
  }

  /** Chooses an action from the menu "…" in the title of the view. */
  async chooseAction(title: string): Promise<void> {
    await this.#openMenu();
    const entry = this.#page.getByRole('menuitem', { name: title, exact: true });
    // By key: a menu ignores clicks just after it has opened.
    await entry.hover({ timeout: HOVER_LIMIT_MS }).catch(async () => {
      // VS Code closes the menu when the actions of the title change.
      await this.#openMenu();
      await entry.hover();
    });
    await this.#page.keyboard.press('Enter');
    await this.#page.mouse.move(0, 0);
  }

  /** Clicks an inline action of a row, which is visible while the pointer is over the row. */
  async clickRowAction(row: string | RegExp, title: string): Promise<void> {
    const item = await this.waitForRow(row);
    await item.hover({ timeout: HOVER_LIMIT_MS }).catch(async () => {
      // The hover card of another row covers this one, and stays as long as the pointer is on that row or on the card.
      await this.#page.mouse.move(0, 0);
      await this.#page.keyboard.press('Escape');
      await item.hover();
    });
    await item.getByRole('button', { name: actionLabel(title) }).click();
    // The hover card would cover the next row.
    await this.#page.mouse.move(0, 0);
  }

  /** The entries of the context menu of a row, which is closed again. */
  async menuOf(row: string | RegExp): Promise<string[]> {
    const item = await this.waitForRow(row);
    await item.click({ button: 'right' });
    // The window has a menu item of its own, which is always there.
    const menu = this.#page.locator('.monaco-menu-container');
    await menu.getByRole('menuitem').first().waitFor();
    const names = await menu.locator('.action-label').allInnerTexts();
    await this.#closeMenu();
    // Separators have no text.
    return names.filter((name) => name !== '');
  }

  /** The entries of a submenu of the context menu of a row, which is closed again. */
  async submenuOf(row: string | RegExp, submenu: string): Promise<string[]> {
    const item = await this.waitForRow(row);
    await item.click({ button: 'right' });
    await this.#page.getByRole('menuitem', { name: submenu, exact: true }).hover();
    await this.#page.keyboard.press('ArrowRight');
    const inner = this.#page.locator('.monaco-menu-container .monaco-submenu');
    await inner.getByRole('menuitem').first().waitFor();
    const names = await inner.locator('.action-label').allInnerTexts();
    await this.#closeMenu();
    return names.filter((name) => name !== '');
  }

  /** Chooses an action from the context menu of a row, or from a submenu of it. */
  async clickRowMenu(row: string | RegExp, title: string, submenu?: string): Promise<void> {
    const item = await this.waitForRow(row);
    await item.click({ button: 'right' });
    const entry = (name: string): Locator => this.#page.getByRole('menuitem', { name, exact: true });
    // By key: a menu ignores clicks just after it has opened.
    if (submenu !== undefined) {
      await entry(submenu).hover();
      await this.#page.keyboard.press('ArrowRight');
    }
    await entry(title).hover();
    await entry(title).and(this.#page.locator('.monaco-menu .action-item.focused > *')).waitFor();
    await this.#page.keyboard.press('Enter');
    await this.#page.mouse.move(0, 0);
  }

  async #closeMenu(): Promise<void> {
    const menu = this.#page.locator('.monaco-menu-container .monaco-menu');
    // A menu that has just opened may lose a key.
    const isClosed = async (): Promise<boolean> => (await menu.count()) === 0;
    await eventually('the menu is closed', isClosed, MENU_LIMIT_MS, () => this.#page.keyboard.press('Escape'));
    // The hover card would cover the next row.
    await this.#page.mouse.move(0, 0);
  }
}
