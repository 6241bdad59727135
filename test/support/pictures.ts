/** `npm run pictures`: takes the README's pictures from the running product, so that they show what a user sees. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMMANDS } from '../../src/ids';
import { ensureBrowser } from './browser';
import { endAll } from './cleanup';
import { ROOT } from './paths';
import { createBrowser, openBrowsers, pushByRow } from './pushing';
import { commandTitle } from './titles';
import { openWindow } from './window';

const BROWSER = 'demo';

/** Longest time for Problems to follow what is typed, in milliseconds. */
const PROBLEMS_LIMIT_MS = 15_000;

const picture = (name: string): string => join(ROOT, 'media', name);

async function main(): Promise<void> {
  await ensureBrowser(console.log);
  const { workbench, folder } = await openWindow('pictures');
  const { editors, page } = workbench;
  await createBrowser(workbench, BROWSER);
  await editors.open('background.js');
  const push = await pushByRow(workbench, BROWSER);
  if (!push.succeeded) throw new Error(`The push failed: ${push.status}`);
  await workbench.notification(/is running in/);
  await workbench.picture(picture('overview.png'));
  await workbench.clearNotifications();

  const good = await readFile(join(folder, 'manifest.json'), 'utf8');
  await editors.open('manifest.json');
  await editors.replaceAll(good.replace('"background.js"', '"worker.js"').replace('"1.0.0"', '"1.0.x"'));
  await workbench.problems.open();
  await workbench.problems.waitFor('worker.js', PROBLEMS_LIMIT_MS);
  await workbench.picture(picture('problems.png'));
  await editors.replaceAllIn('manifest.json', good);
  await workbench.problems.waitForNone('worker.js', PROBLEMS_LIMIT_MS);
  await workbench.command('View: Toggle Panel Visibility');

  await (await openBrowsers(workbench)).clickRowAction(BROWSER, commandTitle(COMMANDS.openScroll));
  const panel = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  await panel.getByRole('img', { name: /Screen of the browser/ }).waitFor();
  await workbench.picture(picture('scroll.png'));
}

main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .finally(endAll);
