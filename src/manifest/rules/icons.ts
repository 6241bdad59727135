import * as l10n from '@vscode/l10n';
import { MAX_HINTS } from '../folder/similar';
import { hasImageType, iconFiles, ACTION_KEYS } from '../namedFile';
import { removing, type Proposal } from '../proposal';
import { caution, refusal } from '../refusal';
import { ruleOf, type Report } from '../rule';
import { missingFile } from './missingFile';
import type { JsonPath } from '../finding';
import type { Dictionary, JsonNode } from '../json/node';
import { portablePath } from '../values/portable';

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

/** The largest size that an icon may be declared with, in pixels. */
const MAX_ICON_SIZE = 2048;

/** R-ICON-TYPE and R-ICON-KEY: pictures by their size, each the name of a file. Measured on Chromium 156. */
export const iconKeyRule = ruleOf('R-ICON-TYPE', 'keys', function* ({ manifest }) {
  if ((manifest.at('icons')?.kind ?? 'dictionary') !== 'dictionary') {
    const message = l10n.t('"icons" has to be an object such as {"128": "icon.png"}.');
    yield refusal("Invalid value for 'icons'.", message, ['icons']);
  }
  for (const path of [['icons'], ...ACTION_KEYS.map((key) => [key, 'default_icon'])])
    yield* checkSizes(manifest.at(...path), path);
});

/** The sizes that Chromium uses, the most useful first. */
const USUAL_SIZES = ['128', '48', '16', '32', '64', '256', '512'];

/** The size that a wrong key was probably meant to be, such as 16 by `16px`, that is not taken. */
function sizeFor(written: string, { members }: Dictionary): string {
  const number = Number(/\d+/.exec(written)?.[0] ?? 0);
  const sizes = number >= 1 && number <= MAX_ICON_SIZE ? [String(number), ...USUAL_SIZES] : USUAL_SIZES;
  return sizes.find((size) => !members.has(size)) ?? String(MAX_ICON_SIZE);
}

function* checkSizes(node: JsonNode | undefined, path: JsonPath): Generator<Report> {
  if (node?.kind !== 'dictionary') return;
  for (const [size, { value }] of node.members) {
    const place = [...path, size];
    if (!/^[+-]?\d+$/.test(size) || Number(size) < 1 || Number(size) > MAX_ICON_SIZE) {
      const message = l10n.t(
        '"{0}" is not the size of an icon. Write a whole number of pixels from 1 to {1}.',
        size,
        MAX_ICON_SIZE,
      );
      const fix: Proposal = { do: 'rename', to: sizeFor(size, node), isGuess: true };
      yield refusal(`Invalid key in icons: "${size}".`, message, place, { fix, rule: 'R-ICON-KEY' });
    }
    if (value.kind === 'string' && portablePath(value.value) !== undefined) continue;
    const message = l10n.t('The icon of size {0} has to be the name of a file in the folder.', size);
    yield refusal(`Invalid value for 'icons["${size}"]'.`, message, place);
  }
}
