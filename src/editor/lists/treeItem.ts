import { ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { COMMANDS, ROWS } from '../../ids';
import type { Node } from './nodes';

/** The tree item of a row in the view with the id `view`. */
export function treeItemOf(node: Node<unknown>, { canExpand, view }: { canExpand: boolean; view: string }): TreeItem {
  const item = new TreeItem(node.label, canExpand ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None);
  item.id = node.id;
  item.description = node.description;
  item.tooltip = node.tooltip;
  item.iconPath = new ThemeIcon(node.icon);
  item.contextValue = node.contextValue;
  item.accessibilityInformation = { label: node.spoken };
  if (node.contextValue === ROWS.retry) item.command = { command: COMMANDS.refresh, title: node.label };
  if (node.contextValue === ROWS.localhost) {
    item.command = { command: COMMANDS.showLocalhostRequests, title: node.label, arguments: [node] };
  }
  if (node.contextValue === ROWS.more) {
    item.command = { command: COMMANDS.loadMore, title: node.label, arguments: [view] };
  }
  return item;
}
