import { build } from 'esbuild';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { locateError } from '../../src/console/errorSpots';
import { TestEngine } from '../support/testEngine';
import { silentLogger } from '../../src/service/logger';
import { DevTools } from '../contract/devtools';
import { atEnd } from '../support/cleanup';
import { ErrorEvents } from '../support/errorEvents';
import { USUAL_ORDER } from '../support/usualOrder';
import { within } from '../support/within';
import type { Bench } from './context';
import type { Measure } from './series';

/** The worker's source; its place is found by the source map of its bundle. */
const SOURCE = `interface Fault {
  text: string;
}

Object.assign(globalThis, {
  fail: ({ text }: Fault) => {
    setTimeout(() => {
      throw new Error(text);
    });
  },
});
`;

/** How long an error may take to become an entry, in milliseconds. */
const ENTRY_LIMIT_MS = 20_000;

/** Line of the error in that source, from 0. */
const LINE = 7;

/** From the call that makes a worker throw to the entry, at its source, that is handed to VS Code. */
export async function errorMeasures(bench: Bench): Promise<Measure[]> {
  const { client } = await bench.service();
  const folder = join(bench.root, 'errors');
  await mkdir(folder);
  const source = join(folder, 'worker.ts');
  await writeFile(source, SOURCE);
  await build({
    entryPoints: [source],
    outfile: join(folder, 'worker.js'),
    bundle: true,
    minify: true,
    sourcemap: true,
  });
  const manifest = { manifest_version: 3, name: 'errors', version: '1', background: { service_worker: 'worker.js' } };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));

  let onEntry: (text: string) => void = () => undefined;
  const { events } = new ErrorEvents((extensionId, added) => {
    for (const error of added) {
      void locateError(error, { folder, root: folder, extensionId }).then(({ file, start }) => {
        if (file === source && start.line === LINE) onEntry(error.text);
      });
    }
  });
  const engine = new TestEngine({ log: silentLogger, idleMs: () => Infinity, eventsOf: () => events });
  atEnd('the connection for errors', () => Promise.resolve(engine.dispose()));
  const browser = await client.createBrowser({ headless: true, timeoutSeconds: 3600 });
  const [pushed] = await engine.push({ ...USUAL_ORDER, service: client, browsers: [browser], isLocal: true, folder });
  if (pushed?.outcome.kind !== 'running') throw new Error(`the push ended with ${JSON.stringify(pushed?.outcome)}`);
  const devtools = await DevTools.connect(browser.devToolsUrl);
  let count = 0;
  const run = async (): Promise<number> => {
    count += 1;
    const text = `error ${count}`;
    const begun = performance.now();
    const entry = new Promise<void>((resolve) => {
      onEntry = (found) => {
        if (found.endsWith(text)) resolve();
      };
    });
    const thrown = devtools.askWorkers(`fail(${JSON.stringify({ text })})`);
    await within(`${text} becomes an entry`, ENTRY_LIMIT_MS, Promise.all([thrown, entry]));
    return performance.now() - begun;
  };
  return [{ name: 'errorToProblem', run }];
}
