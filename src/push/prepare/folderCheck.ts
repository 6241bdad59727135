import { lstatSync, type Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { MAX_FOLDER_BYTES } from '../../archive/archiveLimits';
import { type ChoiceOptions, fileChooser, isTaken } from '../../archive/choice';
import { compileGlobs } from '../../archive/globs';
import { isPrivateKey } from '../../archive/privateKeys';
import { checkFolder, type CheckResult, type Dependencies } from '../../manifest/check';
import type { RuleOptions, SecretState } from '../../manifest/rule';
import { filesReader } from '../../manifest/folder/filesReader';
import { present } from '../../base/fields';
import { shortened } from '../../base/units';

/** A folder to check, in a form that can be posted to a thread. */
export interface FolderCheck {
  /** Absolute path of the folder that holds `manifest.json`. */
  folder: string;
  /** Globs of files that are left out of the archive, and of files that are not: as in `ChoiceOptions`. */
  exclude: readonly string[];
  include: readonly string[];
  /** Whether findings hint at what the Chrome Web Store refuses; hints never stop a push. */
  storeHints?: boolean;
  /** The manifest of the version that people have, as a text: permissions that go beyond it are hinted at. */
  publishedManifest?: string;
  /** Whether that includes what all code shows; a push does not wait for it. */
  readsCode?: boolean;
  /** Whether the content of rulesets is not checked. */
  skipsRulesets?: boolean;
  /** The functions of the API that the extension has called while it was tested, which count as uses beside those in the code. */
  calledApi?: readonly string[];
  /** Unsaved texts, by path relative to the folder. */
  unsaved?: ReadonlyMap<string, string>;
  /**
   * What the list of the files says that are packed: their size in bytes, and the paths that are left out as secrets. Without it, the disk is asked
   * for each file, which takes the most time in a folder of thousands.
   */
  listed?: { bytes: number; secrets: readonly string[] };
  /** A zip whose files are checked in place of those of the folder. */
  zip?: Uint8Array<ArrayBuffer>;
}

/** Longest texts of a finding, in characters: a text may quote a value of a megabyte. */
const MAX_TEXT_LENGTH = 2000;

/** The paths and listed names that a result depends on, of a manifest that names very many. */
const MAX_DEPENDENCIES = 5000;

/** As `checkFolder`, with a result that is small enough to be copied between threads. */
export async function checkSmall(check: FolderCheck, signal?: AbortSignal): Promise<CheckResult> {
  const { folder, exclude, include, storeHints = false, readsCode = false, publishedManifest, unsaved, zip } = check;
  const { calledApi, listed, skipsRulesets = false } = check;
  const choiceOf = rememberedChoices({ exclude, include });
  const files = zip && (await (await import('../../archive/zip')).unpackZip(zip));
  const { findings, dependsOn, ...rest } = await checkFolder(folder, {
    isDelivered: (path) => isTaken(choiceOf(path)),
    isNamed: namedBy(include),
    secretState: secretStates(folder, choiceOf, listed && new Set(listed.secrets)),
    storeHints,
    readsCode: storeHints && readsCode,
    skipsRulesets,
    mostBytes: MAX_FOLDER_BYTES,
    ...present({ deliveredBytes: listed?.bytes, publishedManifest, calledApi, signal }),
    ...(unsaved && { readText: (path: string) => unsaved.get(path) }),
    ...(files && { reader: filesReader(files) }),
  });
  return {
    findings: findings.map(({ message, chromium, ...finding }) => ({
      ...finding,
      message: shortened(message, MAX_TEXT_LENGTH),
      ...(chromium !== undefined && { chromium: shortened(chromium, MAX_TEXT_LENGTH) }),
    })),
    ...fewOf(dependsOn),
    ...rest,
  };
}

/** Decisions on paths that are remembered at most. */
const MOST_CHOICES = 100_000;

/** The decisions by the settings of the last check: they are the same in the next one, and a folder may have thousands of files. */
let last: { settings: string; choiceOf: ReturnType<typeof fileChooser> } | undefined;

/** The decision on the path of a file, made once for all that checks ask. */
function rememberedChoices({ exclude = [], include = [] }: ChoiceOptions): ReturnType<typeof fileChooser> {
  const settings = JSON.stringify([exclude, include]);
  if (last?.settings === settings) return last.choiceOf;
  const choose = fileChooser({ exclude, include });
  const known = new Map<string, ReturnType<typeof choose>>();
  const choiceOf = (path: string): ReturnType<typeof choose> => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const choice = choose(path);
    if (known.size >= MOST_CHOICES) known.clear();
    known.set(path, choice);
    return choice;
  };
  last = { settings, choiceOf };
  return choiceOf;
}

function fewOf(dependsOn: Dependencies['dependsOn']): Dependencies {
  let room = MAX_DEPENDENCIES;
  const few = [...dependsOn].filter(([, seen]) => {
    const size = 1 + (seen?.names?.size ?? 0);
    if (size > room) return false;
    room -= size;
    return true;
  });
  return { dependsOn: new Map(few), ...(few.length < dependsOn.size && { isCut: true }) };
}

/** A glob that asks for whatever is in a folder. */
const WHATEVER = /(^|\/)\*+$/;

/** Which files the globs of a setting ask for, but for those that are only in a folder that one asks for. */
function namedBy(include: readonly string[] = []): (path: string) => boolean {
  const globs = compileGlobs(include.filter((glob) => !WHATEVER.test(glob)));
  return (path) => globs.match(path) !== undefined;
}

/** What becomes of a file that may be a secret: left out of the push, or sent because a setting includes it. */
function secretStates(
  folder: string,
  choiceOf: ReturnType<typeof fileChooser>,
  listed: ReadonlySet<string> | undefined,
): NonNullable<RuleOptions['secretState']> {
  const ofContent = async (path: string): Promise<SecretState> => {
    const file = join(folder, path);
    const facts = await statsOf(file);
    return facts?.isFile() && (await isPrivateKey(file, facts)) ? 'leftOut' : undefined;
  };
  return (path) => {
    const choice = choiceOf(path);
    if (choice === 'include') return 'included';
    if (choice === 'skip') return undefined;
    if (choice !== 'take') return choice.isSecret ? 'leftOut' : undefined;
    if (listed) return listed.has(path) ? 'leftOut' : undefined;
    return ofContent(path);
  };
}

/** In a thread of its own, to ask the system at once is several times as fast as to wait for it. */
async function statsOf(file: string): Promise<Stats | undefined> {
  try {
    return isMainThread ? await lstat(file) : lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
