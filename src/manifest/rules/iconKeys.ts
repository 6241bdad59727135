import * as l10n from '@vscode/l10n';
import { ACTION_KEYS } from '../namedFile';
import type { JsonPath } from '../finding';
import type { Dictionary, JsonNode } from '../json/node';
import { refusal } from '../refusal';
import { ruleOf, type Report } from '../rule';
import { portablePath } from '../values/portable';

/** The largest size that an icon may be declared with, in pixels. */
const MAX_ICON_SIZE = 2048;

/** R-ICON-TYPE and R-ICON-KEY: pictures by their size, each the name of a file. Measured on Chromium 156. */
export const iconKeyRule = ruleOf('R-ICON-TYPE', 'keys', ({ manifest }) => {
  const icons = manifest.at('icons');
  const wrong =
    icons && icons.kind !== 'dictionary'
      ? [
          refusal("Invalid value for 'icons'.", l10n.t('"icons" has to be an object such as {"128": "icon.png"}.'), [
            'icons',
          ]),
        ]
      : checkSizes(icons, ['icons']);
  return [
    ...wrong,
    ...ACTION_KEYS.flatMap((key) => checkSizes(manifest.at(key, 'default_icon'), [key, 'default_icon'])),
  ];
});

/** The sizes that Chromium uses, the most useful first. */
const USUAL_SIZES = ['128', '48', '16', '32', '64', '256', '512'];

/** The size that a wrong key was probably meant to be, such as 16 by `16px`, that is not taken. */
function sizeFor(written: string, { members }: Dictionary): string {
  const number = Number(/\d+/.exec(written)?.[0] ?? 0);
  const sizes = number >= 1 && number <= MAX_ICON_SIZE ? [String(number), ...USUAL_SIZES] : USUAL_SIZES;
  return sizes.find((size) => !members.has(size)) ?? String(MAX_ICON_SIZE);
}

function checkSizes(node: JsonNode | undefined, path: JsonPath): Report[] {
  if (node?.kind !== 'dictionary') return [];
  return [...node.members].flatMap(([size, { value }]): Report[] => {
    const place = [...path, size];
    const reports: Report[] = [];
    if (!/^[+-]?\d+$/.test(size) || Number(size) < 1 || Number(size) > MAX_ICON_SIZE) {
      const message = l10n.t(
        '"{0}" is not the size of an icon. Write a whole number of pixels from 1 to {1}.',
        size,
        MAX_ICON_SIZE,
      );
      reports.push(
        refusal(`Invalid key in icons: "${size}".`, message, place, {
          fix: { do: 'rename', to: sizeFor(size, node), isGuess: true },
          rule: 'R-ICON-KEY',
        }),
      );
    }
    if (value.kind !== 'string' || portablePath(value.value) === undefined) {
      const message = l10n.t('The icon of size {0} has to be the name of a file in the folder.', size);
      reports.push(refusal(`Invalid value for 'icons["${size}"]'.`, message, place));
    }
    return reports;
  });
}
