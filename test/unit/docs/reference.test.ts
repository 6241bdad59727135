// Covers: .github/docs/reference, package.json, package.nls.json
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../../package.json';
import { REFERENCE } from '../../docs/docs';
import { placesOf } from '../../docs/contributed';
import { COMMAND_NOTES } from '../../docs/commandNotes';
import { OPERATION_NOTES } from '../../docs/operationNotes';
import { referencePages } from '../../docs/reference';
import { serviceRoutes } from '../../docs/serviceRoutes';
import { COMMANDS } from '../../../src/ids';
import { ROOT } from '../../support/paths';

const LIMIT_MS = 60_000;

describe('the reference in .github/docs', () => {
  it('is what `npm run docs` writes', async function () {
    this.timeout(LIMIT_MS);
    const pages = await referencePages();
    assert.deepEqual(readdirSync(REFERENCE).sort(), [...pages.keys()].sort());
    const stale = [...pages].flatMap(([name, text]) =>
      readFileSync(join(REFERENCE, name), 'utf8') === text ? [] : [name],
    );
    assert.deepEqual(stale, [], 'Run `npm run docs`.');
  });

  it('says of each operation of the local service what it does, and of no other', async () => {
    assert.deepEqual((await serviceRoutes()).sort(), Object.keys(OPERATION_NOTES).sort());
  });

  it('says of each command where it is, unless only key bindings and tasks run it', () => {
    const notes: Readonly<Record<string, { where?: string }>> = COMMAND_NOTES;
    const keys = new Set(manifest.contributes.keybindings.map(({ command }) => command));
    const nowhere = Object.entries(COMMANDS).flatMap(([name, id]) =>
      placesOf(id).length === 0 && !keys.has(id) && notes[name]?.where === undefined ? [id] : [],
    );
    assert.deepEqual(nowhere, [COMMANDS.setTarget, COMMANDS.pushToSeveral]);
  });

  for (const [file, name] of [
    ['programs/cliOptions.ts', 'cli.js'],
    ['programs/mcpOptions.ts', 'mcp.js'],
    ['local/commandLine.ts', 'local.js'],
  ] as const) {
    it(`has each option of ${name}`, () => {
      const code = readFileSync(join(ROOT, 'src', file), 'utf8');
      const [, options = ''] = /\n(?: {6}options: |const OPTIONS = )\{\n([^]*?)\n *\}/.exec(code) ?? [];
      const names = [...options.matchAll(/^ +'?([a-z-]+)'?: \{ type:/gm)].map(([, option]) => option);
      assert.ok(names.length > 5);
      const text = readFileSync(join(REFERENCE, 'command-line.md'), 'utf8');
      const [, section = ''] = new RegExp(`\n## ${name}\n([^]*?)(\n## |$)`).exec(text) ?? [];
      assert.deepEqual(
        names.filter((option) => !section.includes(`--${option} `) && !section.includes(`--${option}\n`)),
        [],
      );
    });
  }
});
