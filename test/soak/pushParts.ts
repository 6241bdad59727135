import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { Beacon } from '../bench/beacon';
import { InPlace } from '../bench/inPlace';
import { PushWindow } from '../bench/pushWindow';
import { Subject } from '../bench/subject';
import { zipOfOther } from '../contract/pushes';
import { runChild } from '../support/child';
import { ROOT, SAMPLE } from '../support/paths';
import { folderOf, type SoakPart } from './soakPart';

/** Programs that push to one browser at the same time. */
const PROGRAMS = 3;

/** Pushes of each program in one step. */
const PUSHES = 5;

const PROGRAM = join(ROOT, 'test', 'contract', 'otherPrograms.window.ts');
const PROGRAM_LIMIT_MS = 150_000;

/** Saves, each of which is pushed in place, to the first statement of the new worker. */
export const pushes: SoakPart = {
  name: 'pushes',
  full: 500,
  begin: async (stage) => {
    const beacon = await Beacon.start();
    const subject = await Subject.create(folderOf(stage, 'pushes'), 'soak', beacon);
    const pushed = await InPlace.prepare(stage.client, subject, beacon);
    return {
      browser: pushed.browser,
      step: () => pushed.worker(),
      end: async () => {
        pushed.dispose();
        await stage.client.deleteBrowser(pushed.browser.id);
        await beacon.close();
      },
    };
  },
};

/** Restarts of a browser by an upload of somebody else, each followed by a push over the connections that are made again. */
export const restarts: SoakPart = {
  name: 'restarts',
  full: 50,
  begin: async (stage) => {
    const folder = folderOf(stage, 'restarts');
    await cp(SAMPLE, folder, { recursive: true });
    const browser = await stage.client.createBrowser({ headless: true, timeoutSeconds: 3600 });
    const window = new PushWindow(stage.client, true);
    await window.push(browser, folder, 'load');
    const zip = await zipOfOther();
    let name = '';
    return {
      browser,
      step: async (at) => {
        const begun = performance.now();
        const last = name;
        name = `other-${at}`;
        await stage.client.uploadExtensionsToBrowser(browser.id, [{ name, zip }]);
        // Older ones would make each start slower.
        if (last !== '') await stage.client.deleteDirectory(browser.id, `/home/kernel/extensions/${last}`);
        await window.pushAnyhow(await stage.client.getBrowser(browser.id), folder);
        return performance.now() - begun;
      },
      end: async () => {
        window.dispose();
        await stage.client.deleteBrowser(browser.id);
      },
    };
  },
};

/** Three programs that begin, push the same extension to the same browser, and end. */
export const programs: SoakPart = {
  name: 'programs',
  full: 20,
  begin: async (stage) => {
    const folders = await Promise.all(
      Array.from({ length: PROGRAMS }, async (_, at) => {
        const folder = folderOf(stage, `program-${at}`);
        await cp(SAMPLE, folder, { recursive: true });
        return folder;
      }),
    );
    const browser = await stage.client.createBrowser({ headless: true, timeoutSeconds: 3600 });
    const { baseUrl, token } = stage.service;
    const run = async (folder: string): Promise<void> => {
      const lines: string[] = [];
      const args = ['--import', 'tsx', PROGRAM, baseUrl, token, browser.id, folder, 'shared', String(PUSHES)];
      const { code } = await runChild(process.execPath, args, {
        cwd: ROOT,
        limitMs: PROGRAM_LIMIT_MS,
        output: { line: (line) => lines.push(line) },
      });
      if (code !== 0) throw new Error(`a program ended with ${code}: ${lines.join('\n')}`);
    };
    return {
      browser,
      step: async () => {
        const begun = performance.now();
        await Promise.all(folders.map(run));
        return performance.now() - begun;
      },
      end: () => stage.client.deleteBrowser(browser.id),
    };
  },
};
