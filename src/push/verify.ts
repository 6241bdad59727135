import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from '../devtools/connect';
import { listExtensions, type LoadedExtension } from '../devtools/extensions';
import type { WorkerFault, WorkerScript, WorkerWatch } from '../devtools/workers';

/** What was delivered, as far as the browser must show it again. */
export interface Build {
  extensionId: string;
  /** Its folder on the browser's machine. */
  path: string;
  /** The extension folder on this machine. */
  folder: string;
  version: string;
  /** Whether the manifest names a worker. */
  hasWorker: boolean;
  /** SHA-256 in hex of each packed file, by path. */
  digests: ReadonlyMap<string, string>;
}

/** What the browser was seen to run. Only `running` may be reported as running. */
export type Verification =
  | { state: 'running'; extension: LoadedExtension; worker: 'running' | 'kept' | 'none'; scripts: string[] }
  | { state: 'workerFailed'; extension: LoadedExtension; faults: WorkerFault[] }
  | { state: 'doubled'; extension: LoadedExtension; others: LoadedExtension[] }
  | { state: 'wrong'; reason: string };

/**
 * Looks at the browser, over DevTools, for what was delivered: exactly one enabled copy, from our folder, with our version,
 * whose new worker has run this build's scripts to the end. Without `watch` nothing was reloaded and the worker is left as it
 * is. Rejects when the connection is lost or `signal` aborts.
 */
export async function verify(
  connection: Connection,
  watch: WorkerWatch | undefined,
  build: Build,
  signal?: AbortSignal,
): Promise<Verification> {
  const { extensionId, path } = build;
  const worker = build.hasWorker ? await watch?.started(extensionId, signal) : undefined;
  const extensions = await listExtensions(connection);
  const extension = extensions.find((loaded) => loaded.id === extensionId);
  if (!extension) return { state: 'wrong', reason: 'The browser does not list the extension after loading it.' };
  if (extension.path !== path) {
    return { state: 'wrong', reason: `The browser runs the extension from another folder, ${extension.path}.` };
  }
  if (!extension.enabled) return { state: 'wrong', reason: 'The browser has switched the extension off.' };
  if (!sameVersion(extension.version, build.version)) {
    return { state: 'wrong', reason: `The browser runs version ${extension.version}, not ${build.version}.` };
  }
  switch (worker?.state) {
    case undefined:
      break;
    case 'failed':
      return { state: 'workerFailed', extension, faults: worker.faults };
    case 'absent':
      return { state: 'wrong', reason: 'The service worker did not start.' };
    case 'running': {
      const other = await findOtherScript(worker.scripts, extensionId, build);
      if (other !== undefined) {
        return { state: 'wrong', reason: `The service worker runs another ${other} than the one that was pushed.` };
      }
      break;
    }
  }
  const others = extensions.filter(
    (loaded) => loaded.enabled && loaded.id !== extensionId && loaded.name === extension.name,
  );
  if (others.length > 0) return { state: 'doubled', extension, others };
  return {
    state: 'running',
    extension,
    worker: worker ? 'running' : build.hasWorker ? 'kept' : 'none',
    scripts: worker?.state === 'running' ? pathsOf(worker.scripts, extensionId) : [],
  };
}

/** `1.02` is `1.2` to Chromium, and `1.0` is `1.0.0.0`. */
function sameVersion(a: string, b: string): boolean {
  const parts = (version: string): number[] => version.split('.').map(Number);
  const [left, right] = [parts(a), parts(b)];
  return [0, 1, 2, 3].every((index) => (left[index] ?? 0) === (right[index] ?? 0));
}

/** Paths of the extension's own scripts. */
function pathsOf(scripts: readonly WorkerScript[], extensionId: string): string[] {
  return scripts.flatMap(({ url }) => pathOf(url, extensionId) ?? []);
}

function pathOf(url: string, extensionId: string): string | undefined {
  if (!url.startsWith(`chrome-extension://${extensionId}/`)) return undefined;
  return decodeURIComponent(new URL(url).pathname.slice(1));
}

/** Path of the first script of ours that a worker runs with another text than the build's; undefined when all are the build's. */
async function findOtherScript(
  scripts: readonly WorkerScript[],
  extensionId: string,
  build: Build,
): Promise<string | undefined> {
  for (const script of scripts) {
    const path = pathOf(script.url, extensionId);
    if (path === undefined) continue;
    const digest = build.digests.get(path);
    if (digest === script.hash) continue;
    if (digest === undefined || !(await isSameText(script, join(build.folder, path), digest))) return path;
  }
  return undefined;
}

/** Compares as text, for files whose bytes differ from the text a browser makes of them (byte order mark, invalid UTF-8). */
async function isSameText(script: WorkerScript, file: string, digest: string): Promise<boolean> {
  const bytes = await readFile(file).catch(() => undefined);
  // A file that has changed since it was packed cannot tell anything about the build.
  if (!bytes || createHash('sha256').update(bytes).digest('hex') !== digest) return false;
  return new TextDecoder().decode(bytes) === (await script.read()).replace(/^\uFEFF/, '');
}
