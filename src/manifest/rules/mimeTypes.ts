import { refusal } from '../refusal';
import type { Rule } from '../rule';

/** R-MIME: which documents the extension shows; an object with anything in it is refused, all else is not looked at. Measured on Chromium 156. */
export const mimeTypeHandlerRule: Rule = {
  id: 'R-MIME',
  stage: 'keys',
  check({ manifest }) {
    const path = ['mime_types_handler'];
    const node = manifest.at(...path);
    if (node?.kind !== 'dictionary' || node.members.size === 0) return [];
    // The other key is the one Chromium names.
    const text = "Invalid value for 'mime_types'.";
    return [refusal(text, '"mime_types_handler" is not for extensions of the Web Store. Remove it.', path)];
  },
};
