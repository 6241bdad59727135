import * as l10n from '@vscode/l10n';
import { MAX_HINTS } from '../folder/similar';
import { hasImageType, iconFiles } from '../namedFile';
import { removing } from '../proposal';
import { caution, refusal } from '../refusal';
import { ruleOf } from '../rule';
import { missingFile } from './missingFile';

/** R-ICON-MIME: Chromium drops a file whose name is not that of a picture with a warning, whether or not it exists. Measured on Chromium 156. */
export const iconTypeRule = ruleOf('R-ICON-MIME', 'keys', function* (context) {
  for (const icon of iconFiles(context)) {
    if (hasImageType(icon)) continue;
    const message = l10n.t(
      'Chromium ignores the icon "{0}", because its name is not that of a picture. Name a PNG file, or remove it.',
      icon.written,
    );
    yield removing(caution(`Invalid mime type for '${icon.place}'.`, message, icon.path));
  }
});

/** R-ICON-MISSING: a picture that is missing or empty; Chromium does not look at its content. Measured on Chromium 156. */
export const missingIconRule = ruleOf('R-ICON-MISSING', 'files', async function* ({ manifest, folder }) {
  let count = 0;
  for (const icon of iconFiles({ manifest }).filter(hasImageType)) {
    const facts = await folder.stat(icon.file);
    if (facts && (facts.kind !== 'file' || facts.size > 0)) continue;
    const message = facts
      ? l10n.t('The icon "{0}" is an empty file.', icon.written)
      : l10n.t('The icon "{0}" is not in the folder.', icon.written);
    const report = refusal(`Could not load icon '${icon.file}' specified in '${icon.key}'.`, message, icon.path);
    yield await missingFile(folder, icon, report, count++ < MAX_HINTS && !facts);
  }
});
