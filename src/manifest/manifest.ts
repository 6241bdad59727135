import { posix } from 'node:path';
import { contentScripts, hasImageType, hasScriptType, iconFiles, workerFile } from './namedFile';
import type { JsonValue } from './json/node';
import type { Context } from './rule';

/** A summary of an extension for the rest of Sideload. */
export interface Manifest {
  /** As a browser in US English shows it. */
  name: string;
  version: string;
  manifestVersion: number;
  serviceWorker?: { path: string; type: 'classic' | 'module' };
  /** Every file named in the manifest whose existence is checked: relative to the folder, sorted, without duplicates. */
  files: string[];
  /** The manifest as it is written. */
  raw: JsonValue;
}

/**
 * Summarises a manifest that has at least a name, a version and a manifest version of the right types; undefined for others. It may still
 * have errors. `raw` is the manifest as it is written.
 */
export function summarise(context: Context, raw: JsonValue): Manifest | undefined {
  const { document, name } = context;
  const version = document.stringAt('version');
  const manifestVersion = document.at('manifest_version');
  if (!name || !version || manifestVersion?.kind !== 'integer') return undefined;
  const worker = workerFile(context);
  const scripts = contentScripts(context).filter((files) => files.every(hasScriptType));
  const named = [...scripts.flat(), ...iconFiles(context).filter(hasImageType), ...(worker ? [worker] : [])];
  const files = [...new Set(named.map(({ file }) => posix.normalize(file)))].sort();
  const type = document.stringAt('background', 'type') === 'module' ? 'module' : 'classic';
  return {
    name,
    version,
    manifestVersion: manifestVersion.value,
    ...(worker && { serviceWorker: { path: posix.normalize(worker.file), type } }),
    files,
    raw,
  };
}
