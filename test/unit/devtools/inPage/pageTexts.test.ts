// Covers: src/devtools, .esbuild.ts
import assert from 'node:assert/strict';
import { build } from 'esbuild';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import timers from 'node:timers';
import { createContext, runInContext, runInNewContext } from 'node:vm';
import ts from 'typescript';
import { NODE_BUNDLE } from '../../../../.esbuild';
import { ROOT } from '../../../support/paths';

const FOLDER = join(ROOT, 'src', 'devtools', 'inPage');

/** The global names that functions may use: of the language, of pages and workers, and of extensions. */
const GLOBALS = new Set([
  'Array',
  'ArrayBuffer',
  'Blob',
  'Boolean',
  'CloseEvent',
  'DOMException',
  'DataView',
  'Date',
  'Error',
  'Event',
  'EventTarget',
  'JSON',
  'Map',
  'Number',
  'Math',
  'MessageEvent',
  'Object',
  'Promise',
  'Proxy',
  'Reflect',
  'Set',
  'String',
  'TextDecoder',
  'TextEncoder',
  'TypeError',
  'URL',
  'Uint8Array',
  'WeakSet',
  'addEventListener',
  'chrome',
  'crypto',
  'document',
  'encodeURIComponent',
  'getComputedStyle',
  'location',
  'performance',
  'self',
  'undefined',
  ...Object.keys(timers).filter((name) => name.endsWith('Timeout')),
]);

const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('Calls.ts'));

/** The functions of all files by their names, as a module of each has them. */
function functionsOf(modules: readonly object[]): Map<string, string> {
  const entries = modules.flatMap((module) => Object.entries(module) as [string, unknown][]);
  for (const [name, value] of entries) assert.equal(typeof value, 'function', `${name} is not a function`);
  const texts = new Map(entries.map(([name, value]) => [name, String(value)]));
  assert.equal(texts.size, entries.length, 'two functions have one name');
  return texts;
}

/** The names in a text that it does not declare itself. */
function freeNames(text: string): string[] {
  const file = ts.createSourceFile('text.js', `(${text})`, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const declared = new Set<string>();
  const used = new Set<string>();
  const visit = (node: ts.Node): void => {
    const { parent } = node;
    if (ts.isIdentifier(node) && !isMember(node, parent)) {
      const isDeclared =
        (ts.isVariableDeclaration(parent) ||
          ts.isParameter(parent) ||
          ts.isBindingElement(parent) ||
          ts.isFunctionExpression(parent)) &&
        parent.name === node;
      (isDeclared ? declared : used).add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...used].filter((name) => !declared.has(name));
}

/** Whether a name is one of a member, after a dot or in an object, and not of a variable. */
function isMember(node: ts.Identifier, parent: ts.Node): boolean {
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  if (
    ts.isPropertyAccessExpression(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isMethodDeclaration(parent)
  ) {
    return parent.name === node;
  }
  return false;
}

describe('the functions that run in pages', () => {
  let ours: Map<string, string>;
  let bundled: Map<string, string>;

  before(async function () {
    this.timeout(20_000);
    const modules = FILES.map((name) => join(FOLDER, name));
    ours = functionsOf(await Promise.all(modules.map(async (path) => (await import(path)) as object)));
    const contents = modules.map((path, at) => `export * as file${at} from ${JSON.stringify(path)};`).join('\n');
    const { outputFiles } = await build({
      ...NODE_BUNDLE,
      stdin: { contents, resolveDir: ROOT },
      write: false,
      minify: true,
    });
    const module = { exports: {} };
    runInContext(outputFiles[0]?.text ?? '', createContext({ module }));
    bundled = functionsOf(Object.values<object>(module.exports));
  });

  it('are the same ones in the bundle', () => {
    assert.deepEqual([...bundled.keys()].sort(), [...ours.keys()].sort());
    assert.ok(ours.size > 30, `${ours.size}`);
  });

  it('have texts that stand for themselves, here and in the bundle', () => {
    for (const texts of [ours, bundled]) {
      for (const [name, text] of texts) {
        assert.equal(typeof runInNewContext(`(${text})`), 'function', name);
        assert.match(text, new RegExp(`^(?:async )?function ${name}\\(`));
        // A helper of bundlers, such as __name of esbuild for the functions of variables, would be one of them: give functions as methods.
        const strange = freeNames(text).filter((free) => !GLOBALS.has(free));
        assert.deepEqual(strange, [], name);
      }
    }
  });

  it('are told from names that a text declares', () => {
    assert.deepEqual(
      freeNames(
        'async function a({ b: c, d = e }) { const [f] = g.h; return { c, d, f, i: j, k() { return l; } }; }',
      ).sort(),
      ['e', 'g', 'j', 'l'],
    );
    assert.deepEqual(freeNames('function a() { const b = __name(() => 1, "b"); return b() + a; }'), ['__name']);
  });

  it('are each called by a test', () => {
    const tests = readdirSync(__dirname).filter((name) => name.endsWith('Calls.test.ts'));
    const text = tests.map((name) => readFileSync(join(__dirname, name), 'utf8')).join('\n');
    const untested = [...ours.keys()].filter(
      (name) => !new RegExp(`(?:call|handle|textOf)\\(\\s*${name}\\b`).test(text),
    );
    assert.deepEqual(untested, []);
  });

  it('import nothing that is there at run time', () => {
    for (const name of FILES) {
      const text = readFileSync(join(FOLDER, name), 'utf8');
      assert.doesNotMatch(text, /^import (?!type)/m, name);
    }
  });
});
