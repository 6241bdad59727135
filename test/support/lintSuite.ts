/**
 * Checks the types, the rules of ESLint and the format of all files, as `npm run types` and `npm run lint` do. The rules need types:
 * both use the same TypeScript programs, which takes half the time of two.
 */
import { ESLint } from 'eslint';
import { join } from 'node:path';
import ts from 'typescript';
import { runChild } from './child';
import { CACHE, ROOT } from './paths';
import { appendResult, reasonOf } from './results';
import { endAll } from './cleanup';

/** Longest time for Prettier, in milliseconds: it runs in the background of other suites. */
const FORMAT_LIMIT_MS = 40 * 60_000;

/** The projects that hold all TypeScript files between them. */
const PROJECTS = ['tsconfig.json', 'src/webview/tsconfig.json'];

const SHOWN_PATHS: ts.FormatDiagnosticsHost = {
  getCurrentDirectory: () => ROOT,
  getCanonicalFileName: (name) => name,
  getNewLine: () => '\n',
};

/** Runs one check, which gives what is wrong or nothing, and writes its result. */
async function check(title: string, find: () => Promise<string> | string): Promise<boolean> {
  const begin = performance.now();
  let wrong: string;
  try {
    wrong = (await find()).trim();
  } catch (error) {
    wrong = reasonOf(error);
  }
  const isGood = wrong === '';
  console.log(isGood ? `  ${title}: nothing is wrong` : `  ${title}:\n${wrong}`);
  appendResult({
    kind: 'test',
    state: isGood ? 'passed' : 'failed',
    title,
    ms: Math.round(performance.now() - begin),
    ...(isGood ? {} : { reason: wrong }),
  });
  return isGood;
}

function programOf(project: string): ts.Program {
  const parsed = ts.getParsedCommandLineOfConfigFile(join(ROOT, project), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
      throw new Error(ts.formatDiagnostic(diagnostic, SHOWN_PATHS));
    },
  });
  if (!parsed) throw new Error(`${project} cannot be read.`);
  return ts.createProgram({
    rootNames: parsed.fileNames,
    options: parsed.options,
    configFileParsingDiagnostics: parsed.errors,
  });
}

function wrongTypes(programs: readonly ts.Program[]): string {
  const wrong = programs.flatMap((program) => [...ts.getPreEmitDiagnostics(program)]);
  return ts.formatDiagnostics(wrong, SHOWN_PATHS);
}

async function brokenRules(programs: readonly ts.Program[]): Promise<string> {
  const eslint = new ESLint({
    cwd: ROOT,
    overrideConfigFile: join(ROOT, '.eslint.config.mjs'),
    overrideConfig: [
      { files: ['**/*.ts'], languageOptions: { parserOptions: { projectService: false, programs: [...programs] } } },
    ],
  });
  const results = await eslint.lintFiles(['.']);
  return (await eslint.loadFormatter('stylish')).format(results);
}

async function wrongFormat(): Promise<string> {
  const lines: string[] = [];
  const prettier = join(ROOT, 'node_modules', 'prettier', 'bin', 'prettier.cjs');
  const cache = ['--cache', '--cache-strategy', 'content', '--cache-location', join(CACHE, 'prettier.json')];
  const { code } = await runChild(process.execPath, [prettier, '--check', '--log-level', 'warn', ...cache, '.'], {
    cwd: ROOT,
    limitMs: FORMAT_LIMIT_MS,
    output: { line: (text) => lines.push(text) },
  });
  return code === 0 ? '' : lines.join('\n') || `Prettier ended with ${code ?? 'a signal'}.`;
}

async function main(): Promise<boolean> {
  const format = check('format (Prettier)', wrongFormat);
  const programs = PROJECTS.map(programOf);
  const types = await check('types (tsc)', () => wrongTypes(programs));
  const rules = await check('rules (ESLint)', () => brokenRules(programs));
  const isFormatted = await format;
  appendResult({ kind: 'end' });
  return types && rules && isFormatted;
}

main().then(
  (isGood) => {
    process.exitCode = isGood ? 0 : 1;
  },
  async (error: unknown) => {
    console.error(error);
    await endAll();
    process.exitCode = 1;
  },
);
