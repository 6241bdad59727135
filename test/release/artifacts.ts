import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NOTICES } from '../../.esbuild';
import { textField } from '../../src/base/fields';
import { npmFaults, vsixFaults } from '../machine/packageContents';
import { npmCommand, packNpm } from '../machine/npmPackage';
import { packVsix } from '../machine/vsix';
import { runChild } from '../support/child';
import { ROOT } from '../support/paths';
import { bundledFolders } from './bundledFolders';
import { sbomOf } from './sbom';
import { isPreRelease } from './versions';

/** The file with the checksums of the others, in the form of `sha256sum`. */
export const CHECKSUMS = 'SHA256SUMS';

/** Longest time of `npm sbom`, in milliseconds. */
const SBOM_LIMIT_MS = 60_000;

/**
 * Builds all files of a release from a folder with the repository and its installed packages into an empty folder: the packages for VS Code and for npm,
 * the notices, the bill of materials, and their checksums. The same state, packages, Node.js and `epoch` (when the release was made, in seconds
 * since 1970) give the same bytes in any folder. Rejects with a sentence when one of them is not as it should be.
 */
export async function buildArtifacts(root: string, out: string, epoch: number): Promise<void> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const about: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const [name, version] = [textField(about, 'name'), textField(about, 'version')];
  // Zips have local times.
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(epoch), TZ: 'UTC' };
  const programs = await packNpm(root, out, env);
  const vsix = join(out, `${name}-${version}.vsix`);
  // Last, so that dist/ has the notices of all bundles.
  await packVsix(root, vsix, { isPreRelease: isPreRelease(version), env });
  const faults = [...(await npmFaults(programs)), ...(await vsixFaults(vsix))];
  if (faults.length > 0) throw new Error(`The packages are not as they should be: ${faults.join(' ')}`);
  await copyFile(join(root, 'dist', NOTICES), join(out, NOTICES));
  const description = textField(JSON.parse(await readFile(join(root, 'package.nls.json'), 'utf8')), 'description');
  const subject = { name, version, description, epoch, bundled: await bundledVersions() };
  await writeFile(join(out, `${name}-${version}.cdx.json`), sbomOf(await npmSbom(root), subject));
  const sums = await Promise.all(
    (await readdir(out)).toSorted().map(async (file) => `${await sumOf(join(out, file))}  ${file}\n`),
  );
  await writeFile(join(out, CHECKSUMS), sums.join(''));
}

/** What the bundles contain, as `name@version`, once each. */
async function bundledVersions(): Promise<string[]> {
  const all = (await bundledFolders()).map(async (folder) => {
    const about: unknown = JSON.parse(await readFile(join(ROOT, folder, 'package.json'), 'utf8'));
    return `${textField(about, 'name')}@${textField(about, 'version')}`;
  });
  return [...new Set(await Promise.all(all))];
}

/** What `npm sbom` says of all that the lock file names. */
async function npmSbom(root: string): Promise<unknown> {
  const lines: string[] = [];
  const [program, ...args] = npmCommand(
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--package-lock-only',
    '--loglevel',
    'error',
  );
  const { code } = await runChild(program, args, {
    cwd: root,
    limitMs: SBOM_LIMIT_MS,
    output: { line: (text) => lines.push(text) },
  });
  if (code !== 0) throw new Error(`npm sbom failed: ${lines.slice(0, 4).join(' / ')}`);
  return JSON.parse(lines.join('\n'));
}

async function sumOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
