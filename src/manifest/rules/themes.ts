import { hasImageExtension } from '../files';
import type { JsonPath } from '../finding';
import type { JsonNode } from '../json/node';
import { refusal } from '../refusal';
import type { Report, Rule } from '../rule';
import { portablePath } from '../values/portable';
import { extensionOf } from '../values/resource';

const COLOR_LENGTHS: readonly number[] = [3, 4];
const TINT_LENGTH = 3;

/** R-THEME: colours, pictures and tints of a theme. Warnings about themes cannot be seen in Chromium. Measured on Chromium 156. */
export const themeRule: Rule = {
  id: 'R-THEME',
  stage: 'keys',
  check({ manifest }) {
    const theme = manifest.at('theme');
    if (!theme) return [];
    if (theme.kind !== 'dictionary')
      return [refusal("Invalid value for 'theme'.", '"theme" has to be an object.', ['theme'])];
    const part = (name: string, isRight: (node: JsonNode) => boolean, text: string, message: string): Report[] => {
      const node = theme.members.get(name)?.value;
      if (node?.kind !== 'dictionary') return [];
      return [...node.members]
        .filter(([, { value }]) => !isRight(value))
        .map(([key]) => refusal(text, `"${key}" ${message}`, ['theme', name, key] satisfies JsonPath));
    };
    return [
      ...part(
        'images',
        isImage,
        'Invalid value for theme images - images must be strings.',
        'has to be the name of a picture.',
      ),
      ...part(
        'colors',
        isColor,
        'Invalid value for theme colors - colors must be integers',
        'has to be a list of three whole numbers.',
      ),
      ...part(
        'tints',
        isTint,
        'Invalid value for theme images - tints must be decimal numbers.',
        'has to be a list of three numbers, such as [0.5, 0.5, 0.5].',
      ),
    ];
  },
};

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
 * R-THEME: a path that leads nowhere on some system, and a picture that is not there: not looked for when its name is not that
 * of one, or when there is one for each scale. Measured on Chromium 156.
 */
export const missingThemeImageRule: Rule = {
  id: 'R-THEME',
  stage: 'files',
  async check({ manifest, folder }) {
    const images = manifest.at('theme', 'images');
    if (images?.kind !== 'dictionary') return [];
    const reports: Report[] = [];
    for (const [key, { value }] of images.members) {
      for (const { file, path } of named(value, ['theme', 'images', key])) {
        if (portablePath(file) === undefined) {
          const message = `"${file}" has to be the name of a picture in the folder.`;
          reports.push(refusal('Invalid path for theme images.', message, path));
        } else if (value.kind === 'string' && isPicture(file) && !(await folder.exists(file))) {
          const message = `The picture "${file}" is not in the folder. Add it, or correct the name.`;
          reports.push(refusal(`Could not load '${file}' for theme.`, message, path));
        }
      }
    }
    return reports;
  },
};

/** The files of a picture: one, or one for each scale. */
function named(node: JsonNode, path: JsonPath): { file: string; path: JsonPath }[] {
  if (node.kind === 'string') return [{ file: node.value, path }];
  if (node.kind !== 'dictionary') return [];
  return [...node.members].flatMap(([scale, { value }]) => named(value, [...path, scale]));
}

/** A name without an extension passes for a picture too. */
function isPicture(file: string): boolean {
  return extensionOf(file) === '' || hasImageExtension(file);
}
