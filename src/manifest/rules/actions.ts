import { ACTION_KEYS } from '../files';
import type { JsonPath } from '../finding';
import { hintForMissing } from '../folder/similar';
import type { JsonNode } from '../json/node';
import { caution, refusal } from '../refusal';
import type { Report, Rule } from '../rule';
import { portablePath } from '../values/portable';
import { pageFile } from '../values/resource';

/** R-ACTION and R-POPUP-TYPE: what a toolbar button may consist of. Measured on Chromium 156. */
export const actionRule: Rule = {
  id: 'R-ACTION',
  stage: 'keys',
  check({ manifest }) {
    const both = manifest.at('browser_action') && manifest.at('page_action');
    const text = "Only one of 'browser_action', 'page_action', and 'app' can be specified.";
    const first = both ? [refusal(text, 'An extension has one button. Remove one of the two.', ['page_action'])] : [];
    const others = ACTION_KEYS.flatMap((key): Report[] => {
      const node = manifest.at(key);
      if (!node) return [];
      if (node.kind !== 'dictionary') return [invalid(key, 'an object in { }', [key])];
      const at = (name: string): JsonNode | undefined => node.members.get(name)?.value;
      const reports: Report[] = [];
      const icon = at('default_icon');
      const isIcon = icon?.kind === 'dictionary' || (icon?.kind === 'string' && portablePath(icon.value) !== undefined);
      if (icon && !isIcon)
        reports.push(invalid('default_icon', 'the name of a picture in the folder', [key, 'default_icon']));
      const title = at('default_title');
      if (title && title.kind !== 'string')
        reports.push(invalid('default_title', 'a string in quotes', [key, 'default_title']));
      const popup = at('default_popup');
      if (popup && !isPopup(popup)) {
        const report = refusal(
          "Invalid type for 'default_popup'.",
          '"default_popup" has to be the name of a page in the folder.',
          [...[key, 'default_popup']],
        );
        reports.push({ ...report, rule: 'R-POPUP-TYPE' });
      }
      const state = at('default_state');
      if (state && key !== 'action') {
        const text = 'The default_state key cannot be set for browser_action or page_action keys.';
        reports.push(refusal(text, 'Remove "default_state".', [key, 'default_state']));
      }
      if (state && key === 'action' && !(state.kind === 'string' && ['enabled', 'disabled'].includes(state.value))) {
        reports.push(invalid('default_state', '"enabled" or "disabled"', [key, 'default_state']));
      }
      return reports;
    });
    return [...first, ...others];
  },
};

function isPopup(node: JsonNode): boolean {
  return node.kind === 'string' && (node.value === '' || pageFile(node.value) !== undefined);
}

function invalid(name: string, wanted: string, path: JsonPath): Report {
  return refusal(`Invalid value for '${name}'.`, `"${name}" has to be ${wanted}.`, path);
}

/** R-POPUP-MISSING: a popup that is not there opens empty. Measured on Chromium 156. */
export const missingPopupRule: Rule = {
  id: 'R-POPUP-MISSING',
  stage: 'files',
  async check({ manifest, folder }) {
    const reports: Report[] = [];
    for (const key of ACTION_KEYS) {
      const path = [key, 'default_popup'];
      const written = manifest.stringAt(...path);
      const file = written === undefined || written === '' ? undefined : pageFile(written);
      if (file === undefined || (await folder.exists(file))) continue;
      const hint = (await hintForMissing(folder, file)) || ' Create it, or correct the name.';
      const text =
        "The default_popup file in the manifest doesn't exist. Confirm it exists and then reload the extension.";
      reports.push(caution(text, `The popup "${written ?? ''}" is not in the folder.${hint}`, path));
    }
    return reports;
  },
};
