// Covers: test/fixtures/faults
import { build, type BuildOptions } from 'esbuild';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const FIXTURE = join(__dirname, '..', 'fixtures', 'faults');

/** How each script of the fixture is bundled: with a linked, an inline and no source map. */
const BUNDLES: Readonly<Record<string, BuildOptions>> = {
  worker: { sourcemap: 'linked', minify: true },
  content: { sourcemap: 'inline', minify: true },
  main: { sourcemap: 'inline' },
  page: {},
};

/** Builds the extension with all faults into `folder`, its sources into `src` there. */
export async function buildFaults(folder: string): Promise<void> {
  const sources = join(folder, 'src');
  await rm(folder, { recursive: true, force: true });
  await mkdir(sources, { recursive: true });
  const isSource = (path: string): boolean => path.endsWith('.ts');
  await cp(FIXTURE, sources, { recursive: true, filter: (path) => path === FIXTURE || isSource(path) });
  await cp(FIXTURE, folder, { recursive: true, filter: (path) => !isSource(path) });
  const bundles = Object.entries(BUNDLES).map(([name, options]) =>
    build({ entryPoints: [join(sources, `${name}.ts`)], outdir: folder, bundle: true, ...options }),
  );
  await Promise.all(bundles);
}
