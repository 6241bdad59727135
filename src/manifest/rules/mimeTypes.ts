import * as l10n from '@vscode/l10n';
import { refusal } from '../refusal';
import type { Rule } from '../rule';

/** R-MIME: which documents the extension shows; Chromium refuses every object that is not empty, and ignores other values. Measured on Chromium 156. */
export const mimeTypeHandlerRule: Rule = {
  id: 'R-MIME',
  stage: 'keys',
  check({ manifest }) {
    const path = ['mime_types_handler'];
    const node = manifest.at(...path);
    if (node?.kind !== 'dictionary' || node.members.size === 0) return [];
    // Chromium's text names another key.
    const text = "Invalid value for 'mime_types'.";
    return [refusal(text, l10n.t('"mime_types_handler" is not for extensions of the Web Store. Remove it.'), path)];
  },
};
