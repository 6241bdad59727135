import * as l10n from '@vscode/l10n';
import { CHROMIUM_VERSION } from '../availability';
import { CONTENT } from './contentSentences';
import examples from './examples.json';
import { FEATURES } from './featureSentences';
import { LOADING } from './loadingSentences';
import type { Sentences } from './sentences';

/** What the rules mean, by id, in the order of the reference. */
export const RULE_SENTENCES: Sentences = { ...LOADING, ...FEATURES, ...CONTENT };

/** Keys that are added to the manifest of an example, unless it is a text of its own. */
export const EXAMPLE_BASE = { manifest_version: 3, name: 'Base', version: '1.0' };

/** A folder in an example: without a manifest there is none. */
export interface ExampleFolder {
  /** The whole text, or the keys beside those of {@link EXAMPLE_BASE}. */
  manifest?: string | object;
  /** The texts of the other files. */
  files?: Readonly<Record<string, string>>;
}

/** An example of a finding; a few rules have none, because it would take too many or too large files. */
export interface RuleExample {
  severity?: string;
  /** What Chromium says about the example; absent where Sideload alone reports it. */
  words?: string;
  wrong?: ExampleFolder;
  right?: ExampleFolder;
}

/** The examples by the ids of the rules. `test/unit/manifest/pages` checks them. */
export const RULE_EXAMPLES: ReadonlyMap<string, RuleExample> = new Map(Object.entries<RuleExample>(examples));

/** The page of a rule in Markdown: what it means, what Chromium says, an example and how it is correct. Undefined for an unknown id. */
export function rulePage(id: string): string | undefined {
  const sentence = Object.hasOwn(RULE_SENTENCES, id) ? RULE_SENTENCES[id] : undefined;
  if (!sentence) return undefined;
  const { severity, words, wrong, right } = RULE_EXAMPLES.get(id) ?? {};
  return [
    `# ${id}`,
    sentence(),
    ...(severity === undefined ? [] : [outcomeOf(severity, words)]),
    ...(words === undefined ? [] : [`> ${words.replaceAll('\n', '\n> ')}`]),
    ...(wrong ? [`## ${l10n.t('Example')}`, ...folderText(wrong)] : []),
    ...(right ? [`## ${l10n.t('Correct')}`, ...folderText(right)] : []),
    '',
  ].join('\n\n');
}

function outcomeOf(severity: string, words: string | undefined): string {
  const major = CHROMIUM_VERSION.split('.', 1)[0] ?? '';
  if (words === undefined) {
    if (severity === 'error') return l10n.t('Chromium does not report it. Sideload does, and stops the push.');
    return l10n.t('Chromium does not report it. Sideload does, and pushes nevertheless.');
  }
  return severity === 'error'
    ? l10n.t('Chromium {0} refuses the extension, and the push stops. It says about the example:', major)
    : l10n.t('Chromium {0} loads the extension with a warning. It says about the example:', major);
}

function folderText({ manifest, files = {} }: ExampleFolder): string[] {
  const named = Object.entries(files);
  const empty = named.filter(([, text]) => text.length <= 1).map(([name]) => `\`${name}\``);
  return [
    ...(manifest === undefined ? [] : ['`manifest.json`', fence(manifestText(manifest), 'json')]),
    ...named.filter(([, text]) => text.length > 1).flatMap(([name, text]) => [`\`${name}\``, fence(text, '')]),
    ...(empty.length === 0 ? [] : [l10n.t('Other files in the folder: {0}', empty.join(', '))]),
  ];
}

/** The keys that the example is about; a list of plain values takes one line. */
function manifestText(manifest: string | object): string {
  if (typeof manifest === 'string') return manifest;
  const shown = Object.keys(manifest).length > 0 ? manifest : EXAMPLE_BASE;
  return JSON.stringify(shown, null, 2).replaceAll(/\[\n\s+([^[\]{}]*?)\n\s+\]/g, (_, items: string) => {
    return `[${items.replaceAll(/\n\s+/g, ' ')}]`;
  });
}

function fence(text: string, language: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}
