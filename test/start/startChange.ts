import { parse } from 'jsonc-parser';
import { readFile } from 'node:fs/promises';
import { join, posix, relative, sep } from 'node:path';
import { locateExtensionFolders } from '../../src/archive/locate';
import type { Witness } from '../workbench/observer';
import type { Workbench } from '../workbench/workbench';

/** The global variable that the changed worker sets. */
const MARK = 'sideloadStartBuild';

/** A change to an extension that can be seen in the browser once the changed code runs there. */
export interface Change {
  /** The file that is changed, from the workspace folder, with `/`. */
  readonly file: string;
  /** Types the change in VS Code and saves it. */
  make(workbench: Workbench): Promise<void>;
  /** Asks the browser; gives what was seen, or rejects with what is there instead. */
  prove(witness: Witness, extensionId: string): Promise<string>;
}

/**
 * The change for the extension in a workspace folder: a line at the end of its service worker, or a higher version when
 * it has none. Undefined when there is no manifest from which to tell.
 */
export async function chooseChange(workspace: string): Promise<Change | undefined> {
  const [folder] = await locateExtensionFolders(workspace);
  if (folder === undefined) return undefined;
  const text = await readFile(join(folder, 'manifest.json'), 'utf8');
  const manifest: unknown = parse(text);
  const inWorkspace = (path: string): string => relative(workspace, join(folder, path)).split(sep).join(posix.sep);
  const worker = workerOf(manifest);
  if (worker !== undefined) return changeOfWorker(inWorkspace(worker));
  const version = versionOf(manifest);
  return version === undefined ? undefined : changeOfVersion(inWorkspace('manifest.json'), text, version);
}

function changeOfWorker(file: string): Change {
  // Never the same twice: a number from an earlier push proves nothing.
  const build = Date.now();
  return {
    file,
    async make(workbench) {
      await workbench.editors.open(file);
      await workbench.editors.appendLine(`globalThis.${MARK} = ${build};`);
      await workbench.editors.save();
    },
    async prove(witness, extensionId) {
      const seen = await witness.workerGlobal(extensionId, MARK);
      if (seen === build) return `the running worker has globalThis.${MARK} = ${build}`;
      throw new Error(
        `The running worker is not the changed one: globalThis.${MARK} is ${String(seen)}, not ${build}.`,
      );
    },
  };
}

function changeOfVersion(file: string, text: string, version: string): Change {
  const parts = version.split('.');
  const next = [...parts.slice(0, -1), String(Number(parts.at(-1)) + 1)].join('.');
  const changed = text.replace(/("version"\s*:\s*")[^"]*/, (_all, key: string) => key + next);
  return {
    file,
    async make(workbench) {
      await workbench.editors.open(file);
      await workbench.editors.replaceAll(changed);
      await workbench.editors.save();
    },
    async prove(witness, extensionId) {
      const seen = (await witness.extensions()).find((extension) => extension.id === extensionId);
      if (seen?.version === next) return `the browser lists version ${next}`;
      throw new Error(`The browser lists version ${seen?.version ?? 'none'} and not ${next}.`);
    },
  };
}

function workerOf(manifest: unknown): string | undefined {
  if (typeof manifest !== 'object' || manifest === null || !('background' in manifest)) return undefined;
  const { background } = manifest;
  if (typeof background !== 'object' || background === null || !('service_worker' in background)) return undefined;
  return typeof background.service_worker === 'string' ? background.service_worker : undefined;
}

function versionOf(manifest: unknown): string | undefined {
  if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) return undefined;
  return typeof manifest.version === 'string' ? manifest.version : undefined;
}
