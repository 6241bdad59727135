import type { Bench } from './context';
import type { Ratio } from './ratios';
import { browsers, chromiums, extensions, lines, storage } from './scaleBrowsers';
import { scaleMeasures, scaleRatios, type ScaleCase } from './scaleCase';
import { files, findings, megabytes, monorepo } from './scaleFolders';
import { lists } from './scaleLists';
import type { Summary } from './series';

/** The cases of the group `scale`, by the names that `--only scale/NAME` takes. */
const CASES: Readonly<Record<string, ScaleCase>> = {
  lists,
  megabytes,
  files,
  findings,
  lines,
  storage,
  monorepo,
  browsers,
  chromiums,
  extensions,
};

/** Measures large work at its full size and at a tenth, one case after the other: what one has made would slow the others. */
export async function scale(
  bench: Bench,
  isChosen: (name: string) => boolean,
): Promise<{ summaries: Summary[]; ratios: Ratio[] }> {
  const summaries: Summary[] = [];
  const ratios: Ratio[] = [];
  for (const [name, one] of Object.entries(CASES).filter(([name]) => isChosen(name))) {
    bench.report(`${name}:`);
    const taken = await bench.measure(await scaleMeasures(bench, name, one));
    summaries.push(...taken);
    ratios.push(...scaleRatios(name, one, taken));
  }
  return { summaries, ratios };
}
