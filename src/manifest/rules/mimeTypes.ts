import * as l10n from '@vscode/l10n';
import { removing } from '../proposal';
import { refusal } from '../refusal';
import { ruleOf } from '../rule';

/** R-MIME: which documents the extension shows; Chromium refuses every object that is not empty, and ignores other values. Measured on Chromium 156. */
export const mimeTypeHandlerRule = ruleOf('R-MIME', 'keys', ({ manifest }) => {
  const path = ['mime_types_handler'];
  const node = manifest.at(...path);
  if (node?.kind !== 'dictionary' || node.members.size === 0) return [];
  // Chromium's text names another key.
  const text = "Invalid value for 'mime_types'.";
  const message = l10n.t('"mime_types_handler" is not for extensions of the Web Store. Remove it.');
  return removing(refusal(text, message, path));
});
