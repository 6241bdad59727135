import { JsonDocument } from './document';
import type { Finding, Range } from './finding';
import type { ExtensionFolder, ReadResult } from './folder/folder';
import type { JsonFault, Leniency } from './json/node';
import { parseJson } from './json/parse';
import { Text } from './source/text';

export const MANIFEST_FILE = 'manifest.json';

/** The beginning of a file, for what is about the whole of it. */
export const NOWHERE: Range = { start: { offset: 0, line: 0, column: 0 }, end: { offset: 0, line: 0, column: 0 } };

/** A manifest that can be looked into, or the one reason why not. */
export type LoadResult = { document: JsonDocument; leniencies: Leniency[] } | { finding: Finding };

/**
 * Reads and parses the manifest: the rules R-FILE, R-FILE-DIR, R-JSON and R-JSON-ROOT. Each of them keeps everything else from being
 * seen. Chromium's texts are as measured on Chromium 156; that of an unreadable file is read in its source.
 */
export async function loadManifest(folder: ExtensionFolder): Promise<LoadResult> {
  const content = await folder.read(MANIFEST_FILE);
  if (!('bytes' in content)) return { finding: await explainUnread(folder, content.refused) };
  const text = new Text(content.bytes);
  const result = parseJson(text);
  if ('fault' in result) return { finding: explainFault(text, result.fault) };
  const { root, leniencies } = result;
  if (root.kind === 'dictionary') return { document: new JsonDocument(text, root), leniencies };
  return {
    finding: manifestFinding('R-JSON-ROOT', text.range(root.start, root.end), {
      message: `manifest.json holds a ${root.kind}, not an object. Write its keys between { and }.`,
      chromium: 'Manifest file is invalid',
    }),
  };
}

type Refusal = Extract<ReadResult, { refused: string }>['refused'];

async function explainUnread(folder: ExtensionFolder, refused: Refusal): Promise<Finding> {
  switch (refused) {
    case 'missing':
      return manifestFinding('R-FILE', NOWHERE, {
        message: await explainMissing(folder),
        chromium: 'Manifest file is missing or unreadable',
      });
    case 'folder':
      return manifestFinding('R-FILE-DIR', NOWHERE, {
        message: 'manifest.json is a folder. Put the manifest in a file of that name.',
        chromium: "Manifest is not valid JSON.  Can't read file.",
      });
    case 'unreadable':
      return manifestFinding('R-FILE', NOWHERE, {
        message: 'manifest.json cannot be read. Check its permissions.',
        chromium: "Manifest is not valid JSON.  Can't read file.",
      });
    case 'too large':
      return manifestFinding('R-FILE', NOWHERE, {
        message: 'manifest.json is larger than 64 MiB and was not read. Choose the folder of the extension.',
      });
  }
}

async function explainMissing(folder: ExtensionFolder): Promise<string> {
  const names = await folder.list('');
  const otherCase = names.find((name) => name.toLowerCase() === MANIFEST_FILE);
  if (otherCase === MANIFEST_FILE) return 'manifest.json is a link that leads nowhere. Put the manifest itself there.';
  if (otherCase) return `The manifest is called ${otherCase}. Rename it to manifest.json: upper and lower case count.`;
  if (names.length === 0)
    return `${folder.path} does not exist or is empty. Build the extension, or choose another folder.`;
  return `${folder.path} has no manifest.json. Choose the folder that holds it, or build the extension first.`;
}

/** What to do about the faults people make most; the parser's phrase speaks for itself otherwise. */
const ADVICE: readonly [RegExp, string][] = [
  [/^trailing comma/, 'There is a comma after the last entry. Remove it.'],
  [/^key must be a string/, 'A key has to stand in double quotes.'],
  [/^EOF/, 'The file ends too early. Close what is still open.'],
  [/^expected `,`/, 'A comma or a closing bracket is missing before this.'],
  [/^expected `:`/, 'A colon is missing after the key.'],
  [/^trailing characters/, 'There is text after the end of the object. Remove it.'],
  [/^control character/, 'There is a tab or another control character in a string. Write it as an escape such as \\t.'],
  [/^invalid escape/, 'There is an unknown escape in a string. Write \\\\ for a backslash.'],
  [/^invalid unicode/, 'The file is not encoded in UTF-8. Save it as UTF-8.'],
  [/^recursion limit/, 'Lists and objects are nested too deeply.'],
  [/^expected (value|ident)/, 'A value is missing or misspelt here. Strings stand in double quotes.'],
];

function explainFault(text: Text, fault: JsonFault): Finding {
  const advice = ADVICE.find(([phrase]) => phrase.test(fault.text))?.[1] ?? 'Correct the text at this place.';
  return manifestFinding('R-JSON', text.range(fault.start, fault.end), {
    message: `manifest.json is not valid JSON. ${advice}`,
    chromium: `Manifest is not valid JSON.  ${fault.text}`,
  });
}

function manifestFinding(rule: string, range: Range, texts: Pick<Finding, 'message' | 'chromium'>): Finding {
  return { rule, severity: 'error', ...texts, file: MANIFEST_FILE, path: [], range };
}
