// `npm run test:chromium` asks the installed Chromium about every case of the fixtures, about all keys, permissions and locales of the
// tables, and about manifests that chance has broken, and prints where the check differs. It exits with 1 when it does.
// `-- --only mutations --mutations 500 --seed 7` asks for a part of it.
import { parseArgs } from 'node:util';
import { judgedCases, type Case } from './cases';
import { compareWithChromium } from './compare';
import { tableCases } from './manifestTables';
import { mutatedCases } from './mutations';
import { Oracle } from './oracle';

/** A browser that has loaded so many extensions is replaced by a fresh one. */
const CASES_PER_BROWSER = 400;

async function compareAll(name: string, cases: Iterable<Case>): Promise<number> {
  let oracle = await Oracle.start();
  let asked = 0;
  let different = 0;
  try {
    for (const one of cases) {
      if (asked > 0 && asked % CASES_PER_BROWSER === 0) {
        await oracle.close();
        oracle = await Oracle.start();
      }
      asked++;
      const difference = await compareWithChromium(oracle, one);
      if (difference === undefined) continue;
      different++;
      console.log(`\n${difference}`);
    }
  } finally {
    await oracle.close();
  }
  console.log(`${name}: ${asked - different} of ${asked} agree`);
  return different;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      mutations: { type: 'string', default: '500' },
      seed: { type: 'string', default: '1' },
    },
  });
  const fixtures = await judgedCases();
  const parts: [string, Iterable<Case>][] = [
    ['cases', fixtures],
    ['tables', tableCases()],
    ['mutations', mutatedCases(fixtures, Number(values.mutations), Number(values.seed))],
  ];
  let different = 0;
  for (const [name, cases] of parts) {
    if (values.only === undefined || values.only === name) different += await compareAll(name, cases);
  }
  process.exitCode = different === 0 ? 0 : 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 2;
});
