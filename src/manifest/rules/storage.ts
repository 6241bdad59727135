import type { JsonPath } from '../finding';
import { parseJson } from '../json/parse';
import { managedSchemaFault } from '../managed/schema';
import { refusal } from '../refusal';
import type { Report, Rule } from '../rule';
import { Text } from '../source/text';

const PATH: JsonPath = ['storage', 'managed_schema'];

/** R-STORAGE: a schema of what administrators may set. It has to be there, JSON, in which commas may trail, and a schema. Measured on Chromium 156. */
export const managedStorageRule: Rule = {
  id: 'R-STORAGE',
  stage: 'files',
  async check({ manifest, folder }): Promise<Report[]> {
    const node = manifest.at(...PATH);
    if (!node) return [];
    if (node.kind !== 'string') {
      return [
        refusal('storage.managed_schema must be a string', '"managed_schema" has to be the name of a JSON file.', PATH),
      ];
    }
    // A zero ends the path.
    const [written = ''] = node.value.split('\0');
    if (written.startsWith('/') || written.split('/').includes('..')) {
      const text = 'storage.managed_schema must be a relative path without ..';
      return [refusal(text, `"${written}" has to be the name of a file in the folder.`, PATH)];
    }
    const content = await folder.read(written);
    if (written === '' || (!('bytes' in content) && content.refused !== 'missing')) {
      const text = `Can't read ${[folder.path, ...(written === '' ? [] : [written])].join('/')}`;
      return [refusal(text, `The schema "${written}" is no file that can be read.`, PATH)];
    }
    // A slash at the end is for folders: nothing is there under the name of a file with one.
    if (!('bytes' in content) || written.endsWith('/')) {
      const text = `File does not exist: ${folder.path}/${written}`;
      return [refusal(text, `The schema "${written}" is not in the folder. Add it, or correct the name.`, PATH)];
    }
    const text = new Text(content.bytes);
    const parsed = parseJson(text, 'relaxed');
    if ('fault' in parsed) {
      const { start, end, text: fault } = parsed.fault;
      const place = / at line (\d+) column (\d+)$/.exec(fault);
      const chromium = `line ${place?.[1] ?? 1}, column ${place?.[2] ?? 1}: ${fault}`;
      const report = refusal(chromium, `${written} is not valid JSON. Correct the text at this place.`, []);
      return [{ ...report, source: { file: written, text }, span: { start, end } }];
    }
    const fault = managedSchemaFault(parsed.root);
    if (fault === undefined) return [];
    const message = `${written} is no schema that Chromium accepts: ${fault}`;
    return [{ ...refusal(fault, message, []), source: { file: written, text } }];
  },
};
