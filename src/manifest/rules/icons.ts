import { hasImageType, iconFiles, type NamedIcon } from '../files';
import { hintForMissing, MAX_HINTS } from '../folder/similar';
import type { Report, Rule } from '../rule';

/** R-ICON-MIME: a file that is no picture by its name is dropped with a warning, and may be missing. Measured on Chromium 156. */
export const iconTypeRule: Rule = {
  id: 'R-ICON-MIME',
  stage: 'keys',
  check(context) {
    return iconFiles(context)
      .filter((icon) => !hasImageType(icon))
      .map(wrongType);
  },
};

/** R-ICON-MISSING: a picture that is not there or has no bytes; its content does not matter. Measured on Chromium 156. */
export const missingIconRule: Rule = {
  id: 'R-ICON-MISSING',
  stage: 'files',
  async check(context) {
    const reports: Report[] = [];
    for (const icon of iconFiles(context).filter(hasImageType)) {
      const facts = await context.folder.stat(icon.file);
      if (facts && (facts.kind !== 'file' || facts.size > 0)) continue;
      const wrong = facts ? 'is an empty file.' : 'is not in the folder.';
      const hint = facts || reports.length >= MAX_HINTS ? '' : await hintForMissing(context.folder, icon.file);
      reports.push({
        severity: 'error',
        message: `The icon "${icon.written}" ${wrong}${hint || ' Put a picture there, or correct the name.'}`,
        chromium: `Could not load icon '${icon.file}' specified in '${icon.key}'.`,
        path: icon.path,
      });
    }
    return reports;
  },
};

function wrongType({ written, place, path }: NamedIcon): Report {
  return {
    severity: 'warning',
    message: `Chromium ignores the icon "${written}", because its name is not that of a picture. Use a PNG file.`,
    chromium: `Invalid mime type for '${place}'.`,
    path,
  };
}
