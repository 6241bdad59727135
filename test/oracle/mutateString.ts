import { PATTERN_PARTS } from './patternParts';
import type { Chance } from '../support/random';

const CHARACTERS = [
  ...'aZ09 ._-/\\*?#:%"\'$@+,;|^&=~\t\n',
  '\u0000',
  '\u00a0',
  '\u200b',
  '\u0130',
  '\u00df',
  '\ud83d\ude00',
  '\uffff',
  '\ufdd0',
];

/** A match pattern, right or nearly so. */
export function somePattern(chance: Chance): string {
  if (chance.happens(0.05)) return '<all_urls>';
  return PATTERN_PARTS.map((parts) => chance.pick(chance.happens(0.5) ? parts.slice(0, 4) : parts)).join('');
}

/** A text with one change: a letter, a piece, its case, or what stands around it. */
export function mutateString(text: string, chance: Chance): string {
  const at = chance.below(text.length + 1);
  const share = chance.number();
  if (text.includes('://') && share < 0.4) return mutatePattern(text, chance);
  if (share < 0.15) return text.slice(0, at) + text.slice(at + 1);
  if (share < 0.45) return text.slice(0, at) + chance.pick(CHARACTERS) + text.slice(at);
  if (share < 0.55) return text.slice(0, at) + chance.pick(CHARACTERS) + text.slice(at + 1);
  if (share < 0.62) return text.slice(0, at);
  if (share < 0.7) return text.toUpperCase();
  if (share < 0.75) return text.slice(0, at) + text.slice(at).toUpperCase();
  if (share < 0.85)
    return (
      chance.pick(['/', './', '../', ' ', '//', '\\', 'x/', 'x/../', '*', '__MSG_', '?', '#', '-', '+', '0']) + text
    );
  if (share < 0.95)
    return (
      text +
      chance.pick(['/', ' ', '?x', '#x', '*', '.', '.ts', '.js', '__', '/..', '/.', '0', ',', ';', '\n', '%', '%00'])
    );
  return text + text;
}

/** An address or pattern with another scheme, host, port or path. */
function mutatePattern(text: string, chance: Chance): string {
  const [, scheme = '', separator = '', host = '', port = '', path = ''] =
    /^([^:]*)(:\/\/)([^/:]*|\[[^/]*\])(:[^/]*)?(.*)$/s.exec(text) ?? [];
  const parts = [scheme, separator, host, port, path];
  const changed = chance.below(parts.length);
  return parts.map((part, index) => (index === changed ? chance.pick(PATTERN_PARTS[index] ?? ['']) : part)).join('');
}
