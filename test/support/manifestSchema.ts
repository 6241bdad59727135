// Covers: media/manifest.schema.json
/** `npm run schema`: writes media/manifest.schema.json from the tables of the manifest check. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestSchema } from '../../src/manifest/completion/completionSchema';
import { ROOT } from './paths';

/** The file that package.json contributes. */
export const SCHEMA_FILE = join(ROOT, 'media', 'manifest.schema.json');

/** The schema as it is written. */
export function schemaText(): string {
  return `${JSON.stringify(manifestSchema(), null, 2)}\n`;
}

if (process.argv[1] === __filename) {
  writeFile(SCHEMA_FILE, schemaText()).catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}
