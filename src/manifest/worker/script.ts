import { parse, type Node, type Program } from 'acorn';

/** A script that another one loads before it runs: the specifier as written, and its position (offsets in UTF-16 code units). */
export interface Dependency {
  specifier: string;
  start: number;
  end: number;
}

/** The static facts about a script: what it loads, or its syntax error. */
export type ScriptFacts =
  { dependencies: Dependency[] } | { fault: { message: string; offset: number; isImport: boolean } };

/** Parses a worker's script: a classic one with its `importScripts`, or a module with its static imports. */
export function readScript(text: string, type: 'classic' | 'module'): ScriptFacts {
  try {
    const program = parse(text, {
      ecmaVersion: 'latest',
      sourceType: type === 'module' ? 'module' : 'script',
      allowHashBang: true,
    });
    return { dependencies: type === 'module' ? imports(program) : importedScripts(program) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const offset = 'pos' in error && typeof error.pos === 'number' ? error.pos : 0;
    // Acorn ends its messages with the position.
    const message = error.message.replace(/ \(\d+:\d+\)$/, '');
    return {
      fault: { message, offset, isImport: type === 'classic' && /'import' and 'export'|import\.meta/.test(message) },
    };
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
