import * as l10n from '@vscode/l10n';
import { ACTION_KEYS } from '../namedFile';
import { adviceForMissing } from '../folder/similar';
import type { JsonNode } from '../json/node';
import { proposing, removing } from '../proposal';
import { caution, invalidValue, refusal } from '../refusal';
import { ruleOf, type Report } from '../rule';
import { portablePath } from '../values/portable';
import { pageFile } from '../values/resource';
import { oneOf, WANTED } from '../wanted';

const STATES: readonly string[] = ['enabled', 'disabled'];

/** R-ACTION and R-POPUP-TYPE: the members of a toolbar button. Measured on Chromium 156. */
export const actionRule = ruleOf('R-ACTION', 'keys', ({ manifest }) => {
  const both = manifest.at('browser_action') && manifest.at('page_action');
  const text = "Only one of 'browser_action', 'page_action', and 'app' can be specified.";
  const first = both
    ? [removing(refusal(text, l10n.t('An extension has one button. Remove one of the two.'), ['page_action']))]
    : [];
  const others = ACTION_KEYS.flatMap((key): Report | Report[] => {
    const node = manifest.at(key);
    if (!node) return [];
    if (node.kind !== 'dictionary') return invalidValue(key, WANTED.object);
    const at = (name: string): JsonNode | undefined => node.members.get(name)?.value;
    const reports: Report[] = [];
    const icon = at('default_icon');
    const isIcon = icon?.kind === 'dictionary' || (icon?.kind === 'string' && portablePath(icon.value) !== undefined);
    if (icon && !isIcon) reports.push(invalidValue('default_icon', wantedIcon, [key, 'default_icon']));
    const title = at('default_title');
    if (title && title.kind !== 'string')
      reports.push(invalidValue('default_title', WANTED.string, [key, 'default_title']));
    const popup = at('default_popup');
    if (popup && !isPopup(popup)) {
      reports.push(
        refusal(
          "Invalid type for 'default_popup'.",
          l10n.t('"default_popup" has to be the name of a page in the folder.'),
          [...[key, 'default_popup']],
          { rule: 'R-POPUP-TYPE' },
        ),
      );
    }
    const state = at('default_state');
    if (state && key !== 'action') {
      const text = 'The default_state key cannot be set for browser_action or page_action keys.';
      reports.push(removing(refusal(text, l10n.t('Remove "default_state".'), [key, 'default_state'])));
    }
    if (state && key === 'action' && !(state.kind === 'string' && STATES.includes(state.value))) {
      reports.push(invalidValue('default_state', oneOf(STATES), [key, 'default_state']));
    }
    return reports;
  });
  return [...first, ...others];
});

function isPopup(node: JsonNode): boolean {
  return node.kind === 'string' && (node.value === '' || pageFile(node.value) !== undefined);
}

function wantedIcon(key: string): string {
  return l10n.t('"{0}" has to be the name of a picture in the folder.', key);
}

/** R-POPUP-MISSING: a missing popup opens empty. Measured on Chromium 156. */
export const missingPopupRule = ruleOf('R-POPUP-MISSING', 'files', async function* ({ manifest, folder }) {
  for (const key of ACTION_KEYS) {
    const path = [key, 'default_popup'];
    const written = manifest.stringAt(...path);
    const file = written === undefined || written === '' ? undefined : pageFile(written);
    if (file === undefined || (await folder.exists(file))) continue;
    const text =
      "The default_popup file in the manifest doesn't exist. Confirm it exists and then reload the extension.";
    const missing = l10n.t('The popup "{0}" is not in the folder.', written ?? '');
    const { advice, fix } = await adviceForMissing(folder, file, written);
    yield proposing(caution(text, `${missing} ${advice}`, path), fix);
  }
});
