import * as l10n from '@vscode/l10n';
import {
  languages,
  LanguageStatusSeverity,
  RelativePattern,
  Uri,
  type Disposable,
  type LanguageStatusItem,
} from 'vscode';
import { RecentMap } from '../../base/recentMap';
import type { Finding } from '../../manifest/finding';

/** So many manifests have an item; the one that was checked longest ago loses it. */
const MAX_ITEMS = 50;

/** The language status of each checked manifest: whether Chromium loads the extension. */
export class ManifestStatus implements Disposable {
  /** By extension folder. */
  readonly #items = new RecentMap<string, LanguageStatusItem>(MAX_ITEMS, (item) => item.dispose());

  /** Shows that a check of `folder` is running. */
  begin(folder: string): void {
    const item = this.#items.get(folder);
    if (item) item.busy = true;
  }

  /** Shows that no check is running; the last result stays. */
  end(folder: string): void {
    const item = this.#items.get(folder);
    if (item) item.busy = false;
  }

  /** Shows the result of a check of `folder`. */
  async show(folder: string, findings: readonly Finding[]): Promise<void> {
    const { CHROMIUM_VERSION } = await import('../../manifest/availability');
    const item = this.#items.latest(folder, () => newItem(folder));
    const { text, severity } = summary(findings, CHROMIUM_VERSION.split('.', 1)[0] ?? '');
    item.text = text;
    item.severity = severity;
    item.busy = false;
  }

  /** Shows nothing of `folder` any more. */
  forget(folder: string): void {
    this.#items.get(folder)?.dispose();
    this.#items.delete(folder);
  }

  dispose(): void {
    for (const item of this.#items.values()) item.dispose();
    this.#items.clear();
  }
}

function newItem(folder: string): LanguageStatusItem {
  const selector = { scheme: 'file', pattern: new RelativePattern(Uri.file(folder), 'manifest.json') };
  const item = languages.createLanguageStatusItem(`sideload.manifest:${folder}`, selector);
  item.name = l10n.t('Browser Extension');
  item.command = { command: 'workbench.actions.view.problems', title: l10n.t('Show Problems') };
  return item;
}

function summary(findings: readonly Finding[], major: string): Pick<LanguageStatusItem, 'text' | 'severity'> {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const warnings = findings.filter(({ severity }) => severity === 'warning').length;
  if (errors.length > 0) {
    const text = errors.some(({ chromium }) => chromium !== undefined)
      ? refusedText(major, errors.length)
      : notPushedText(errors.length);
    return { text, severity: LanguageStatusSeverity.Error };
  }
  if (warnings === 0)
    return { text: l10n.t('Chromium {0} loads it', major), severity: LanguageStatusSeverity.Information };
  const text =
    warnings === 1
      ? l10n.t('Chromium {0} loads it, 1 warning', major)
      : l10n.t('Chromium {0} loads it, {1} warnings', major, warnings);
  return { text, severity: LanguageStatusSeverity.Warning };
}

function refusedText(major: string, count: number): string {
  return count === 1
    ? l10n.t('Chromium {0} refuses it: 1 error', major)
    : l10n.t('Chromium {0} refuses it: {1} errors', major, count);
}

/** For errors that Chromium does not report, such as a worker that never starts. */
function notPushedText(count: number): string {
  return count === 1
    ? l10n.t('Sideload does not push it: 1 error')
    : l10n.t('Sideload does not push it: {0} errors', count);
}
