/** `npm test`: all suites in order, or only the named ones. The last line holds the counts over all of them. */
import { endAll } from './cleanup';
import { total, totalsLine, type Counts } from './results';
import { seconds } from './steps';
import { SUITES, runSuite, type Suite } from './suites';

/** What must have run for another suite to make sense. */
function chosen(names: readonly string[]): Suite[] {
  if (names.length === 0) return [...SUITES];
  const unknown = names.filter((name) => !SUITES.some((suite) => suite.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `There is no suite "${unknown.join('", "')}". There are: ${SUITES.map((suite) => suite.name).join(', ')}.`,
    );
  }
  const needed = new Set(SUITES.filter((suite) => names.includes(suite.name)).flatMap((suite) => suite.needs));
  return SUITES.filter((suite) => names.includes(suite.name) || needed.has(suite.name));
}

async function main(): Promise<Counts> {
  const rows: { readonly name: string; readonly counts: Counts; readonly ms: number }[] = [];
  for (const suite of chosen(process.argv.slice(2))) {
    console.log(`\n== ${suite.name} ==`);
    const begin = performance.now();
    const counts = await runSuite(suite);
    rows.push({ name: suite.name, counts, ms: performance.now() - begin });
  }
  console.log('\n== all ==');
  for (const { name, counts, ms } of rows) console.log(`  ${name.padEnd(9)} ${totalsLine(counts)} (${seconds(ms)})`);
  return total(rows.map((row) => row.counts));
}

main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1, skipped: 0 };
  })
  .then(async (counts) => {
    await endAll();
    console.log(totalsLine(counts));
    process.exitCode = counts.failed === 0 ? 0 : 1;
  })
  .catch(() => {
    process.exitCode = 1;
  });
