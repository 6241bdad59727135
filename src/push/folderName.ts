import * as l10n from '@vscode/l10n';
import { createHash } from 'node:crypto';
import { isIllegalName } from '../manifest/values/portable';
import { EXTENSION_NAME_PATTERN } from '../service/interface';

/** A configured folder name that the service would refuse; the message is for people. */
export class FolderNameError extends Error {
  override readonly name = 'FolderNameError';
}

/** Longest part of a manifest's name that goes into a folder name. */
const READABLE_LENGTH = 60;

/** Longest part of a manifest's name that is looked at for it. */
const CONSIDERED_LENGTH = 1000;

/** Digits of the digest that distinguishes names which are equal once illegal characters are removed. */
const DIGEST_LENGTH = 8;

/** Names that the service uses for its own extensions, or that are no folder names. */
const RESERVED = new Set(['kernel', '.', '..']);

/**
 * The folder name of an extension on the browser: `configured` when it is legal, else made from the manifest's name. The same
 * name always gives the same folder, so the extension keeps its id and its storage from push to push.
 * @throws FolderNameError when `configured` is not legal.
 */
export function folderNameOf(manifestName: string, configured = ''): string {
  if (configured !== '') {
    if (!EXTENSION_NAME_PATTERN.test(configured) || RESERVED.has(configured)) {
      throw new FolderNameError(
        l10n.t(
          '"{0}" cannot be a folder name on the browser. Use letters, digits, ".", "_" and "-", at most 255, in the setting sideload.folderName.',
          configured,
        ),
      );
    }
    return configured;
  }
  const readable = manifestName
    .slice(0, CONSIDERED_LENGTH)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, READABLE_LENGTH)
    .replace(/^-+|-+$/g, '');
  // A local service on Windows could not use the name of a device.
  const isLossless = readable === manifestName && !RESERVED.has(readable) && !isIllegalName(readable);
  if (isLossless) return readable;
  const digest = shortDigest(manifestName);
  return readable === '' ? `extension-${digest}` : `${readable}-${digest}`;
}

/** A short digest of a name: the beginning of its SHA-256 in hex. */
export function shortDigest(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, DIGEST_LENGTH);
}

/** Separates the name of an extension's folder from the suffix of one push. */
const MARK = '.sideload-';

/** Longest name that a suffix is appended to, so that the result stays within the service's 255 characters. */
const MARKED_LENGTH = 230;

/** A folder name for one push of the extension whose folder is `name`, different each time. */
export function nextFolderName(name: string): string {
  return `${name.slice(0, MARKED_LENGTH)}${MARK}${Date.now().toString(36)}`;
}

/** Whether `folder` is the name of the folder of the extension `name`, or one that {@link nextFolderName} made for it. */
export function isFolderOf(name: string, folder: string): boolean {
  return folder === name || /^[0-9a-z]+$/.test(afterPrefix(folder, `${name.slice(0, MARKED_LENGTH)}${MARK}`));
}

function afterPrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : '';
}
