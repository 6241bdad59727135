/** Packages the extension as people install it, and the programs for npm; the suites of this run use the extension's package. */
import { endAll } from '../support/cleanup';
import { ensurePrograms } from '../machine/npmPackage';
import { npmFaults, vsixFaults } from '../machine/packageContents';
import { packageExtension } from '../machine/vsix';

async function packageBoth(): Promise<void> {
  const vsix = await packageExtension();
  const programs = await ensurePrograms();
  for (const [file, faults] of [
    [vsix, await vsixFaults(vsix)],
    [programs, await npmFaults(programs)],
  ] as const) {
    if (faults.length > 0) throw new Error(`${file}: ${faults.join(' ')}`);
    console.log(`  packaged ${file}`);
  }
}

void packageBoth()
  .then(undefined, (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .then(endAll);
