/** Packages the extension as people install it; the suites of this run use that package. */
import { endAll } from '../support/cleanup';
import { packageExtension } from '../machine/vsix';

void packageExtension()
  .then(
    (file) => console.log(`  packaged ${file}`),
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    },
  )
  .then(endAll);
