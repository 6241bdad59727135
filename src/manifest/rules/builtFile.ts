import type { NamedFile } from '../files';
import type { Fix } from '../finding';
import { replaceFix } from '../fixes';
import type { Context } from '../rule';

/** Names of sources that a build makes a script of. */
const SOURCE = /\.(?:[cm]?tsx?|jsx)$/;

/** A fix that names the script built from a source, when it stands beside it; undefined when it does not. */
export async function builtFileFix(
  { folder, manifest }: Context,
  { written, file, path }: NamedFile,
): Promise<Fix | undefined> {
  if (!SOURCE.test(file) || !(await folder.exists(file.replace(SOURCE, '.js')))) return undefined;
  return replaceFix(manifest, path, written.replace(SOURCE, '.js'));
}
