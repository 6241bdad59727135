import * as l10n from '@vscode/l10n';
import type { Leniency } from '../json/node';
import type { Proposal } from '../proposal';
import { ruleOf } from '../rule';
import type { Text } from '../source/text';

/** The rule about a manifest that Chromium reads and strict parsers of JSON do not. */
export const STANDARD_JSON_RULE = 'R-SERVICE-JSON';

/**
 * R-SERVICE-JSON: Sideload's own. The cloud service reads the manifest with a strict JSON parser, which refuses what Chromium accepts
 * beyond JSON, such as comments and a byte order mark; a push sends it as standard JSON. There is one hint, at the first such place.
 */
export const strictJsonRule = ruleOf(STANDARD_JSON_RULE, 'delivery', ({ document, leniencies }) => {
  const [first] = leniencies;
  if (document.text.hasByteOrderMark) {
    const message = l10n.t(
      'Chromium accepts a byte order mark in a manifest, but it is no standard JSON, which other programs may need. A push sends the manifest without it.',
    );
    return { severity: 'hint', message, path: [], span: { start: 0, end: 1 } };
  }
  if (!first) return [];
  return {
    severity: 'hint',
    message: l10n.t(
      'Chromium accepts {0} in a manifest, but it is no standard JSON, which other programs may need. A push sends the manifest without it.',
      nameOf(first),
    ),
    path: [],
    span: first,
    fix: standardJson(document.text, first),
  };
});

/** Removes a comment, or writes a character as standard JSON does. */
function standardJson({ bytes }: Text, { what, start, end }: Leniency): Proposal {
  const written = Buffer.from(bytes.subarray(start, end)).toString('latin1');
  const span = { start, end };
  const write = (text: string, title: string): Proposal => ({ do: 'write', span, text, title });
  switch (what) {
    case 'comment':
      return write('', l10n.t('Remove the comment'));
    case 'line break in a string':
      return write(written === '\r' ? '\\r' : '\\n', l10n.t('Write the line break as \\n'));
    case '\\x escape':
      return write(`\\u00${written.slice(2)}`, l10n.t('Write the escape as \\u'));
  }
}

function nameOf({ what }: Leniency): string {
  return {
    comment: l10n.t('a comment'),
    'line break in a string': l10n.t('a line break in a string'),
    '\\x escape': l10n.t('a \\x escape'),
  }[what];
}
