import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { locateExtensionFolders } from '../../src/archive/locate';
import { checkFolder } from '../../src/manifest/check';
import { SAMPLE } from '../support/paths';
import { BareBrowser } from './bareBrowser';
import type { Bench } from './context';
import { InPlace } from './inPlace';
import { HELD, timed, type ScaleCase } from './scaleCase';
import { shippedSaves } from './shippedSaves';
import { SCRIPT_BYTES, Subject } from './subject';

/** Files of one extension for the case about bytes, and bytes of one file for the case about files. */
const FILES = 100;
const BYTES = 1000;

/** A package of the monorepo has so many files. */
const FILES_OF_PACKAGE = 5000;
const FILES_OF_FOLDER = 50;

/** An extension of many bytes. */
export const megabytes: ScaleCase = {
  things: 'MB of an extension',
  full: 50,
  figures: { save: { growth: 2 }, ...HELD },
  prepare: (bench, count) => shippedSaves(bench, `mb-${count}`, FILES, (count * 1_000_000) / FILES),
};

/** An extension of many files. `reload` is what a Chromium needs for as many by itself, which reads the names of all. */
export const files: ScaleCase = {
  things: 'files of an extension',
  full: 10_000,
  figures: { save: { of: { figure: 'reload', times: 3 } }, reload: {}, ...HELD },
  prepare: async (bench, count) => {
    const saved = await shippedSaves(bench, `files-${count}`, count, BYTES);
    const bare = await bareReloads(bench, `bare-files-${count}`, count);
    return async () => ({ ...(await saved()), reload: await bare.reload() });
  },
};

/** A Chromium without Sideload, which reloads a folder with so many files. */
async function bareReloads(bench: Bench, name: string, count: number): Promise<BareBrowser> {
  const [{ executable, root }, beacon] = [bench, await bench.beacon()];
  const subject = await Subject.create(join(root, name), name, beacon);
  await subject.pad(count, BYTES, SCRIPT_BYTES);
  return await BareBrowser.start(executable, join(root, `${name}-browser`), subject, beacon);
}

/** A manifest with a fault in each of its content scripts. */
export const findings: ScaleCase = {
  things: 'findings',
  full: 10_000,
  figures: { check: { growth: 12 }, ...HELD },
  prepare: async ({ root }, count) => {
    const folder = join(root, `findings-${count}`);
    await mkdir(folder, { recursive: true });
    const scripts = Array.from({ length: count }, () => ({ matches: ['https://a.test/*'], js: ['missing.js'] }));
    const manifest = { manifest_version: 3, name: 'Many', version: '1', content_scripts: scripts };
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2));
    return async () => {
      const { ms, held } = await timed(() => checkFolder(folder));
      return { check: ms, held };
    };
  },
};

/** A monorepo with an extension in each of its packages: where they are is looked for, and one of them is saved. */
export const monorepo: ScaleCase = {
  things: 'files of a monorepo',
  full: 200_000,
  figures: { search: { growth: 12 }, save: { growth: 1.1 }, ...HELD },
  prepare: async (bench, count) => {
    const root = join(bench.root, `monorepo-${count}`);
    const packages = count / FILES_OF_PACKAGE;
    for (let at = 0; at < packages; at++) await writePackage(join(root, 'packages', `package-${at}`));
    const [{ client }, beacon] = [await bench.service(), await bench.beacon()];
    const folder = join(root, 'packages', 'package-0', 'dist');
    const subject = await Subject.create(folder, `monorepo-${count}`, beacon);
    const pushed = await InPlace.prepare(client, subject, beacon);
    await pushed.watch();
    return async () => {
      // Before the search, since what that leaves to collect would delay the save.
      let save = 0;
      const saved = await timed(async () => {
        save = await pushed.worker();
      });
      let found = 0;
      const search = await timed(async () => {
        found = (await locateExtensionFolders(root)).length;
      });
      if (found !== packages) throw new Error(`${found} of ${packages} extensions are found`);
      return { search: search.ms, save, held: Math.max(search.held, saved.held) };
    };
  },
};

async function writePackage(folder: string): Promise<void> {
  for (let at = 0; at < FILES_OF_PACKAGE; at += FILES_OF_FOLDER) {
    const part = join(folder, 'src', `part-${at}`);
    await mkdir(part, { recursive: true });
    await Promise.all(Array.from({ length: FILES_OF_FOLDER }, (_, index) => writeFile(join(part, `${index}.ts`), '')));
  }
  await cp(SAMPLE, join(folder, 'dist'), { recursive: true });
}
