import { parseArgs, type ParseArgsConfig } from 'node:util';
import { errorMessage } from '../base/errorMessage';

/** A mistake on the command line; the message explains it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const USAGE = `Usage: sideload COMMAND FOLDER [options]

sideload is the program of the npm package (npx sideload), or dist/cli.js of the installed extension (node dist/cli.js).

Commands, each for the folder with manifest.json as the browser loads it:
  check FOLDER…   says whether Chromium would load it; needs no browser
  push FOLDER…    pushes it to a browser and proves that it runs there; several are pushed together, all or none
  run FOLDER…     the same in a new browser, which stays open until Ctrl+C or until you close it
  test FOLDER     the smoke tests: it loads, its worker starts and wakes, its pages and content scripts have no error
                  with --update-from: what an update from an old version does, in a browser of its own
  pack FOLDER     writes the zip for a store, after the check for it; uploads nothing
  doctor          no folder: walks from the service to the worker of the extension that was pushed last, and says which part is
                  broken and what to do
  mcp             no folder: the tools for agents over standard input and output; sideload mcp --help

Options:
  --json            one line of JSON for each result
  --service WHERE   local (the default), cloud, or an address; the token of a service is read from SIDELOAD_TOKEN
  --project NAME    the project on the service
  --browser NAME    name or id of the browser; without it, push and doctor take the only one that runs, and push starts one
                    where there is none; run and test start a new one. What was started ends with the command
  --localhost PORTS push, run, test: lets the browser reach these ports of this computer, for development builds: 5173,8080
  --headless        a new browser has no window
  --once            run: ends after the push
  --watch           push, run: pushes what is written in the folder, as by a build, until Ctrl+C
  --exclude GLOB    leaves files out, --include GLOB sends files that are left out by default; both may be repeated
  --exec COMMAND    run: runs it in a shell with the verified browser, and ends with its exit code
  --update-from OLD test: the old version: a folder, a zip or crx file, a tag or commit of git, the id or address of a published
                    extension, or stored:NAME of the service
  --storage FILE    test: what the old version has stored, from "Export Storage…"
  --allow-download  test: a published version may be downloaded from clients2.google.com where the service does not do it
  --junit FILE      test: writes a report in the form of JUnit
  --store           check: also says what the Chrome Web Store refuses, and which permissions the code uses
                    test: also says which permissions are used, by the code and by what it calls while the tests run
  --sarif FILE      check: writes the findings in the form SARIF 2.1.0, for code scanning
  --out FILE        pack: where the package is written
  --data-dir DIR    folder of the local service's data; "Show Agent Configuration" of an editor names the one of its own
  --help, -h        prints this, as the command help does
  --version         prints the version

SIDELOAD_BROWSER in the environment names the program of new browsers on this machine; else it is an installed Chromium, Chrome for
Testing, Google Chrome, Microsoft Edge or Brave.

Exit codes: 0 it runs (check: it loads; test: all passed; pack: written; doctor: all parts work), 1 refused by the check or by Chromium
(test: one failed; doctor: a part is broken), 2 its service worker failed or other code runs, 3 the service or the browser failed, or an
update test could not go on, 4 delivered, but not verified because DevTools of the browser cannot be reached, 64 a mistake on the command
line. With --exec, that of the command.
`;

/** All options of the command line. */
const OPTIONS = {
  json: { type: 'boolean', default: false },
  service: { type: 'string', default: 'local' },
  project: { type: 'string' },
  browser: { type: 'string' },
  headless: { type: 'boolean', default: false },
  localhost: { type: 'string' },
  once: { type: 'boolean', default: false },
  watch: { type: 'boolean', default: false },
  exclude: { type: 'string', multiple: true, default: [] },
  include: { type: 'string', multiple: true, default: [] },
  junit: { type: 'string' },
  store: { type: 'boolean', default: false },
  sarif: { type: 'string' },
  out: { type: 'string' },
  exec: { type: 'string' },
  'update-from': { type: 'string' },
  storage: { type: 'string' },
  'allow-download': { type: 'boolean', default: false },
  'data-dir': { type: 'string' },
} satisfies ParseArgsConfig['options'];

const SERVICE = ['service', 'project', 'data-dir'] as const;
const FILES = ['exclude', 'include'] as const;

/** The options that each command has. With another one, it would do something else than was asked for, and nobody would say so. */
const OPTIONS_OF = {
  check: ['json', ...FILES, 'store', 'sarif'],
  push: ['json', ...SERVICE, ...FILES, 'browser', 'headless', 'localhost', 'watch'],
  run: ['json', ...SERVICE, ...FILES, 'browser', 'headless', 'localhost', 'once', 'watch', 'exec'],
  test: ['json', ...SERVICE, ...FILES, 'browser', 'headless', 'localhost', 'junit', 'store'],
  'test --update-from': ['json', ...SERVICE, ...FILES, 'headless', 'junit', 'update-from', 'storage', 'allow-download'],
  pack: ['json', ...FILES, 'out'],
  doctor: ['json', ...SERVICE, 'browser'],
} as const satisfies Readonly<Record<string, readonly (keyof typeof OPTIONS)[]>>;

const COMMANDS = ['check', 'push', 'run', 'test', 'pack', 'doctor'] as const;

/** Whether arguments of a program ask for what it can do. */
export function asksForHelp(args: readonly string[]): boolean {
  return args[0] === 'help' || args.includes('--help') || args.includes('-h');
}

/**
 * Options whose value must not be empty, as that of a variable is which a pipeline has not set: the folder in which the program runs would be meant,
 * or no command run, and that would be a success.
 */
const NEVER_EMPTY = ['browser', 'exec', 'data-dir', 'update-from'] as const;

/** A command line. */
export type CliOptions = ReturnType<typeof readCli>;

/** Reads the arguments of the program. @throws UsageError */
export function readCli(args: readonly string[]) {
  const { values, positionals, given } = parse(args);
  const [name, ...folders] = positionals;
  const command = COMMANDS.find((one) => one === name);
  if (!command) throw new UsageError(name === undefined ? 'A command is missing.' : `There is no command "${name}".`);
  if (command === 'doctor') {
    if (folders.length > 0) throw new UsageError('doctor takes no folder. Name a browser with --browser.');
  } else if (folders.length === 0 || folders.includes('')) throw new UsageError('A folder is missing.');
  if (folders.length > 1 && (command === 'test' || command === 'pack'))
    throw new UsageError(`${command} takes one folder.`);
  if (command === 'pack' && values.out === undefined) throw new UsageError('pack needs --out FILE.');
  const { 'data-dir': dataDir, 'update-from': updateFrom, 'allow-download': mayDownload, ...options } = values;
  refuseOthers(command === 'test' && updateFrom !== undefined ? 'test --update-from' : command, given);
  const single = values.watch ? (['once', 'exec'] as const).find((option) => given.includes(option)) : undefined;
  if (single !== undefined)
    throw new UsageError(`--watch pushes until the program ends, and --${single} ends it: take one of them.`);
  const empty = NEVER_EMPTY.find((option) => values[option]?.trim() === '');
  if (empty !== undefined) throw new UsageError(`--${empty} has no value.`);
  return { command, folders, dataDir, updateFrom, mayDownload, ...options, localhost: portsIn(values.localhost) };
}

/** @throws UsageError for an option that a command does not have */
function refuseOthers(command: keyof typeof OPTIONS_OF, given: readonly string[]): void {
  const has = (own: readonly string[], option: string): boolean => own.includes(option);
  const other = given.find((option) => !has(OPTIONS_OF[command], option));
  if (other === undefined) return;
  const others = Object.entries(OPTIONS_OF).flatMap(([one, own]) => (has(own, other) ? [one] : []));
  // What all tests have, those of updates have as well.
  const each = others.filter((one) => !others.some((wider) => one.startsWith(`${wider} `)));
  throw new UsageError(`${command} has no option --${other}: it is for ${each.join(', ')}.`);
}

/** Reads a list of ports. @throws UsageError */
function portsIn(list: string | undefined): number[] {
  return list === undefined ? [] : list.split(',').map(portIn);
}

function portIn(text: string): number {
  const port = /^\s*\d{1,5}\s*$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new UsageError(`--localhost takes ports, such as 5173,8080, and not "${text}".`);
  return port;
}

/** `given`: the names of the options that are there, in their order. */
function parse(args: readonly string[]) {
  try {
    const { tokens, ...parsed } = parseArgs({
      args: [...args],
      allowPositionals: true,
      tokens: true,
      options: OPTIONS,
    });
    return { ...parsed, given: tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : [])) };
  } catch (error) {
    // Of an unknown option, Node.js goes on about arguments that begin with "-", which no command takes.
    throw new UsageError(errorMessage(error).replace(/\. To specify a positional argument .*$/s, '.'));
  }
}
