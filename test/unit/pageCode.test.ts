// Covers: src
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { sourceFiles } from '../support/importGraph';
import { ROOT } from '../support/paths';

/** What takes an expression for a page. */
const EVALUATES = new Set(['evaluate', 'peek', 'callWithGesture', 'evaluateOnExtensionsPage']);

/** The parameters of DevTools commands that are code. */
const CODE = new Set(['expression', 'functionDeclaration']);

/** The path of a value, or a call without arguments of one: no statement, and nothing to type or to test. */
const PATH = /^(?:true|[a-z]\w*(?:\.[a-z]\w*)*(?:\(\))?)$/i;

/** What only code has, and no text for people. */
const STATEMENT = /=>\s*[({[]|\bfunction\b\s*\w*\s*\(|\bawait\s|\bchrome\??\.\w+\??\.\w+\(|\bdocument\.\w+\(/;

/** Rooms that talk to pages. The local service is a house of its own; agents are told what they may call. */
const ROOMS = /^src\/(?:console|debugger|devtools|programs|push)\//;

/** The file that makes the expressions. */
const MAKER = 'src/devtools/protocol/pageCall.ts';

/** The pieces of code in the texts of a file. */
function codeIn(path: string, source: string): string[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const text = ts.isStringLiteralLike(node) ? node.text : node.getText(file).slice(1, -1);
      const isBad = isCode(node, file) ? !ts.isStringLiteralLike(node) || !PATH.test(text) : STATEMENT.test(text);
      if (isBad) found.push(`${path}: ${text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Whether a text goes where an expression is expected. */
function isCode({ parent }: ts.Node, file: ts.SourceFile): boolean {
  if (ts.isPropertyAssignment(parent)) return CODE.has(parent.name.getText(file));
  if (!ts.isCallExpression(parent)) return false;
  const called = parent.expression;
  return EVALUATES.has(ts.isPropertyAccessExpression(called) ? called.name.text : called.getText(file));
}

describe('code for pages', () => {
  it('is in the functions of src/devtools/inPage, and in no text', () => {
    const found = sourceFiles('src')
      .filter((path) => ROOMS.test(path) && path !== MAKER)
      .flatMap((path) => codeIn(path, readFileSync(join(ROOT, path), 'utf8')));
    assert.deepEqual(found, []);
  }).timeout(20_000);

  it('is found where a text has it', () => {
    const found = (source: string): number => codeIn('a.ts', source).length;
    assert.equal(found('void evaluate(session, `self.loads[${id}]`);'), 1);
    assert.equal(found("void link.evaluateOnExtensionsPage('a ?? b');"), 1);
    assert.equal(found("void send('Runtime.evaluate', { expression: '1; 2' });"), 1);
    assert.equal(found('const LISTEN = `() => { act(); }`;'), 1);
    assert.equal(found("const ASK = 'chrome.runtime.getManifest()';"), 1);
    assert.equal(found("void peek(session, 'document.visibilityState'); void peek(session, 'location.reload()');"), 0);
    assert.equal(found("log('it runs => there'); t('Push again (or reload).');"), 0);
  });
});
