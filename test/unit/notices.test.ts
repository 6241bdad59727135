// Covers: src, .esbuild.ts, .vscodeignore, package-lock.json
import { build } from 'esbuild';
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledPackages, NOTICES, noticesOf, PAGE_BUNDLE, shippedPrograms } from '../../.esbuild';
import { fieldOf } from '../../src/base/fields';
import { ROOT } from '../support/paths';

describe('the notices about software of others', () => {
  it('name each package that the bundles contain, with the text of its licence', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sideload-notices-'));
    try {
      const built = await Promise.all(
        [shippedPrograms(folder, true), { ...PAGE_BUNDLE, outfile: join(folder, 'scroll.js') }].map((options) =>
          build({ ...options, metafile: true }),
        ),
      );
      const metafiles = built.map(({ metafile }) => metafile);
      const sections = noticesOf(bundledPackages(metafiles)).split(/\n={80}\n/);
      // As the bundles name their modules, whatever `bundledPackages` makes of it.
      const inputs = metafiles
        .flatMap(({ inputs }) => Object.keys(inputs))
        .filter((path) => path.includes('node_modules/'));
      const used = metafiles.flatMap(({ outputs }) =>
        Object.values(outputs).flatMap((output) => Object.keys(output.inputs)),
      );
      const names = new Set<string>();
      for (const path of inputs.filter((input) => used.includes(input))) {
        const [, folderOf = ''] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
        const about: unknown = JSON.parse(readFileSync(join(ROOT, folderOf, 'package.json'), 'utf8'));
        names.add(`${String(fieldOf(about, 'name'))} ${String(fieldOf(about, 'version'))} `);
      }
      assert(names.size > 50, `${names.size} packages`);
      for (const name of names) {
        const section = sections.find((text) => text.trimStart().startsWith(name));
        assert(section, `${name}is missing`);
        assert.match(
          section,
          /Permission is hereby granted|Permission to use, copy, modify|Redistribution and use|Apache License|permitted/,
          name,
        );
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  }).timeout(30_000);

  it('are written by each build, and are in the package', () => {
    assert(readFileSync(join(ROOT, '.vscodeignore'), 'utf8').split('\n').includes(`!dist/${NOTICES}`));
    assert.match(readFileSync(join(ROOT, '.esbuild.ts'), 'utf8'), /writeFileSync\(join\('dist', NOTICES\)/);
  });
});
