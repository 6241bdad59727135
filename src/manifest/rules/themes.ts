import * as l10n from '@vscode/l10n';
import { hasImageType } from '../namedFile';
import type { JsonPath } from '../finding';
import type { JsonNode } from '../json/node';
import { invalidValue, refusal } from '../refusal';
import { keyRule, ruleOf, type Report } from '../rule';
import { portablePath } from '../values/portable';
import { extensionOf } from '../values/resource';
import { WANTED, type Wanted } from '../wanted';

const COLOR_LENGTHS: readonly number[] = [3, 4];
const TINT_LENGTH = 3;

/** R-THEME: colours, pictures and tints of a theme. Chromium shows no warnings about themes. Measured on Chromium 156. */
export const themeRule = keyRule('R-THEME', 'theme', (theme) => {
  if (theme.kind !== 'dictionary') return invalidValue('theme', WANTED.object);
  const part = (name: string, isRight: (node: JsonNode) => boolean, text: string, wanted: Wanted): Report[] => {
    const node = theme.members.get(name)?.value;
    if (node?.kind !== 'dictionary') return [];
    return [...node.members]
      .filter(([, { value }]) => !isRight(value))
      .map(([key]) => refusal(text, wanted(key), ['theme', name, key] satisfies JsonPath));
  };
  return [
    ...part('images', isImage, 'Invalid value for theme images - images must be strings.', (key) =>
      l10n.t('"{0}" has to be the name of a picture.', key),
    ),
    ...part('colors', isColor, 'Invalid value for theme colors - colors must be integers', (key) =>
      l10n.t('"{0}" has to be a list of three whole numbers.', key),
    ),
    ...part('tints', isTint, 'Invalid value for theme images - tints must be decimal numbers.', (key) =>
      l10n.t('"{0}" has to be a list of three numbers, such as [0.5, 0.5, 0.5].', key),
    ),
  ];
});

function isImage(node: JsonNode): boolean {
  if (node.kind === 'string') return true;
  return node.kind === 'dictionary' && [...node.members.values()].every(({ value }) => value.kind === 'string');
}

function isColor(node: JsonNode): boolean {
  if (node.kind !== 'list' || !COLOR_LENGTHS.includes(node.items.length)) return false;
  return node.items.every(({ kind }, index) => kind === 'integer' || (index === 3 && kind === 'double'));
}

function isTint(node: JsonNode): boolean {
  if (node.kind !== 'list' || node.items.length !== TINT_LENGTH) return false;
  return node.items.every(({ kind }) => kind === 'integer' || kind === 'double');
}

/**
 * R-THEME: a path that is not valid on every system, and a missing picture. Chromium does not look for files whose names are not those of
 * pictures, nor for pictures by scale. Measured on Chromium 156.
 */
export const missingThemeImageRule = ruleOf('R-THEME', 'files', async function* ({ manifest, folder }) {
  const images = manifest.at('theme', 'images');
  if (images?.kind !== 'dictionary') return;
  for (const [key, { value }] of images.members) {
    for (const { file, path } of named(value, ['theme', 'images', key])) {
      if (portablePath(file) === undefined) {
        yield refusal('Invalid path for theme images.', WANTED.icon(file), path);
      } else if (value.kind === 'string' && isPicture(file) && !(await folder.exists(file))) {
        const message = l10n.t('The picture "{0}" is not in the folder. Add it, or correct the name.', file);
        yield refusal(`Could not load '${file}' for theme.`, message, path);
      }
    }
  }
});

/** The files of a picture: one, or one per scale. */
function named(node: JsonNode, path: JsonPath): { file: string; path: JsonPath }[] {
  if (node.kind === 'string') return [{ file: node.value, path }];
  if (node.kind !== 'dictionary') return [];
  return [...node.members].flatMap(([scale, { value }]) => named(value, [...path, scale]));
}

/** True for the name of a picture, and for one without an extension. */
function isPicture(file: string): boolean {
  return extensionOf(file) === '' || hasImageType({ file });
}
