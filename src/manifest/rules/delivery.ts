import type { WalkedEntry } from '../folder/folder';
import type { Context, Report, Rule } from '../rule';
import { MAX_WALKED_ENTRIES } from './strayFiles';

/** Folders that never belong to an extension and can be huge; what is in them is not delivered. */
const LEFT_OUT = /(^|\/)(node_modules|\.git|\.hg|\.svn)(\/|$)/;

/** What the service takes, unpacked. */
const MAX_DELIVERED_BYTES = 50 * 1024 * 1024;

const MEBIBYTE = 1024 * 1024;

/** What goes into the archive, by the check that asks: several rules look at it. */
const DELIVERED = new WeakMap<Context, Promise<WalkedEntry[]>>();

function deliveredFiles(context: Context): Promise<WalkedEntry[]> {
  const files = DELIVERED.get(context) ?? findDelivered(context);
  DELIVERED.set(context, files);
  return files;
}

async function findDelivered({ folder, options }: Context): Promise<WalkedEntry[]> {
  const isDelivered = options.isDelivered ?? ((path: string) => !LEFT_OUT.test(path));
  const files: WalkedEntry[] = [];
  for (const entry of await folder.walk(MAX_WALKED_ENTRIES)) {
    if (entry.kind === 'file' && isDelivered(entry.path)) files.push(entry);
  }
  return files;
}

/** R-SIZE: more than the service takes. Sideload's own. */
export const sizeRule: Rule = {
  id: 'R-SIZE',
  stage: 'delivery',
  async check(context) {
    if (context.options.loadedBy === 'flag') return [];
    const bytes = await context.folder.sizeOf(await deliveredFiles(context));
    if (bytes <= MAX_DELIVERED_BYTES) return [];
    const message = `The folder holds ${Math.round(bytes / MEBIBYTE)} MiB, and the service takes ${MAX_DELIVERED_BYTES / MEBIBYTE} MiB. Leave files out with the setting sideload.exclude, or choose the folder of the build.`;
    return [{ severity: 'warning', message, path: [] }];
  },
};

/** Names of files with passwords, keys and tokens. */
const SECRET_NAMES: readonly RegExp[] = [
  /^\.env(\.(?!example$|sample$|template$).+)?$/,
  /^(\.npmrc|\.netrc|\.pypirc|\.git-credentials|\.htpasswd)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)$/,
  /\.(p12|pfx|jks|keystore|ppk)$/,
  /^(credentials|client_secret.*|service[-_]account.*)\.json$/,
];

/** R-SECRET: files that hold secrets by their name, which everyone who has the extension could read. Sideload's own. */
export const secretRule: Rule = {
  id: 'R-SECRET',
  stage: 'delivery',
  async check(context) {
    const files = await deliveredFiles(context);
    return files
      .filter(({ name }) => SECRET_NAMES.some((pattern) => pattern.test(name)))
      .map(({ path }): Report => ({
        severity: 'warning',
        message: `${path} looks like a secret, and everyone who has the extension can read its files. Move it out of the folder.`,
        path: [],
        source: { file: path },
      }));
  },
};
