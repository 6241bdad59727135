// Covers: src
import { transformSync } from 'esbuild';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import ts from 'typescript';
import { sourceFiles } from '../support/importGraph';
import { ROOT } from '../support/paths';
import { dose } from '../runner/seed';
import type { Measured } from './expressions';

/** An expression of the source. */
interface Expression extends Measured {
  place: string;
}

/** How long one expression may take for all its texts, in milliseconds. */
const LIMIT_MS = 20_000;

/** All expressions of a file. */
function expressionsIn(file: string): Expression[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) {
      const literal = node.getText(source);
      const end = literal.lastIndexOf('/');
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      const body = literal.slice(1, end);
      found.push({
        source: body,
        flags: literal.slice(end + 1),
        units: unitsOf(body),
        place: `${file}:${line + 1} ${literal}`,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** What a text must repeat to be hard for an expression: its own characters and words, alone and one after the other. */
function unitsOf(source: string): string[] {
  const plain = source
    .replaceAll(/\\[dwsSDWbBpPuxk](?:\{[^}]*\}|[0-9a-f]{2,4})?/g, ' ')
    .replaceAll(/[\\^$|?*+()[\]{}]/g, ' ');
  const words = [...new Set(plain.split(/\s+/).filter((word) => word !== '' && word.length <= 40))].slice(0, 12);
  const punctuation = [...new Set(source.match(/[^\w\s]/g) ?? [])];
  const characters = [
    ...new Set(['a', '0', ' ', '\n', '.', '/', ...words.map((word) => word.charAt(0)), ...punctuation]),
  ].slice(0, dose(14, 24));
  const pairs = characters.flatMap((one) => characters.filter((other) => other !== one).map((other) => one + other));
  return [
    ...new Set([
      ...characters,
      ...words,
      ...words.map((word) => `${word} `),
      ...words.map((word) => ` ${word}a`),
      ...pairs,
    ]),
  ];
}

describe('regular expressions', () => {
  it('read 1 MB of what is worst for them in linear time', async () => {
    const path = join(__dirname, 'expressions.ts');
    const { code } = transformSync(readFileSync(path, 'utf8'), { loader: 'ts', format: 'cjs' });
    let worker = new Worker(code, { eval: true });
    const slow: string[] = [];
    const all = sourceFiles('src').flatMap(expressionsIn);
    assert(all.length > 100);
    try {
      for (const { place, ...measured } of all) {
        worker.postMessage(measured);
        const answer = await Promise.race([
          once(worker, 'message').then(([found]) => found as string | undefined),
          new Promise<'endless'>((resolve) => setTimeout(resolve, LIMIT_MS, 'endless').unref()),
        ]);
        if (answer === 'endless') {
          await worker.terminate();
          worker = new Worker(code, { eval: true });
        }
        if (answer !== undefined) slow.push(`${place}  ${answer}`);
      }
    } finally {
      await worker.terminate();
    }
    assert.deepEqual(slow, []);
  }).timeout(300_000);
});
