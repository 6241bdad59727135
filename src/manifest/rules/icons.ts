import * as l10n from '@vscode/l10n';
import { hasImageType, iconFiles, type NamedIcon } from '../namedFile';
import { adviceForMissing, createAdvice, MAX_HINTS } from '../folder/similar';
import { proposing } from '../proposal';
import { refusal } from '../refusal';
import { ruleOf, type Report } from '../rule';

/** R-ICON-MIME: Chromium drops a file whose name is not that of a picture with a warning, whether or not it exists. Measured on Chromium 156. */
export const iconTypeRule = ruleOf('R-ICON-MIME', 'keys', (context) => {
  return iconFiles(context)
    .filter((icon) => !hasImageType(icon))
    .map(wrongType);
});

/** R-ICON-MISSING: a picture that is missing or empty; Chromium does not look at its content. Measured on Chromium 156. */
export const missingIconRule = ruleOf('R-ICON-MISSING', 'files', async (context) => {
  const reports: Report[] = [];
  for (const icon of iconFiles(context).filter(hasImageType)) {
    const facts = await context.folder.stat(icon.file);
    if (facts && (facts.kind !== 'file' || facts.size > 0)) continue;
    const wrong = facts
      ? l10n.t('The icon "{0}" is an empty file.', icon.written)
      : l10n.t('The icon "{0}" is not in the folder.', icon.written);
    const isHinted = !facts && reports.length < MAX_HINTS;
    const { advice, fix } = isHinted
      ? await adviceForMissing(context.folder, icon.file, icon.written)
      : { advice: createAdvice() };
    const text = `Could not load icon '${icon.file}' specified in '${icon.key}'.`;
    reports.push(proposing(refusal(text, `${wrong} ${advice}`, icon.path), fix));
  }
  return reports;
});

function wrongType({ written, place, path }: NamedIcon): Report {
  return {
    severity: 'warning',
    message: l10n.t(
      'Chromium ignores the icon "{0}", because its name is not that of a picture. Name a PNG file, or remove it.',
      written,
    ),
    chromium: `Invalid mime type for '${place}'.`,
    path,
    fix: { do: 'remove' },
  };
}
