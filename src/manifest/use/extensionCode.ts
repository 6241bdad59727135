import { posix } from 'node:path';
import { EventLoop } from '../../base/eventLoop';
import type { ExtensionFolder } from '../folder/folder';
import type { JsonNode } from '../json/node';
import { extensionOf, fileOfUrl } from '../values/resource';
import type { CodeFacts } from './codeFacts';
import { KnownReading } from './knownCode';
import { pageReferences, type PageReference } from './pageScripts';
import { readUnparsed } from './unparsedCode';

/** A script of an extension. */
export interface CodeFile {
  path: string;
  text: string;
  facts: CodeFacts;
  /** Whether the manifest leads to it, by pages, imports, and texts that are its name. */
  isReached: boolean;
}

/** A page of an extension. */
export interface CodePage {
  path: string;
  text: string;
  references: readonly PageReference[];
  isReached: boolean;
}

/** The code of an extension. */
export interface ExtensionCode {
  /** Those that are reached come first. */
  scripts: readonly CodeFile[];
  pages: readonly CodePage[];
  /** Every file that the manifest leads to. */
  reached: ReadonlySet<string>;
  /** Whether all of it was read: every script that is named is there, and none is still to be built. */
  isComplete: boolean;
}

/** A larger script is searched for names, and not parsed, in bytes. */
const MAX_PARSED_BYTES = 4 * 1024 * 1024;

/** So much code is parsed of an extension, in bytes. */
const MAX_PARSED_TOTAL = 48 * 1024 * 1024;

/** So many scripts and pages are read. */
const MAX_FILES = 5000;

const SCRIPTS: ReadonlySet<string> = new Set(['js', 'mjs', 'cjs']);
const PAGES: ReadonlySet<string> = new Set(['html', 'htm', 'xhtml']);

/** Code that a build turns into scripts, and no declarations of types. */
const UNBUILT = /(?<!\.d)\.(ts|tsx|mts|cts|jsx|vue|svelte|coffee)$/i;

const CODE_NAME = /^[^:*]+\.(m?js|html?)$/i;

/** Reads all scripts and pages among the files of an extension. Never rejects because of what is in them. */
export async function readExtension(
  folder: ExtensionFolder,
  paths: readonly string[],
  manifest: JsonNode,
): Promise<ExtensionCode> {
  const eventLoop = new EventLoop();
  const code = paths.filter((path) => SCRIPTS.has(extensionOf(path)) || PAGES.has(extensionOf(path))).sort();
  const texts: { path: string; text: string; key?: string }[] = [];
  const reading = new KnownReading();
  const pages: CodePage[] = [];
  let parsedBytes = 0;
  let isComplete = code.length <= MAX_FILES && !paths.some((path) => UNBUILT.test(path));
  for (const path of code.slice(0, MAX_FILES)) {
    await eventLoop.yield();
    const content = await folder.read(path);
    if (!('bytes' in content)) {
      isComplete = false;
      continue;
    }
    const text = Buffer.from(content.bytes)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
    if (PAGES.has(extensionOf(path))) pages.push({ path, text, references: pageReferences(text), isReached: false });
    else {
      parsedBytes += content.bytes.length;
      const isParsed = content.bytes.length <= MAX_PARSED_BYTES && parsedBytes <= MAX_PARSED_TOTAL;
      texts.push({ path, text, ...(isParsed && { key: reading.add(text) }) });
    }
  }
  const factsOf = await reading.end();
  const scripts = texts.map(({ path, text, key = '' }): CodeFile => {
    return { path, text, facts: factsOf.get(key) ?? readUnparsed(text), isReached: false };
  });
  const { reached, isMissing } = reachedFiles(paths, manifest, scripts, pages);
  const marked = <T extends { path: string }>(files: readonly T[]): (T & { isReached: boolean })[] =>
    files
      .map((file) => ({ ...file, isReached: reached.has(file.path) }))
      .sort((a, b) => Number(b.isReached) - Number(a.isReached));
  return { scripts: marked(scripts), pages: marked(pages), reached, isComplete: isComplete && !isMissing };
}

function reachedFiles(
  paths: readonly string[],
  manifest: JsonNode,
  scripts: readonly CodeFile[],
  pages: readonly CodePage[],
): { reached: Set<string>; isMissing: boolean } {
  const all = new Set(paths);
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    const name = posix.basename(path);
    byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  const named = new Map<string, readonly string[]>([
    ...scripts.map(({ path, facts }) => [path, [...facts.files]] as const),
    ...pages.map(({ path, references }) => [path, references.map(({ address }) => address)] as const),
  ]);
  const reached = new Set<string>();
  const add = (written: string, from: string): boolean => {
    const files = candidates(written, from, all, byName);
    for (const path of files) reached.add(path);
    return files.length > 0;
  };
  let isMissing = false;
  for (const text of textsIn(manifest)) if (!add(text, '') && CODE_NAME.test(text)) isMissing = true;
  const scriptsOf = new Map(pages.map(({ path, references }) => [path, references]));
  for (const path of reached) {
    for (const written of named.get(path) ?? []) add(written, path);
    for (const { address, isScript } of scriptsOf.get(path) ?? [])
      if (isScript && CODE_NAME.test(address) && candidates(address, path, all, byName).length === 0) isMissing = true;
  }
  return { reached, isMissing };
}

/** The files that a text may name: relative to the file that it is in, to the root, or by the end of their paths. */
function candidates(
  written: string,
  from: string,
  all: ReadonlySet<string>,
  byName: ReadonlyMap<string, readonly string[]>,
): string[] {
  const file = fileOfUrl(written.replace(/[?#].*$/s, ''));
  if (file === undefined || file === '') return [];
  const near = posix.join(posix.dirname(from), file);
  const exact = [file, near].filter((path) => all.has(path));
  if (exact.length > 0) return exact;
  return (byName.get(posix.basename(file)) ?? []).filter((path) => path.endsWith(`/${file}`));
}

/** Every text in a value. */
function* textsIn(node: JsonNode): Generator<string> {
  const pending = [node];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.kind === 'string') yield next.value;
    else if (next.kind === 'list') pending.push(...next.items);
    else if (next.kind === 'dictionary') pending.push(...[...next.members.values()].map(({ value }) => value));
  }
}
