// Covers: test/machine/logModule.ts
/**
 * Completes a VS Code server from npm whose modules were installed without install scripts: those would compile for minutes, or
 * download from hosts that may not be reachable.
 */
import { build } from 'esbuild';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT } from '../support/paths';

/** The npm package with ripgrep for every platform, which newer VS Codes contain. */
export const RIPGREP_PACKAGE = '@vscode/ripgrep-universal@1.18.0';

/**
 * VS Code up to 1.105 takes its file watcher from a git host, and compiles it and the module of its terminals; npm has the same modules with their
 * binaries.
 */
export const COMPILED: Readonly<Record<string, string>> = { '@parcel/watcher': '2.5.6', 'node-pty': '1.2.0-beta.15' };

/** Makes npm the only source of the server's modules. To be called before they are installed. */
export async function takeCompiledFromNpm(vscode: string): Promise<void> {
  await changeJson(join(vscode, 'package.json'), (manifest) => setDependencies(manifest));
  await changeJson(join(vscode, 'npm-shrinkwrap.json'), (lock) => {
    const packages = objectIn(lock, 'packages');
    setDependencies(objectIn(packages, ''));
    for (const name of Object.keys(COMPILED)) delete packages[`node_modules/${name}`];
  });
}

/**
 * Copies ripgrep, which VS Code needs to find files by name, to where the install script of VS Code up to 1.105 would have put it.
 * RIPGREP_PACKAGE must be installed in `folder`.
 */
export async function addRipgrep(folder: string, vscode: string): Promise<void> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const platform = `${process.platform}-${process.arch}`;
  const program = join(folder, 'node_modules', '@vscode', 'ripgrep-universal', 'bin', platform, name);
  const place = join(vscode, 'node_modules', '@vscode', 'ripgrep', 'bin', name);
  await mkdir(dirname(place), { recursive: true });
  await copyFile(program, place);
}

/** Replaces the compiled log module, which needs install scripts, by ours (logModule.ts). */
export async function replaceLogModule(vscode: string, nodeVersion: string): Promise<void> {
  await build({
    entryPoints: [join(ROOT, 'test', 'machine', 'logModule.ts')],
    outfile: join(vscode, 'node_modules', '@vscode', 'spdlog', 'index.js'),
    platform: 'node',
    target: `node${nodeVersion}`,
    format: 'cjs',
    logLevel: 'error',
  });
}

function setDependencies(manifest: Record<string, unknown>): void {
  Object.assign(objectIn(manifest, 'dependencies'), COMPILED);
}

async function changeJson(file: string, change: (value: Record<string, unknown>) => void): Promise<void> {
  const value: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (!isObject(value)) throw new Error(`${file} holds no object.`);
  change(value);
  await writeFile(file, JSON.stringify(value, undefined, 2));
}

function objectIn(value: Record<string, unknown>, key: string): Record<string, unknown> {
  const found = value[key];
  if (!isObject(found)) throw new Error(`A package of the VS Code server has no "${key}".`);
  return found;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
