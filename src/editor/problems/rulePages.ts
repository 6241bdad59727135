import * as l10n from '@vscode/l10n';
import { posix } from 'node:path';
import { Uri, workspace, type Disposable } from 'vscode';
import { RULE_PAGE_SCHEME } from '../../ids';

/** The address of the page about a rule, which VS Code opens as rendered Markdown (`configurationDefaults` in package.json). */
export function rulePageUri(rule: string): Uri {
  return Uri.from({ scheme: RULE_PAGE_SCHEME, path: `/${rule}.md` });
}

/** Provides the pages of the rules as documents. */
export function registerRulePages(): Disposable {
  return workspace.registerTextDocumentContentProvider(RULE_PAGE_SCHEME, {
    provideTextDocumentContent: async ({ path }) => {
      const { rulePage } = await import('../../manifest/pages/rulePage');
      return rulePage(posix.basename(path, '.md')) ?? l10n.t('There is no such rule.');
    },
  });
}
