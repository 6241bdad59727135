import * as l10n from '@vscode/l10n';
import { EventLoop } from '../../base/eventLoop';
import type { FolderEntry } from '../folder/folderReader';
import type { WalkedEntry } from '../folder/folder';
import { caution } from '../refusal';
import { oncePerCheck, ruleOf, type Context, type Report } from '../rule';
import { isPemKey } from '../values/pemKey';
import { isIllegalName } from '../values/portable';

/** A folder with more files than that is not an extension, but perhaps a project or a whole disk. */
export const MAX_WALKED_ENTRIES = 50_000;

/** The files and folders that are delivered. */
const sentEntries = oncePerCheck(async ({ folder, options }) => {
  const eventLoop = new EventLoop();
  const sent: WalkedEntry[] = [];
  for (const entry of await folder.walk(MAX_WALKED_ENTRIES)) {
    if (eventLoop.isDue) await eventLoop.yield();
    if (options.isDelivered?.(entry.path) !== false) sent.push(entry);
  }
  return sent;
});

/** Names that begin with an underscore and are allowed. */
const KNOWN_UNDERSCORES: ReadonlySet<string> = new Set(['_locales', '_platform_specific', '__MACOSX']);

/** A folder, and the files in it that Chromium deletes before it checks names. */
const METADATA_FOLDER = '_metadata';
const METADATA_FILES: ReadonlySet<string> = new Set([
  ...['verified_contents.json', 'computed_hashes.json', 'generated_indexed_rulesets'],
]);

/**
 * R-UNDERSCORE: a name at the root that begins with an underscore. Chromium warns of it when the folder is loaded by `--load-extension`, and
 * refuses it when it is loaded over DevTools, as by a push. Measured on Chromium 156.
 */
export const underscoreRule = ruleOf('R-UNDERSCORE', 'delivery', async (context) => {
  const { folder, options } = context;
  for (const entry of await folder.entries('')) {
    const { name } = entry;
    if (!name.startsWith('_') || KNOWN_UNDERSCORES.has(name) || options.isDelivered?.(name) === false) continue;
    if (name === METADATA_FOLDER && (await folder.list(name)).every((inner) => METADATA_FILES.has(inner))) continue;
    if (!(await isPacked(context, entry))) continue;
    const text = `Cannot load extension with file or directory name ${name}. Filenames starting with "_" are reserved for use by the system.`;
    const message = l10n.t(
      'Chromium reserves names that begin with an underscore, and refuses a push with "{0}" at the top of the folder. Rename it, or exclude it with the setting sideload.exclude (in a terminal: --exclude).',
      name,
    );
    const severity = options.loadedBy === 'flag' ? 'warning' : 'error';
    return { ...caution(text, message, []), severity, source: { file: name } };
  }
  return [];
});

/** Whether Chromium finds an entry of the root: a push packs no links, and no folders without a file. */
async function isPacked({ folder, options }: Context, { name, kind }: FolderEntry): Promise<boolean> {
  if (options.loadedBy === 'flag' || kind === 'file') return true;
  const counts = (entry: WalkedEntry): boolean => entry.kind === 'file' && options.isDelivered?.(entry.path) !== false;
  return kind === 'folder' && (await folder.hasFile(name, counts));
}

/** R-PEM: a key file, even of a public key, does not belong in an extension. Measured on Chromium 156. */
export const keyFileRule = ruleOf('R-PEM', 'delivery', async function* (context) {
  for (const { path, kind } of await sentEntries(context)) {
    if (kind === 'folder' || !/\.pem$/i.test(path) || !(await holdsKey(context, path))) continue;
    const text = `This extension includes the key file '${context.folder.path}/${path}'. You probably don't want to do that.`;
    const message = l10n.t(
      '{0} is a key, which everyone who has the extension can read. Move it out of the folder.',
      path,
    );
    yield caution(text, message, [], { source: { file: path } });
  }
});

async function holdsKey({ folder }: Context, path: string): Promise<boolean> {
  const content = await folder.read(path);
  return 'bytes' in content && isPemKey(Buffer.from(content.bytes).toString('latin1'));
}

/** R-WINNAMES: names that Windows reserves for devices; Chromium reports only the first. Measured on Chromium 156. */
export const illegalNameRule = ruleOf('R-WINNAMES', 'delivery', async (context) => {
  const illegal = (await sentEntries(context)).filter(({ name }) => isIllegalName(name));
  return illegal.map(({ name, path }, index): Report => {
    const message = l10n.t('Windows cannot store a file called "{0}". Rename it.', name);
    const text = `Cannot load extension with file or directory name ${name}. The filename is illegal.`;
    const report = caution(text, message, [], { source: { file: path } });
    const { chromium: _chromium, ...silent } = report;
    return index === 0 ? report : silent;
  });
});
