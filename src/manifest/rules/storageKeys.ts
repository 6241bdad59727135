import * as l10n from '@vscode/l10n';
import type { JsonPath } from '../finding';
import { parseJson } from '../json/parse';
import { managedSchemaFault } from '../managed/managedSchema';
import { refusal } from '../refusal';
import { ruleOf } from '../rule';
import { Text } from '../source/text';
import { WANTED } from '../wanted';

const PATH: JsonPath = ['storage', 'managed_schema'];

/** R-STORAGE: the schema of managed storage has to exist, to be JSON (with trailing commas allowed) and to be a schema. Measured on Chromium 156. */
export const managedStorageRule = ruleOf('R-STORAGE', 'files', async ({ manifest, folder }) => {
  const node = manifest.at(...PATH);
  if (!node) return [];
  if (node.kind !== 'string') {
    return refusal(
      'storage.managed_schema must be a string',
      l10n.t('"managed_schema" has to be the name of a JSON file.'),
      PATH,
    );
  }
  // Chromium reads the path up to a zero.
  const [written = ''] = node.value.split('\0');
  if (written.startsWith('/') || written.split('/').includes('..')) {
    const text = 'storage.managed_schema must be a relative path without ..';
    return refusal(text, WANTED.file(written), PATH);
  }
  const content = await folder.read(written);
  if (written === '' || (!('bytes' in content) && content.refused !== 'missing')) {
    const text = `Can't read ${[folder.path, ...(written === '' ? [] : [written])].join('/')}`;
    return refusal(text, l10n.t('The schema "{0}" is not a readable file.', written), PATH);
  }
  // A path that ends in a slash names a folder: Chromium does not find a file by it.
  if (!('bytes' in content) || written.endsWith('/')) {
    const text = `File does not exist: ${folder.path}/${written}`;
    return refusal(text, l10n.t('The schema "{0}" is not in the folder. Add it, or correct the name.', written), PATH);
  }
  const text = new Text(content.bytes);
  const parsed = parseJson(text, 'relaxed');
  if ('fault' in parsed) {
    const { start, end, text: fault } = parsed.fault;
    const place = / at line (\d+) column (\d+)$/.exec(fault);
    const chromium = `line ${place?.[1] ?? 1}, column ${place?.[2] ?? 1}: ${fault}`;
    return refusal(chromium, l10n.t('{0} is not valid JSON. Correct the text at this place.', written), [], {
      source: { file: written, text },
      span: { start, end },
    });
  }
  const fault = managedSchemaFault(parsed.root);
  if (fault === undefined) return [];
  const message = l10n.t('Chromium does not accept the schema {0}: {1}', written, fault);
  return refusal(fault, message, [], { source: { file: written, text } });
});
