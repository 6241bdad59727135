import { join } from 'node:path';
import { DevTools } from '../contract/devtools';
import type { Bench } from './context';
import { PushWindow } from './pushWindow';
import { medianOf, type Ratio } from './ratios';
import type { Measure, Summary } from './series';
import { Subject } from './subject';

const ALONE = 'save of the worker to the page of the extension again, alone in its window';
const BESIDE = 'save of the worker to the page of the extension again, beside other tabs';

/** How long an open page takes to come back after a save of the worker, by whether its window has other tabs. */
export async function keptPageMeasures(bench: Bench): Promise<Measure[]> {
  const prepare = (name: string, folder: string, otherTabs: number): Promise<readonly Measure[]> =>
    bench.prepare(name, async () => [{ name, run: await pageAgain(bench, folder, otherTabs) }]);
  return [...(await prepare(ALONE, 'page-alone', 0)), ...(await prepare(BESIDE, 'page-beside', 2))];
}

export function keptPageRatios(summaries: readonly Summary[]): Ratio[] {
  return [
    { ratio: 'pageAlone/pageBeside', value: medianOf(summaries, ALONE) / medianOf(summaries, BESIDE), limit: 1.2 },
  ];
}

async function pageAgain(bench: Bench, name: string, otherTabs: number): Promise<() => Promise<number>> {
  const [{ client }, beacon] = [await bench.service(), await bench.beacon()];
  const subject = await Subject.create(join(bench.root, name), name, beacon);
  const browser = await client.createBrowser({ headless: true, timeoutSeconds: 3600 });
  const window = new PushWindow(client, true);
  const page = await subject.save('page');
  await window.push(browser, subject.folder, 'load');
  const devtools = await DevTools.connect(browser.devToolsUrl);
  for (let tab = 0; tab < otherTabs; tab++) await devtools.result('Target.createTarget', { url: 'about:blank' });
  const shown = await devtools.attachToPage();
  await shown.show(`chrome-extension://${subject.id}/popup.html`);
  await beacon.called(page);
  devtools.close();
  return async () => {
    beacon.forget(page);
    const saved = performance.now();
    await subject.saveWorker();
    const [again] = await Promise.all([beacon.called(page), window.pushSaved(browser, subject.folder, 'reload')]);
    return again - saved;
  };
}
