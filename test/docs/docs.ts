/** `npm run docs`: writes the reference in `.github/docs/reference/` from the code. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../support/paths';
import { referencePages } from './reference';

/** The folder of all documentation, and that of what is generated. */
export const DOCS = join(ROOT, '.github', 'docs');
export const REFERENCE = join(DOCS, 'reference');

async function write(): Promise<void> {
  await mkdir(REFERENCE, { recursive: true });
  for (const [name, text] of await referencePages()) await writeFile(join(REFERENCE, name), text);
}

if (process.argv[1] === __filename) {
  write().catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}
