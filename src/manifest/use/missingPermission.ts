import * as l10n from '@vscode/l10n';
import { readRegularFile } from '../../base/disk';
import { textsField } from '../../base/fields';
import { readManifest } from '../namedPages';
import { permissionsFor } from './apiTable';

/** What V8 says where a member is read of a namespace that is not there. */
const READ_OF_NOTHING = /TypeError: Cannot read properties of undefined \(reading '(\w{1,60})'\)/;

/** A member of a namespace of the API, as code names it. */
const MEMBER = /\b(?:chrome|browser)\s{0,9}\.\s{0,9}([A-Za-z]{1,60})\s{0,9}\.\s{0,9}(\w{1,60})/g;

/** The largest script that is read, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** An error in the worker or in a page of an extension, where it was thrown in the built file. */
export interface ThrownError {
  /** The error's text. */
  text: string;
  /** Absolute path of the built file. */
  file: string;
  /** Line and column count from 0. */
  line: number;
  column: number;
}

/**
 * What to do about an error whose cause is a permission that the manifest of `folder` does not ask for: without it, Chromium leaves the namespace of the
 * API out. Undefined for any other error. Reads the disk as it is now. Never rejects.
 */
export async function permissionAdvice(
  { text, file, line, column }: ThrownError,
  folder: string,
): Promise<string | undefined> {
  const member = READ_OF_NOTHING.exec(text)?.[1];
  if (member === undefined) return undefined;
  const [code, manifest] = await Promise.all([
    readRegularFile(file, MAX_BYTES),
    readManifest(folder).catch(() => undefined),
  ]);
  const name = code && namespaceAt(code.toString('utf8').split('\n')[line] ?? '', column, member);
  if (name === undefined || manifest === undefined) return undefined;
  const permissions = permissionsFor(name);
  const asks = (key: string): boolean => textsField(manifest, key).some((asked) => permissions.includes(asked));
  if (!permissions.includes(name) || asks('permissions')) return undefined;
  return asks('optional_permissions')
    ? l10n.t('chrome.{0} is there only once the optional permission "{0}" was granted. Ask for it before.', name)
    : l10n.t('chrome.{0} is there only with the permission "{0}". Add it to "permissions" in manifest.json.', name);
}

/** The namespace of which a line reads a member: at the column, or the only one, as the column of an uncaught error may not be known. */
function namespaceAt(line: string, column: number, member: string): string | undefined {
  const read = [...line.matchAll(MEMBER)].filter(([, , name]) => name === member);
  const at = read.find(({ 0: { length }, index }) => index < column && column <= index + length);
  const names = new Set((at ? [at] : read).map(([, name]) => name));
  return names.size === 1 ? [...names][0] : undefined;
}
