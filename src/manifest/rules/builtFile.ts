import type { NamedFile } from '../namedFile';
import type { Proposal } from '../proposal';
import type { Context } from '../rule';

/** Extensions of source files that are built into a script. */
const SOURCE = /\.(?:[cm]?tsx?|jsx)$/;

/** A fix that names the script built from a source; undefined when the folder of the source has no such script. */
export async function builtFileFix({ folder }: Context, { written, file }: NamedFile): Promise<Proposal | undefined> {
  if (!SOURCE.test(file) || !(await folder.exists(file.replace(SOURCE, '.js')))) return undefined;
  return { do: 'replace', by: written.replace(SOURCE, '.js') };
}
