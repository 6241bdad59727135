import * as l10n from '@vscode/l10n';
import { ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState, Uri } from 'vscode';
import type { Contents, ContentsFile, ContentsFolder } from '../../archive/archiveTree';
import type { LeftOut } from '../../archive/selection';
import { sizeText } from '../../base/units';
import { fileUri } from '../folder/extensionFolder';

/** So many rows are shown below one row: VS Code draws more of them slowly. */
const MAX_ROWS = 500;

/** A row of the view: an entry that is pushed, the group of those that are not, one of these, or how many rows are not shown. */
export type ContentsRow =
  | { kind: 'entry'; entry: ContentsFolder | ContentsFile }
  | { kind: 'notPushed'; leftOut: readonly LeftOut[] }
  | { kind: 'leftOut'; leftOut: LeftOut }
  | { kind: 'more'; below: string; text: string };

/** The rows at the top: what is pushed, then the group of what is not. */
export function topRows({ root, leftOut }: Contents): ContentsRow[] {
  return [...rowsOfFolder(root), ...(leftOut.length > 0 ? [{ kind: 'notPushed', leftOut } as const] : [])];
}

/** The rows below a row. */
export function rowsBelow(row: ContentsRow): ContentsRow[] {
  if (row.kind === 'entry' && row.entry.kind === 'folder') return rowsOfFolder(row.entry);
  if (row.kind !== 'notPushed') return [];
  const rows = row.leftOut.slice(0, MAX_ROWS).map((leftOut): ContentsRow => ({ kind: 'leftOut', leftOut }));
  const rest = row.leftOut.length - MAX_ROWS;
  return rest > 0 ? [...rows, { kind: 'more', below: 'not pushed', text: l10n.t('{0} more', rest) }] : rows;
}

function rowsOfFolder({ path, entries }: ContentsFolder): ContentsRow[] {
  const rows = entries.slice(0, MAX_ROWS).map((entry): ContentsRow => ({ kind: 'entry', entry }));
  const rest = entries.slice(MAX_ROWS);
  if (rest.length === 0) return rows;
  const bytes = rest.reduce((sum, { size }) => sum + size, 0);
  return [...rows, { kind: 'more', below: path, text: l10n.t('{0} smaller ones, {1}', rest.length, sizeText(bytes)) }];
}

/** The row as VS Code draws it. `folder`: the extension folder, absolute. */
export function itemOf(row: ContentsRow, folder: string): TreeItem {
  switch (row.kind) {
    case 'entry':
      return row.entry.kind === 'file' ? fileItem(row.entry, folder) : folderItem(row.entry, folder);
    case 'notPushed': {
      const item = new TreeItem(l10n.t('Not Pushed'), TreeItemCollapsibleState.Collapsed);
      item.id = 'not pushed';
      item.description = String(row.leftOut.length);
      item.iconPath = new ThemeIcon('circle-slash');
      item.accessibilityInformation = { label: l10n.t('Not pushed: {0} files and folders', row.leftOut.length) };
      return item;
    }
    case 'leftOut':
      return leftOutItem(row.leftOut, folder);
    case 'more': {
      const item = new TreeItem(row.text);
      item.id = `more:${row.below}`;
      item.iconPath = new ThemeIcon('ellipsis');
      return item;
    }
  }
}

function fileItem({ name, path, size }: ContentsFile, folder: string): TreeItem {
  const item = new TreeItem(name);
  item.id = `file:${path}`;
  item.resourceUri = fileUri(folder, path);
  item.iconPath = ThemeIcon.File;
  item.description = sizeText(size);
  item.tooltip = l10n.t('{0} is pushed: {1} before compression', path, sizeText(size));
  item.accessibilityInformation = { label: `${name}, ${sizeText(size)}` };
  item.command = { command: 'vscode.open', title: l10n.t('Open'), arguments: [item.resourceUri] };
  return item;
}

function folderItem({ name, path, size, count }: ContentsFolder, folder: string): TreeItem {
  const item = new TreeItem(name, TreeItemCollapsibleState.Collapsed);
  const facts = countAndSize(count, size);
  item.id = `folder:${path}`;
  item.resourceUri = Uri.joinPath(Uri.file(folder), path);
  item.iconPath = ThemeIcon.Folder;
  item.description = facts;
  item.tooltip = l10n.t('{0} is pushed: {1} before compression', path, facts);
  item.accessibilityInformation = { label: l10n.t('Folder {0}, {1}', name, facts) };
  return item;
}

function leftOutItem({ path, reason, rule }: LeftOut, folder: string): TreeItem {
  const item = new TreeItem(path);
  const why = rule === 'builtIn' ? l10n.t('built-in rule: {0}', reason) : reason;
  item.id = `left out:${path}`;
  item.iconPath = new ThemeIcon('circle-slash', new ThemeColor('disabledForeground'));
  item.description = reason;
  item.tooltip = rule
    ? l10n.t('{0} is not pushed: {1}. The setting sideload.include brings it back.', path, why)
    : l10n.t('{0} is not pushed: {1}.', path, why);
  item.accessibilityInformation = { label: l10n.t('{0} is not pushed: {1}', path, why) };
  const command = 'revealInExplorer';
  item.command = { command, title: l10n.t('Reveal in Explorer'), arguments: [fileUri(folder, path)] };
  return item;
}

/** The number of files and their size, such as `9 files, 6.2 kB`. */
export function countAndSize(count: number, bytes: number): string {
  return count === 1 ? l10n.t('1 file, {0}', sizeText(bytes)) : l10n.t('{0} files, {1}', count, sizeText(bytes));
}
