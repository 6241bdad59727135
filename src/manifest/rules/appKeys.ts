import { refusal } from '../refusal';
import type { Report, Rule } from '../rule';
import { populate } from '../shape/populate';
import { ANY, dictionary, listOf } from '../shape/shape';

/** R-APPKEYS: keys that only apps have, as far as their kind goes; Chromium has hardly any use for apps any more. Measured on Chromium 156. */
export const appKeyRule: Rule = {
  id: 'R-APPKEYS',
  stage: 'keys',
  check({ manifest }) {
    const invalid = (key: string, wanted: string): Report =>
      refusal(`Invalid value for '${key}'.`, `"${key}" has to be ${wanted}.`, key.split('.'));
    const reports: Report[] = [];
    for (const key of ['webview', 'url_handlers']) {
      const node = manifest.at(key);
      if (node && node.kind !== 'dictionary') reports.push(invalid(key, 'an object'));
    }
    const partitions = manifest.at('webview', 'partitions');
    if (partitions && (partitions.kind !== 'list' || partitions.items.length === 0)) {
      reports.push(invalid('webview.partitions', 'a list that is not empty'));
    }
    for (const key of ['kiosk_enabled', 'kiosk_only']) {
      const node = manifest.at(key);
      if (node && node.kind !== 'boolean') reports.push(invalid(key, 'true or false'));
    }
    const secondary = manifest.at('kiosk_secondary_apps');
    if (secondary && secondary.kind !== 'list') {
      const text = "Invalid value for 'kiosk_secondary_apps'";
      reports.push(refusal(text, '"kiosk_secondary_apps" has to be a list.', ['kiosk_secondary_apps']));
    }
    for (const [key, shape] of [
      ['sockets', dictionary({})],
      ['usb_printers', dictionary({ filters: listOf(ANY) })],
    ] as const) {
      const node = manifest.at(key);
      const fault = node && populate(node, shape);
      if (fault)
        reports.push(refusal(fault.text, `"${[key, ...fault.path].join('.')}" ${fault.wrong}.`, [key, ...fault.path]));
    }
    return reports;
  },
};
