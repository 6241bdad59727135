import * as l10n from '@vscode/l10n';
import { EventLoop } from '../../base/eventLoop';
import type { WalkedEntry } from '../folder/folder';
import { MANIFEST_FILE } from '../load';
import { oncePerCheck, ruleOf, type Context } from '../rule';
import { MAX_WALKED_ENTRIES } from './strayFiles';

/** Folders that never belong to an extension and can be huge; their files are not delivered. */
const LEFT_OUT = /(^|\/)(node_modules|\.git|\.hg|\.svn)(\/|$)/;

const MEBIBYTE = 1024 * 1024;

/** Whether a path is delivered, by the options of a check. */
export function isDeliveredBy({ isDelivered }: Context['options']): (path: string) => boolean {
  return isDelivered ?? ((path) => !LEFT_OUT.test(path));
}

/** The files that go into the archive. */
export const deliveredFiles = oncePerCheck(async ({ folder, options }) => {
  const isDelivered = isDeliveredBy(options);
  const eventLoop = new EventLoop();
  const files: WalkedEntry[] = [];
  for (const entry of await folder.walk(MAX_WALKED_ENTRIES)) {
    if (eventLoop.isDue) await eventLoop.yield();
    if (entry.kind === 'file' && isDelivered(entry.path)) files.push(entry);
  }
  return files;
});

/** The id of the rule about a manifest that is a link: an error, although Chromium loads the folder. */
export const MANIFEST_LINK = 'R-LINK';

/** R-LINK: a manifest that is a link, which Chromium follows, but which is not packed. Sideload's own. */
export const manifestLinkRule = ruleOf(MANIFEST_LINK, 'delivery', async ({ folder, options }) => {
  if (options.loadedBy === 'flag') return [];
  const entries = await folder.entries('');
  if (!entries.some(({ name, kind }) => name === MANIFEST_FILE && kind === 'link')) return [];
  const message = l10n.t(
    'manifest.json is a symbolic link, and a push follows no links. Put the file itself into the folder.',
  );
  return { severity: 'error', message, path: [] };
});

/** R-SIZE: more than a push packs, which the caller knows. The service limits the zip alone, whose size only packing shows. Sideload's own. */
export const sizeRule = ruleOf('R-SIZE', 'delivery', async (context) => {
  const { mostBytes, deliveredBytes } = context.options;
  if (mostBytes === undefined) return [];
  const bytes = deliveredBytes ?? (await context.folder.sizeOf(await deliveredFiles(context)));
  if (bytes <= mostBytes) return [];
  const message = l10n.t(
    'The folder holds {0} MiB, and a push packs {1} MiB at most. Exclude files with the setting sideload.exclude (in a terminal: --exclude), or choose the folder of the build.',
    Math.round(bytes / MEBIBYTE),
    mostBytes / MEBIBYTE,
  );
  return { severity: 'warning', message, path: [] };
});

/** Names that suggest passwords, keys and tokens, of files that are sent: whether they hold some is not certain. */
const SECRET_NAMES: readonly RegExp[] = [
  /^\.env(\.(?!example$|sample$|template$).+)?$/i,
  /^(\.npmrc|\.netrc|\.pypirc|\.git-credentials|\.htpasswd)$/i,
  /^id_(rsa|dsa|ecdsa|ed25519)$/i,
  /\.(p12|pfx|p8|key|jks|keystore|ppk|kdbx|tfstate)$/i,
];

/** Words of such names, and the endings of files that are read as data. */
const SECRET_WORD = /credential|secret|^service[-_]account|passw(or)?d/i;
const DATA_ENDING = /\.(json|ya?ml|toml|ini|txt|csv|conf|cfg|xml)$/i;

function soundsSecret(name: string): boolean {
  return SECRET_NAMES.some((pattern) => pattern.test(name)) || (SECRET_WORD.test(name) && DATA_ENDING.test(name));
}

/** R-SECRET: files that suggest secrets, which everyone who has the extension could read, sent or left out. Sideload's own. */
export const secretRule = ruleOf('R-SECRET', 'delivery', async function* ({ folder, options }) {
  const isDelivered = isDeliveredBy(options);
  const eventLoop = new EventLoop();
  for (const { path, name, kind } of await folder.walk(MAX_WALKED_ENTRIES)) {
    if (eventLoop.isDue) await eventLoop.yield();
    if (kind !== 'file' || path === MANIFEST_FILE) continue;
    const asked = options.secretState?.(path);
    // There may be thousands of files, and each wait costs.
    const state = asked instanceof Promise ? await asked : asked;
    const about = { path: [], source: { file: path } };
    if (state === 'leftOut') {
      const message = l10n.t('{0} looks like a secret, and is left out of pushes.', path);
      const title = l10n.t('Push {0} nevertheless (sideload.include)', path);
      const fix = { do: 'setting', setting: { list: 'include', path }, title, isGuess: true } as const;
      yield { severity: 'hint', message, fix, ...about };
    } else if (state === undefined && soundsSecret(name) && isDelivered(path)) {
      const message = l10n.t(
        '{0} looks like a secret, and everyone who has the extension can read its files. Move it out of the folder.',
        path,
      );
      const title = l10n.t('Leave {0} out of pushes (sideload.exclude)', path);
      yield {
        severity: 'warning',
        message,
        fix: { do: 'setting', setting: { list: 'exclude', path }, title },
        ...about,
      };
    }
  }
});
