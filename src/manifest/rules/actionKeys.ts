import * as l10n from '@vscode/l10n';
import { ACTION_KEYS } from '../namedFile';
import type { JsonNode } from '../json/node';
import { removing } from '../proposal';
import { caution, invalidValue, refusal } from '../refusal';
import { ruleOf, type Context, type Report } from '../rule';
import { portablePath } from '../values/portable';
import { pageFile } from '../values/resource';
import { oneOf, WANTED } from '../wanted';
import { missingFile } from './missingFile';

const STATES: readonly string[] = ['enabled', 'disabled'];

/** R-ACTION and R-POPUP-TYPE: the members of a toolbar button. Measured on Chromium 156. */
export const actionRule = ruleOf('R-ACTION', 'keys', function* (context) {
  const { manifest } = context;
  if (manifest.at('browser_action') && manifest.at('page_action')) {
    const text = "Only one of 'browser_action', 'page_action', and 'app' can be specified.";
    yield removing(refusal(text, l10n.t('An extension has one button. Remove one of the two.'), ['page_action']));
  }
  for (const key of ACTION_KEYS) yield* checkButton(key, context);
});

function* checkButton(key: string, { manifest }: Context): Generator<Report> {
  const kind = manifest.at(key)?.kind ?? 'dictionary';
  if (kind !== 'dictionary') yield invalidValue(key, WANTED.object);
  const icon = manifest.at(key, 'default_icon');
  const isIcon = icon?.kind === 'dictionary' || (icon?.kind === 'string' && portablePath(icon.value) !== undefined);
  if (icon && !isIcon) yield invalidValue('default_icon', WANTED.icon, [key, 'default_icon']);
  const title = manifest.at(key, 'default_title');
  if (title && title.kind !== 'string') yield invalidValue('default_title', WANTED.string, [key, 'default_title']);
  const popup = manifest.at(key, 'default_popup');
  if (popup && !isPopup(popup)) {
    const text = "Invalid type for 'default_popup'.";
    yield refusal(text, WANTED.page('default_popup'), [key, 'default_popup'], { rule: 'R-POPUP-TYPE' });
  }
  const state = manifest.at(key, 'default_state');
  if (!state) return;
  const path = [key, 'default_state'];
  if (key !== 'action') {
    const text = 'The default_state key cannot be set for browser_action or page_action keys.';
    yield removing(refusal(text, l10n.t('Remove "default_state".'), path));
  } else if (state.kind !== 'string' || !STATES.includes(state.value)) {
    yield invalidValue('default_state', oneOf(STATES), path);
  }
}

function isPopup(node: JsonNode): boolean {
  return node.kind === 'string' && (node.value === '' || pageFile(node.value) !== undefined);
}

/** R-POPUP-MISSING: a missing popup opens empty. Measured on Chromium 156. */
export const missingPopupRule = ruleOf('R-POPUP-MISSING', 'files', async function* ({ manifest, folder }) {
  for (const key of ACTION_KEYS) {
    const path = [key, 'default_popup'];
    const written = manifest.stringAt(...path) ?? '';
    const file = written === '' ? undefined : pageFile(written);
    if (file === undefined || (await folder.exists(file))) continue;
    const text =
      "The default_popup file in the manifest doesn't exist. Confirm it exists and then reload the extension.";
    const message = l10n.t('The popup "{0}" is not in the folder.', written);
    yield await missingFile(folder, { file, written }, caution(text, message, path));
  }
});
