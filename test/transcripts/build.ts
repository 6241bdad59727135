import { digestOf } from '../../src/archive/compress';
import { type Archive, archiveOf } from '../../src/archive/packer';
import { storedBytes, storedEntry } from '../../src/archive/zip';
import type { JsonValue } from '../../src/manifest/json/node';
import type { Manifest } from '../../src/manifest/manifest';
import type { Prepared } from '../../src/push/prepare/prepare';

/** An extension that a scenario pushes. */
export interface Build {
  manifest: { name: string; version: string; background?: { service_worker: string } } & Record<string, JsonValue>;
  /** The texts of all other files, by path. */
  files: Record<string, string>;
}

const archives = new WeakMap<Build, Promise<Archive>>();

/** A build as a push has it after the check. `started`: when the push began. */
export async function preparedOf(build: Build, started: number): Promise<Prepared> {
  const packing = archives.get(build) ?? archiveOfBuild(build);
  archives.set(build, packing);
  return { folder: '', manifest: manifestOf(build), archive: await packing, secrets: [], started };
}

/** The zip of a build, as somebody else may upload it. */
export async function zipOfBuild(build: Build): Promise<Uint8Array<ArrayBuffer>> {
  return await (await preparedOf(build, 0)).archive.zip();
}

async function archiveOfBuild({ manifest, files }: Build): Promise<Archive> {
  return await archiveOfFiles({ ...files, 'manifest.json': JSON.stringify(manifest) });
}

/** The archive of files, by path. */
export async function archiveOfFiles(files: Record<string, string | Buffer>): Promise<Archive> {
  const names = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
  const packing = names.map(async ([path, file]) => {
    const content = Buffer.from(file);
    const zipBytes = storedBytes(path, content.length);
    return { entry: await storedEntry(path, content), size: content.length, digest: await digestOf(content), zipBytes };
  });
  return await archiveOf(await Promise.all(packing));
}

function manifestOf({ manifest: raw, files }: Build): Manifest {
  const { name, version, background } = raw;
  return {
    name,
    version,
    manifestVersion: 3,
    ...(background && { serviceWorker: { path: background.service_worker, type: 'classic' as const } }),
    files: Object.keys(files),
    raw,
  };
}
