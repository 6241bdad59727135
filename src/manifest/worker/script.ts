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

declare module 'acorn' {
  /** The methods of which at least one is called for each level of nested code; the types of acorn leave them out. */
  interface Parser {
    parseStatement(context: unknown, topLevel: unknown, exports: unknown): unknown;
    parseMaybeAssign(forInit: unknown, errors: unknown, afterLeft: unknown): unknown;
    parseExprOp(left: unknown, start: unknown, startLoc: unknown, minPrecedence: unknown, forInit: unknown): unknown;
    parseMaybeUnary(errors: unknown, sawUnary: unknown, isIncrement: unknown, forInit: unknown): unknown;
    parseExprAtom(errors: unknown, forInit: unknown, forNew: unknown): unknown;
    parseBindingAtom(): unknown;
  }
}

/** A script is nested too deeply to be parsed. */
class DepthError extends Error {}

/** The nesting of the code that is parsed now; an error leaves it as it is. */
let depth = 0;

function enter(): void {
  if (depth >= MAX_DEPTH) throw new DepthError();
  depth++;
}

/**
 * Acorn with a limit of nesting. Code that is nested as deeply as the stack allows must not reach it: when V8 has no stack left to
 * compile a regular expression of acorn, it ends the whole process. Each method is written out, since they are called for every expression.
 */
const BoundedParser = Parser.extend(
  (Base) =>
    class extends Base {
      override parseStatement(context: unknown, topLevel: unknown, exports: unknown): unknown {
        enter();
        const statement = super.parseStatement(context, topLevel, exports);
        depth--;
        return statement;
      }

      override parseMaybeAssign(forInit: unknown, errors: unknown, afterLeft: unknown): unknown {
        enter();
        const expression = super.parseMaybeAssign(forInit, errors, afterLeft);
        depth--;
        return expression;
      }

      override parseExprOp(
        left: unknown,
        start: unknown,
        startLoc: unknown,
        minPrecedence: unknown,
        forInit: unknown,
      ): unknown {
        enter();
        const expression = super.parseExprOp(left, start, startLoc, minPrecedence, forInit);
        depth--;
        return expression;
      }

      override parseMaybeUnary(errors: unknown, sawUnary: unknown, isIncrement: unknown, forInit: unknown): unknown {
        enter();
        const expression = super.parseMaybeUnary(errors, sawUnary, isIncrement, forInit);
        depth--;
        return expression;
      }

      override parseExprAtom(errors: unknown, forInit: unknown, forNew: unknown): unknown {
        enter();
        const expression = super.parseExprAtom(errors, forInit, forNew);
        depth--;
        return expression;
      }

      override parseBindingAtom(): unknown {
        enter();
        const pattern = super.parseBindingAtom();
        depth--;
        return pattern;
      }
    },
);

/** Parses a worker's script: a classic one with its `importScripts`, or a module with its static imports. */
export function readScript(text: string, type: 'classic' | 'module'): ScriptFacts {
  depth = 0;
  try {
    const program = BoundedParser.parse(text, {
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
