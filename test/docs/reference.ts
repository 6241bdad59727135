import manifest from '../../package.json';
import { EXIT } from '../../src/agents/exitCodes';
import { TOOLS } from '../../src/agents/allTools';
import type { Tool } from '../../src/agents/tool';
import type { ObjectSchema, ValueSchema } from '../../src/agents/valueSchema';
import { COMMANDS } from '../../src/ids';
import { USAGE as SERVICE_USAGE } from '../../src/local/commandLine';
import { CHROMIUM_VERSION } from '../../src/manifest/availability';
import { RULE_EXAMPLES, RULE_SENTENCES, rulePage } from '../../src/manifest/pages/rulePage';
import { USAGE } from '../../src/programs/cliOptions';
import { MCP_USAGE } from '../../src/programs/mcpOptions';
import { COMMAND_NOTES } from './commandNotes';
import { englishText, keysOf, placesOf } from './contributed';
import { findingsOf } from './exampleFindings';
import { EXIT_NOTES } from './exitNotes';
import { block, code, page, table } from './markdown';
import { OPERATION_NOTES } from './operationNotes';
import { serviceRoutes } from './serviceRoutes';

/** The generated pages, by the names of their files in `.github/docs/reference/`. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['rules.md', await rulesPage()],
    ['commands.md', commandsPage()],
    ['settings.md', settingsPage()],
    ['command-line.md', commandLinePage()],
    ['tools.md', toolsPage()],
    ['service-operations.md', await operationsPage()],
    ['keys.md', keysPage()],
  ]);
}

const EFFECTS: Readonly<Record<string, string>> = {
  error: 'stops the push',
  warning: 'warning',
  hint: 'hint',
};

async function rulesPage(): Promise<string> {
  const rows: string[][] = [];
  const pages: string[] = [];
  for (const [id, sentence] of Object.entries(RULE_SENTENCES)) {
    const { severity = '', wrong } = RULE_EXAMPLES.get(id) ?? {};
    const finding = wrong && (await findingsOf(wrong, id)).find(({ rule }) => rule === id);
    const fix = finding?.fix?.title;
    rows.push([
      `[${code(id)}](#${id.toLowerCase()})`,
      sentence(),
      EFFECTS[severity] ?? '',
      fix === undefined ? '' : code(fix),
    ]);
    pages.push((rulePage(id) ?? '').trimEnd().replaceAll(/^(?=#{1,2} )/gm, '#'));
  }
  return page('Rules of the check', [
    `The check decides by these rules whether Chromium ${CHROMIUM_VERSION} loads an extension, and what a store refuses. ` +
      'The code of an entry in Problems opens the page of its rule. *Effect* and *quick fix* are those of its example.',
    table(['Code', 'What it means', 'Effect', 'Quick fix'], rows),
    ...pages,
  ]);
}

function commandsPage(): string {
  const notes: Readonly<Record<string, (typeof COMMAND_NOTES)[keyof typeof COMMAND_NOTES] | undefined>> = COMMAND_NOTES;
  const names = new Map<string, string>(Object.entries(COMMANDS).map(([name, id]) => [id, name]));
  const rows = manifest.contributes.commands.map(({ command, title }) => {
    const { does = '', takes = '', where } = notes[names.get(command) ?? ''] ?? {};
    const places = [...placesOf(command), ...(where === undefined ? [] : [where]), ...keysOf(command)];
    return [englishText(title), code(command), does, places.join('; '), takes];
  });
  return page('Commands', [
    'Those in the palette are there under **Sideload**, each where it can do something: without a folder, only those that need none. ' +
      'The menu of a row has no more than what its extension has, and what its browser can do. All take key bindings and tasks by their ids.',
    '*Takes* are the members of an object that a command takes instead of asking, such as ' +
      '`{ "browser": "dev", "address": "localhost:8080" }`. `browser`, `profile` and `extension` are an id or a name.',
    table(['Title', 'Id', 'What it does', 'Where it is', 'Takes'], rows),
  ]);
}

interface Setting {
  type: string;
  default: unknown;
  scope: string;
  markdownDescription: string;
  enum?: readonly string[];
  enumDescriptions?: readonly string[];
}

/** Who can set a setting, by its scope. */
const SCOPES: Readonly<Record<string, string>> = {
  resource: 'user, workspace, folder',
  machine: 'user, per machine',
  application: 'user only',
};

function settingsPage(): string {
  const groups: readonly { title: string; properties: Readonly<Record<string, Setting>> }[] =
    manifest.contributes.configuration.map(({ title, properties }) => ({ title, properties }));
  const parts = groups.flatMap(({ title, properties }) => [
    `## ${englishText(title)}`,
    table(
      ['Setting', 'Default', 'Meaning', 'Set by'],
      Object.entries(properties).map(([id, setting]) => [
        code(id),
        isNothing(setting.default) ? '' : code(JSON.stringify(setting.default)),
        [englishText(setting.markdownDescription).replaceAll(/`#(.*?)#`/g, '`$1`'), ...valuesOf(setting)].join('<br>'),
        SCOPES[setting.scope] ?? setting.scope,
      ]),
    ),
  ]);
  return page('Settings', [
    'What only the user can set decides where the token is sent, what agents may do, or what costs money. A workspace that is not trusted sets nothing.',
    ...parts,
  ]);
}

function isNothing(value: unknown): boolean {
  return value === '';
}

function valuesOf({ enum: values = [], enumDescriptions = [] }: Setting): string[] {
  return values.map((value, at) => `${code(value)}: ${englishText(enumDescriptions[at] ?? '')}`);
}

function commandLinePage(): string {
  const notes: Readonly<Record<string, string>> = EXIT_NOTES;
  return page('Command line', [
    'What each program prints with `--help`. [Terminals and pipelines](../terminals.md) has examples.',
    '## cli.js',
    block(USAGE),
    '## Exit codes',
    table(
      ['Code', 'Meaning'],
      Object.entries(EXIT).map(([name, value]) => [String(value), notes[name] ?? '']),
    ),
    'With `run --exec`, the program ends with the exit code of the command.',
    '## mcp.js',
    block(MCP_USAGE),
    '## local.js',
    block(SERVICE_USAGE),
  ]);
}

function toolsPage(): string {
  return page('Tools for agents', [
    'The same in the chat of the editor and in the MCP server. [Agents](../agents.md) says what they may do.',
    ...TOOLS.flatMap((tool) => [`## ${tool.name}`, tool.description, factsOf(tool), inputOf(tool.input)]),
  ]);
}

function factsOf({ title, reaches, effect, isOpenWorld }: Tool): string {
  const reached = {
    browser: 'one browser, which the person has allowed',
    newBrowser: 'a new browser',
    allowedBrowsers: 'the browsers that the person has allowed',
    nothing: 'no browser',
  }[reaches];
  return [
    `*${title}*; reaches ${reached}`,
    {
      none: 'changes nothing but what is shown',
      adds: 'changes something',
      replaces: 'may replace, restart or remove',
    }[effect],
    ...(isOpenWorld ? ['answers with texts of pages or extensions'] : []),
  ]
    .join('; ')
    .concat('.');
}

function inputOf({ properties, required = [] }: ObjectSchema): string {
  const rows = Object.entries(properties).map(([name, schema]) => [
    code(name),
    required.includes(name) ? 'yes' : '',
    typeOf(schema),
    schema.description ?? '',
  ]);
  return rows.length === 0 ? 'It takes nothing.' : table(['Input', 'Required', 'Type', 'Meaning'], rows);
}

function typeOf(schema: ValueSchema): string {
  switch (schema.type) {
    case 'string':
      if (schema.enum) return schema.enum.map(code).join(', ');
      return schema.maxLength === undefined ? 'text' : `text of at most ${schema.maxLength} characters`;
    case 'integer':
      return `${schema.minimum} to ${schema.maximum}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `list of at most ${schema.maxItems}: ${typeOf(schema.items)}`;
    case 'object':
      return `object of ${Object.entries(schema.properties)
        .map(([name, member]) => `${code(name)} (${typeOf(member)})`)
        .join(', ')}`;
  }
}

async function operationsPage(): Promise<string> {
  const rows = (await serviceRoutes()).map((route) => [code(route), OPERATION_NOTES[route] ?? '']);
  return page('Operations of the local service', [
    'Each `:id` is an id or a name. [The local service](../local-service.md) says how it is started and called.',
    table(['Operation', 'What it does'], rows),
  ]);
}

function keysPage(): string {
  const rows = manifest.contributes.keybindings.map(({ command, when }) => {
    const { title = command } = manifest.contributes.commands.find((known) => known.command === command) ?? {};
    return { title: englishText(title), keys: keysOf(command).join(', '), when };
  });
  const merged = new Map(rows.map((row) => [row.title, row]));
  for (const { title, when } of rows) {
    const row = merged.get(title);
    if (row && !row.when.includes(when)) row.when = `${when} || ${row.when}`;
  }
  return page('Key bindings', [
    table(
      ['Command', 'Keys', 'When'],
      [...merged.values()].map(({ title, keys, when }) => [title, keys, code(when)]),
    ),
    'Shortcuts of VS Code stay with VS Code while a screen has the focus. Tab leaves the screen and Escape goes back to the editor, unless a ' +
      'switch under **Precise** gives both to the page.',
  ]);
}
