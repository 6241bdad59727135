import { Parser, type Node, type Program } from 'acorn';

/** A script that another one loads before it runs: the specifier as written, and its position (offsets in UTF-16 code units). */
export interface Dependency {
  specifier: string;
  start: number;
  end: number;
}

/** The static facts about a script: what it loads, or its syntax error. */
export type ScriptFacts =
  | { dependencies: Dependency[] }
  | { fault: { message: string; offset: number; isImport: boolean } };

/** The deepest nesting of a script that is parsed, in calls of the methods below. A level takes two or three. */
const MAX_DEPTH = 600;

/** The methods of acorn's parser of which at least one is called for each level of nested code. */
const NESTING = [
  'parseStatement',
  'parseMaybeAssign',
  'parseExprOp',
  'parseMaybeUnary',
  'parseExprAtom',
  'parseBindingAtom',
];

/** A script is nested too deeply to be parsed. */
class DepthError extends Error {}

/** The nesting of the code that is parsed now; an error leaves it as it is. */
let depth = 0;

/** The nesting of destructuring patterns such as `[a, b]` that are converted now; an error leaves it as it is. */
let patterns = 0;

/** The operators of assignments whose target V8 refuses before they run, whatever it is. */
const LOGICAL_ASSIGNMENTS: readonly unknown[] = ['||=', '&&=', '??='];

/**
 * Acorn with calls in the place of variables, as in `f() = 1`, but not in patterns: V8 refuses them only when they run. Measured on Chromium
 * 156, in scripts, strict ones and modules.
 */
function takeAssignedCalls(Base: typeof Parser): typeof Parser {
  const toAssignable = methodOf(Base, 'toAssignable');
  const checkSimple = methodOf(Base, 'checkLValSimple');
  class Tolerant extends Base {
    toAssignable(node: Node | null, isBinding: unknown, errors: unknown): unknown {
      if (node?.type === 'CallExpression' && !isBinding && patterns === 0) return node;
      patterns++;
      const result: unknown = toAssignable.call(this, node, isBinding, errors);
      patterns--;
      return result;
    }

    checkLValSimple(node: Node, bindingType: unknown, clashes: unknown): void {
      const isLogical = LOGICAL_ASSIGNMENTS.includes(Reflect.get(this, 'value'));
      if (node.type !== 'CallExpression' || bindingType || isLogical)
        checkSimple.call(this, node, bindingType, clashes);
    }
  }
  return Tolerant;
}

function methodOf({ prototype }: typeof Parser, name: string) {
  const method: unknown = Reflect.get(prototype, name);
  if (typeof method !== 'function') throw new Error(`Acorn has no ${name}`);
  return method;
}

/**
 * Acorn with a limit of nesting. Code that is nested as deeply as the stack allows must not reach it: when V8 has no stack left to
 * compile a regular expression of acorn, it ends the whole process.
 */
const BoundedParser = Parser.extend((Base) => {
  class Bounded extends Base {}
  for (const name of NESTING) {
    const method = methodOf(Base, name);
    // Called for every expression: without a list of arguments, which none of the methods has more of.
    Reflect.set(
      Bounded.prototype,
      name,
      function (this: unknown, a: unknown, b: unknown, c: unknown, d: unknown, e: unknown): unknown {
        if (depth >= MAX_DEPTH) throw new DepthError();
        depth++;
        const result: unknown = method.call(this, a, b, c, d, e);
        depth--;
        return result;
      },
    );
  }
  return Bounded;
}, takeAssignedCalls);

/** Workers may not await outside of functions, nor may modules that they import. Measured on Chromium 156. */
const WorkerParser = BoundedParser.extend((Base) => {
  return class extends Base {
    get canAwait(): boolean {
      return Reflect.get(this, 'inAsync') === true;
    }
  };
});

/** Parses a worker's script: a classic one with its `importScripts`, or a module with its static imports. */
export function readScript(text: string, type: 'classic' | 'module'): ScriptFacts {
  depth = 0;
  patterns = 0;
  try {
    const program = WorkerParser.parse(text, {
      ecmaVersion: 'latest',
      sourceType: type === 'module' ? 'module' : 'script',
      allowHashBang: true,
    });
    return { dependencies: type === 'module' ? imports(program) : importedScripts(program) };
  } catch (error) {
    // Of a script that was not parsed, nothing is known.
    if (error instanceof DepthError) return { dependencies: [] };
    if (!(error instanceof SyntaxError)) throw error;
    const offset = 'pos' in error && typeof error.pos === 'number' ? error.pos : 0;
    // Acorn ends its messages with the position.
    const message = error.message.replace(/ \(\d+:\d+\)$/, '');
    return {
      fault: { message, offset, isImport: type === 'classic' && /'import' and 'export'|import\.meta/.test(message) },
    };
  }
}

/**
 * Parses a script of any kind, as a module where it is one; undefined for one that is none, or that is nested too deeply. Only syntax counts:
 * names may be declared twice.
 */
export function parseAnyScript(text: string): Program | undefined {
  depth = 0;
  patterns = 0;
  try {
    return BoundedParser.parse(text, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowHashBang: true,
      allowImportExportEverywhere: true,
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
      allowSuperOutsideMethod: true,
      checkPrivateFields: false,
    });
  } catch (error) {
    if (error instanceof DepthError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function imports(program: Program): Dependency[] {
  return program.body.flatMap((statement): Dependency[] => {
    const isImport =
      statement.type === 'ImportDeclaration' ||
      statement.type === 'ExportAllDeclaration' ||
      statement.type === 'ExportNamedDeclaration';
    const source = isImport ? statement.source : undefined;
    return source && typeof source.value === 'string' ? [dependency(source.value, source)] : [];
  });
}

/** Only calls that are top-level statements: nested ones may never run, or may be guarded. */
function importedScripts(program: Program): Dependency[] {
  return program.body.flatMap((statement): Dependency[] => {
    if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'CallExpression') return [];
    const { callee, arguments: passed } = statement.expression;
    if (callee.type !== 'Identifier' || callee.name !== 'importScripts') return [];
    return passed.flatMap((argument) =>
      argument.type === 'Literal' && typeof argument.value === 'string' ? [dependency(argument.value, argument)] : [],
    );
  });
}

function dependency(specifier: string, { start, end }: Node): Dependency {
  return { specifier, start, end };
}
