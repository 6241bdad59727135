import * as l10n from '@vscode/l10n';
import type { Browser, Profile } from '../../service/model';
import { shortened } from '../../base/units';

/** Longest name that the interface allows, in characters. */
const NAME_LENGTH = 255;

const SHORT_ID_LENGTH = 12;

/** The label of a browser: its name, else the beginning of its id. */
export function browserLabel({ name, id }: Pick<Browser, 'name' | 'id'>): string {
  return shortened(name ?? id.slice(0, SHORT_ID_LENGTH), NAME_LENGTH);
}

/** The label of a profile or a stored extension: its name, else its id. */
export function recordLabel({ name, id }: Pick<Profile, 'id' | 'name'>): string {
  return shortened(name ?? id, NAME_LENGTH);
}

/** The label of one or several browsers that a push goes to. */
export function browsersLabel(browsers: readonly Browser[]): string {
  const [only] = browsers;
  return browsers.length === 1 && only ? browserLabel(only) : l10n.t('{0} browsers', browsers.length);
}

/** The mode of a browser in words. */
export function modeText({ headless }: { headless: boolean }): string {
  return headless ? l10n.t('headless') : l10n.t('with a window');
}
