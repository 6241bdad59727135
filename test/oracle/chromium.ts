// `npm run test:chromium` asks the installed Chromium about every case of the fixtures, about all keys, permissions and locales of the
// tables, about randomly broken manifests, and about updates, and prints where the check differs. It exits with 1 when it does.
// `-- --only mutations --mutations 500 --seed 7` asks for a part of it; `-- --only updates --record` stores the verdicts on updates.
import { parseArgs } from 'node:util';
import { judgedCases, type Case } from './cases';
import { compareAll } from './compare';
import { edgeCases } from './edgeCases';
import { tableCases } from './manifestTables';
import { mutatedCases } from './mutations';
import { compareUpdates } from './updateVerdicts';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      mutations: { type: 'string', default: '500' },
      seed: { type: 'string', default: '1' },
      record: { type: 'boolean', default: false },
    },
  });
  const fixtures = await judgedCases();
  const parts: [string, Iterable<Case>][] = [
    ['cases', fixtures],
    ['tables', tableCases()],
    ['edges', edgeCases()],
    ['mutations', mutatedCases(fixtures, Number(values.mutations), Number(values.seed))],
  ];
  let different = 0;
  for (const [name, cases] of parts) {
    if (values.only !== undefined && values.only !== name) continue;
    console.log(`== ${name} ==`);
    const { asked, differences } = await compareAll(cases, { say: (line) => console.log(line) });
    console.log(`${name}: ${asked - differences.length} of ${asked} agree`);
    different += differences.length;
  }
  if (values.only === undefined || values.only === 'updates') {
    console.log('== updates ==');
    different += await compareUpdates({ record: values.record, say: (line) => console.log(line) });
  }
  process.exitCode = different === 0 ? 0 : 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 2;
});
