import * as l10n from '@vscode/l10n';
import { JsonDocument } from './document';
import type { Finding, Range } from './finding';
import type { ExtensionFolder, ReadResult } from './folder/folder';
import type { JsonFault, JsonNode, Leniency, Span } from './json/node';
import { parseJson } from './json/parse';
import { saysKind } from './shape/fault';
import { Text } from './source/text';

export const MANIFEST_FILE = 'manifest.json';

/** The beginning of a file, for findings about the whole file. */
export const NOWHERE: Range = { start: { offset: 0, line: 0, column: 0 }, end: { offset: 0, line: 0, column: 0 } };

/** A parsed manifest, or the one finding that says why there is none. */
export type LoadResult = { document: JsonDocument; leniencies: Leniency[] } | { finding: Finding };

/** Sideload's own limits of manifests, which have kilobytes and some hundred values: the extension host copies all of them. */
const MAX_MANIFEST_BYTES = 2 * 1024 * 1024;
const MAX_VALUES = 50_000;

/**
 * Reads and parses the manifest: the rules R-FILE, R-FILE-DIR, R-JSON and R-JSON-ROOT. After a finding of theirs nothing else is checked.
 * Chromium's texts are as measured on Chromium 156; that of an unreadable file is from its source.
 */
export async function loadManifest(folder: ExtensionFolder): Promise<LoadResult> {
  const content = await folder.read(MANIFEST_FILE, MAX_MANIFEST_BYTES);
  if (!('bytes' in content)) return { finding: await explainUnread(folder, content.refused) };
  const text = new Text(content.bytes);
  const result = parseJson(text);
  if ('fault' in result) return { finding: explainFault(text, result.fault) };
  const { root, leniencies } = result;
  if (!hasAtMost(MAX_VALUES, root)) {
    const message = l10n.t(
      'manifest.json holds more than {0} values, so it is neither checked nor pushed. Shorten it.',
      MAX_VALUES,
    );
    return { finding: fileFinding(message) };
  }
  if (root.kind === 'dictionary') return { document: new JsonDocument(text, root), leniencies };
  return {
    finding: manifestFinding('R-JSON-ROOT', text.range(root.start, root.end), {
      message: `${l10n.t('manifest.json has to be an object, with its keys between { and }.')} ${saysKind(root.kind)}`,
      chromium: 'Manifest file is invalid',
    }),
  };
}

function hasAtMost(limit: number, root: JsonNode): boolean {
  const pending = [root];
  let count = 0;
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (++count > limit) return false;
    if (node.kind === 'list') for (const item of node.items) pending.push(item);
    else if (node.kind === 'dictionary') for (const { value } of node.members.values()) pending.push(value);
  }
  return true;
}

type Refusal = Extract<ReadResult, { refused: string }>['refused'];

async function explainUnread(folder: ExtensionFolder, refused: Refusal): Promise<Finding> {
  const unread = "Manifest is not valid JSON.  Can't read file.";
  switch (refused) {
    case 'missing':
      return fileFinding(await explainMissing(folder), 'Manifest file is missing or unreadable');
    case 'folder':
      return {
        ...fileFinding(l10n.t('manifest.json is a folder. Put the manifest in a file of that name.'), unread),
        rule: 'R-FILE-DIR',
      };
    case 'unreadable':
      return fileFinding(l10n.t('manifest.json cannot be read. Check its permissions.'), unread);
    case 'too large':
      return fileFinding(
        l10n.t(
          'manifest.json is larger than 2 MiB, so it is neither checked nor pushed. Choose the folder of the extension, or shorten the manifest.',
        ),
      );
  }
}

/** A finding of R-FILE, about the whole file. */
function fileFinding(message: string, chromium?: string): Finding {
  return manifestFinding('R-FILE', NOWHERE, { message, ...(chromium !== undefined && { chromium }) });
}

async function explainMissing(folder: ExtensionFolder): Promise<string> {
  const names = await folder.list('');
  const otherCase = names.find((name) => name.toLowerCase() === MANIFEST_FILE);
  if (otherCase === MANIFEST_FILE)
    return l10n.t('manifest.json is a link that leads nowhere. Put the manifest itself there.');
  if (otherCase)
    return l10n.t('The manifest is called {0}. Rename it to manifest.json: upper and lower case count.', otherCase);
  if ((await folder.stat(''))?.kind === 'file')
    return l10n.t('{0} is a file. Choose the folder that holds manifest.json.', folder.path);
  if (names.length === 0)
    return l10n.t('{0} does not exist or is empty. Build the extension, or choose another folder.', folder.path);
  return l10n.t(
    '{0} has no manifest.json. Choose the folder that holds it, or build the extension first.',
    folder.path,
  );
}

/** What to do about a fault: a message, and the text that it proposes in place of the fault. */
interface FaultAdvice {
  phrase: RegExp;
  message: () => string;
  edit?: (fault: JsonFault, text: Text) => { title: string; span: Span; text: string } | undefined;
}

/** The most frequent faults, by the parser's phrase. */
const ADVICE: readonly FaultAdvice[] = [
  {
    phrase: /^trailing comma/,
    message: () => l10n.t('There is a comma after the last entry. Remove it.'),
    edit: (fault) => ({ title: l10n.t('Remove the comma'), span: fault, text: '' }),
  },
  { phrase: /^key must be a string/, message: () => l10n.t('A key has to be in double quotes.') },
  { phrase: /^EOF/, message: () => l10n.t('The file ends too early. Close what is still open.') },
  { phrase: /^expected `,`/, message: () => l10n.t('A comma or a closing bracket is missing before this.') },
  { phrase: /^expected `:`/, message: () => l10n.t('A colon is missing after the key.') },
  {
    phrase: /^trailing characters/,
    message: () => l10n.t('There is text after the end of the object. Remove it.'),
    edit: ({ start }, { bytes }) => ({
      title: l10n.t('Remove the text after the object'),
      span: { start, end: bytes.length },
      text: '',
    }),
  },
  {
    phrase: /^control character/,
    message: () =>
      l10n.t('There is a tab or another control character in a string. Write it as an escape such as \\t.'),
    edit: (fault, { bytes }) => {
      const text = JSON.stringify(String.fromCharCode(bytes[fault.start] ?? 0)).slice(1, -1);
      return { title: l10n.t('Change to {0}', text), span: fault, text };
    },
  },
  {
    phrase: /^invalid escape/,
    message: () => l10n.t('There is an unknown escape in a string. Write \\\\ for a backslash.'),
    edit: ({ start }, { bytes }) => {
      const backslash = bytes.lastIndexOf(BACKSLASH, start);
      const span = { start: backslash, end: backslash + 1 };
      return backslash < 0 ? undefined : { title: l10n.t('Change to {0}', '\\\\'), span, text: '\\\\' };
    },
  },
  {
    phrase: /^invalid unicode/,
    message: () => l10n.t('The file is not encoded in UTF-8. Save it as UTF-8.'),
  },
  { phrase: /^recursion limit/, message: () => l10n.t('Lists and objects are nested too deeply.') },
  {
    phrase: /^expected (value|ident)/,
    message: () => l10n.t('A value is missing or misspelt here. Strings have to be in double quotes.'),
  },
];

const BACKSLASH = 0x5c;

function explainFault(text: Text, fault: JsonFault): Finding {
  const advice = ADVICE.find(({ phrase }) => phrase.test(fault.text));
  const edit = advice?.edit?.(fault, text);
  const fix = edit && {
    title: edit.title,
    edits: [{ file: MANIFEST_FILE, range: text.range(edit.span.start, edit.span.end), newText: edit.text }],
  };
  const finding = manifestFinding('R-JSON', text.range(fault.start, fault.end), {
    message: advice?.message() ?? l10n.t('This is not valid JSON. Correct the text at this place.'),
    chromium: `Manifest is not valid JSON.  ${fault.text}`,
  });
  return fix ? { ...finding, fix } : finding;
}

function manifestFinding(rule: string, range: Range, texts: Pick<Finding, 'message' | 'chromium'>): Finding {
  return { rule, severity: 'error', ...texts, file: MANIFEST_FILE, path: [], range };
}
