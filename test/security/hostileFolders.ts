import { execFileSync } from 'node:child_process';
import { mkdir, open, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { dose } from '../runner/seed';

/** One kind of hostile folder. */
export interface HostileFolder {
  name: string;
  /** Fills an empty workspace folder, which is the extension folder as well. */
  fill: (folder: string) => Promise<void>;
  /** Settings of the workspace. */
  exclude?: readonly string[];
  include?: readonly string[];
}

type Files = Record<string, string | Uint8Array>;

const BASE = { manifest_version: 3, name: 'Hostile', version: '1.0' };
const LONGEST_NAME = 255;

/** A list of `count` items. */
function many<T>(count: number, item: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => item(index));
}

async function put(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** A manifest with more keys, and files. */
function manifest(name: string, keys: object, files: Files = {}): HostileFolder {
  return { name, fill: (folder) => put(folder, { ...files, 'manifest.json': JSON.stringify({ ...BASE, ...keys }) }) };
}

/** A manifest of this text or these bytes. */
function text(name: string, content: string | Uint8Array): HostileFolder {
  return { name, fill: (folder) => put(folder, { 'manifest.json': content }) };
}

/** A good manifest, and something else in the folder. */
function beside(name: string, fill: (folder: string) => Promise<unknown> | void, keys: object = {}): HostileFolder {
  return {
    name,
    fill: async (folder) => {
      await put(folder, { 'manifest.json': JSON.stringify({ ...BASE, ...keys }) });
      await fill(folder);
    },
  };
}

/** A workspace with nothing but a link. */
export function linkTo(name: string, target: string): HostileFolder {
  return { name: `a link to ${target}`, fill: (folder) => symlink(target, join(folder, name)) };
}

/** The number of files of a kind with globs. */
export const GLOB_FILES = 12;

/** Settings with globs, and files with long names. */
function globs(name: string, exclude: readonly string[]): HostileFolder {
  const names = [...many(10, (index) => `${'a'.repeat(LONGEST_NAME - 2)}${index % 10}a`.slice(-LONGEST_NAME)), 'b.js'];
  const files = Object.fromEntries(names.map((file) => [file, '']));
  return { ...manifest(name, {}, files), exclude };
}

/** A ruleset of declarativeNetRequest. */
function rules(name: string, list: unknown): HostileFolder {
  const keys = {
    permissions: ['declarativeNetRequest'],
    declarative_net_request: { rule_resources: [{ id: 'a', enabled: true, path: 'rules.json' }] },
  };
  return manifest(name, keys, { 'rules.json': typeof list === 'string' ? list : JSON.stringify(list) });
}

function regexRules(count: number, pattern: (index: number) => string): object[] {
  return many(count, (index) => ({
    id: index + 1,
    action: { type: 'block' },
    condition: { regexFilter: pattern(index) },
  }));
}

/** A worker, and its source map. */
function map(name: string, content: string, worker = 'throw new Error("boom");'): HostileFolder {
  const files = { 'worker.js': `${worker}\n//# sourceMappingURL=worker.js.map`, 'worker.js.map': content };
  return manifest(name, { background: { service_worker: 'worker.js' } }, files);
}

function worker(name: string, code: string, more: Files = {}, type = 'classic'): HostileFolder {
  const background = { service_worker: 'worker.js', ...(type === 'module' && { type }) };
  return manifest(name, { background }, { ...more, 'worker.js': code });
}

const section = (line: number): object => ({
  offset: { line, column: 0 },
  map: { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' },
});

const fifo = (path: string): void => {
  execFileSync('mkfifo', [path]);
};

const sparse = async (path: string, bytes: number): Promise<void> => {
  const file = await open(path, 'w');
  await file.truncate(bytes);
  await file.close();
};

/** Doses: small ones take milliseconds each, full ones are those of the adversary. */
const RULES = dose(10_000, 330_000);
const WIDE_RULES = dose(100, 1000);
const LONG = dose(100_000, 1_000_000);
const MANY = dose(10_000, 40_000);
const FILES = dose(1_500, 60_000);
const SEMICOLONS = dose(1_000_000, 7_000_000);
const MEBIBYTES = dose(16, 255);

const LINKS: readonly HostileFolder[] = [
  beside('a link to its own folder', (folder) => symlink('.', join(folder, 'loop'))),
  beside('links in a circle', async (folder) => {
    await symlink('b', join(folder, 'a'));
    await symlink('a', join(folder, 'b'));
  }),
  beside('links to /, /proc and /dev', async (folder) => {
    for (const target of ['/', '/proc', '/dev']) await symlink(target, join(folder, `to${target.replace('/', '-')}`));
  }),
  beside('scripts that link to secrets', (folder) => symlink('/etc/passwd', join(folder, 'content.js')), {
    content_scripts: [{ matches: ['<all_urls>'], js: ['content.js'] }],
  }),
  beside('a worker that links to /dev/zero', (folder) => symlink('/dev/zero', join(folder, 'worker.js')), {
    background: { service_worker: 'worker.js' },
  }),
  beside('a dangling icon', (folder) => symlink('nowhere', join(folder, 'icon.png')), { icons: { 16: 'icon.png' } }),
  { name: 'a manifest that links to /dev/zero', fill: (folder) => symlink('/dev/zero', join(folder, 'manifest.json')) },
  {
    name: 'a manifest that links to itself',
    fill: (folder) => symlink('manifest.json', join(folder, 'manifest.json')),
  },
  {
    name: 'a manifest that links to a good one',
    fill: async (folder) => {
      await put(folder, { 'real.json': JSON.stringify(BASE) });
      await symlink('real.json', join(folder, 'manifest.json'));
    },
  },
  { name: 'a dist that links to /', fill: (folder) => symlink('/', join(folder, 'dist')) },
];

const SPECIAL: readonly HostileFolder[] = [
  { name: 'a pipe as manifest', fill: (folder) => Promise.resolve(fifo(join(folder, 'manifest.json'))) },
  { name: 'a folder as manifest', fill: (folder) => mkdir(join(folder, 'manifest.json')) },
  { name: 'a sparse manifest of 1.5 GB', fill: (folder) => sparse(join(folder, 'manifest.json'), 1.5e9) },
  beside('a sparse file of 2 GB', (folder) => sparse(join(folder, 'big.bin'), 2e9)),
  beside(`${MEBIBYTES} MiB of zeros`, (folder) => sparse(join(folder, 'zeros.bin'), MEBIBYTES * 1024 * 1024)),
  beside('a pipe as worker', (folder) => fifo(join(folder, 'worker.js')), {
    background: { service_worker: 'worker.js' },
  }),
  beside('a pipe as key', (folder) => fifo(join(folder, 'key.pem'))),
  beside('a pipe as source map', async (folder) => {
    await put(folder, { 'worker.js': '' });
    fifo(join(folder, 'worker.js.map'));
  }),
  beside(
    'a pipe as catalogue',
    async (folder) => {
      await mkdir(join(folder, '_locales', 'en'), { recursive: true });
      fifo(join(folder, '_locales', 'en', 'messages.json'));
    },
    { default_locale: 'en' },
  ),
  beside('a pipe as ruleset', (folder) => fifo(join(folder, 'rules.json')), {
    permissions: ['declarativeNetRequest'],
    declarative_net_request: { rule_resources: [{ id: 'a', enabled: true, path: 'rules.json' }] },
  }),
  beside(
    'a socket as content script',
    async (folder) => {
      // The system keeps the file of a socket whose server was not closed.
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(join(folder, 'content.js'), resolve));
      server.unref();
    },
    { content_scripts: [{ matches: ['<all_urls>'], js: ['content.js'] }] },
  ),
];

const NAMES: readonly HostileFolder[] = [
  beside('names with control characters and backslashes', (folder) =>
    put(folder, { 'a\nb.js': '', 'c\\d.js': '', '\u001b[31m.js': '', '\u202egpj.js': '' }),
  ),
  beside('names that are no Unicode', async (folder) => {
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe])]), '');
  }),
  beside('names of prototypes and numbers', (folder) =>
    put(folder, {
      __proto__x: '',
      constructor: '',
      'toString/__proto__': '',
      1: '',
      2: '',
      'CON.txt': '',
      'a%00.js': '',
    }),
  ),
  beside('the longest names', (folder) =>
    put(
      folder,
      Object.fromEntries(many(50, (index) => [String.fromCharCode(97 + (index % 26)).repeat(250) + index, ''])),
    ),
  ),
  beside('500 folders in each other', (folder) => put(folder, { [`${'d/'.repeat(500)}a.js`]: '' })),
  beside(`${FILES} files in one folder`, async (folder) => {
    await mkdir(join(folder, 'sub'));
    for (let at = 0; at < FILES; at += 500) {
      await Promise.all(
        many(Math.min(500, FILES - at), (index) => writeFile(join(folder, 'sub', `f${at + index}`), '')),
      );
    }
  }),
  beside(`${FILES / 10} packages`, async (folder) => {
    for (const index of many(FILES / 10, (at) => at))
      await mkdir(join(folder, 'packages', `p${index}`), { recursive: true });
  }),
  beside(
    'missing files with similar names',
    (folder) => put(folder, Object.fromEntries(many(FILES / 3, (index) => [`${'n'.repeat(50)}${index}.js`, '']))),
    { content_scripts: [{ matches: ['<all_urls>'], js: many(MANY, (index) => `${'n'.repeat(49)}m${index}.js`) }] },
  ),
];

const JSON_TEXTS: readonly HostileFolder[] = [
  text('an empty manifest', ''),
  text('100,000 lists in each other', '['.repeat(100_000)),
  text('100,000 objects in each other', '{"a":'.repeat(100_000)),
  text('1.9 MB of comments', `${'/**/'.repeat(475_000)}{}`),
  text('1.9 MB of slashes', '/'.repeat(1_900_000)),
  text('1.9 MB of line breaks', `${'\n'.repeat(1_900_000)}{`),
  text('a number of 1.9 MB', `{"a":${'9'.repeat(1_900_000)}}`),
  text('an exponent of 1.9 MB', `{"a":1e${'0'.repeat(1_900_000)}}`),
  text('a string of 300,000 escapes', `{"a":"${'\\u00e9'.repeat(300_000)}"}`),
  text('300,000 line breaks in a string', `{"a":"${'\n'.repeat(300_000)}"}`),
  text('no UTF-8', Buffer.alloc(1_000_000, 0xff)),
  text('UTF-16', Buffer.from(`\ufeff${JSON.stringify(BASE)}`, 'utf16le')),
  text('keys of prototypes', `{"__proto__":{"a":1},"constructor":1,${JSON.stringify(BASE).slice(1)}`),
  text('500,000 keys', `{${many(500_000, (index) => `"key${index}":0`).join(',')}}`),
  text('100,000 keys', `{${many(100_000, (index) => `"key${index}":0`).join(',')}}`),
  text('40,000 keys', JSON.stringify({ ...BASE, ...Object.fromEntries(many(MANY, (index) => [`key${index}`, 0])) })),
  text('700,000 empty lists', `{"a":[${many(690_000, () => '[]').join(',')}]}`),
];

const MANIFESTS: readonly HostileFolder[] = [
  manifest('10,000 commands', {
    commands: Object.fromEntries(many(10_000, (index) => [`c${index}`, { suggested_key: 'Ctrl+X', description: 'x' }])),
  }),
  manifest('unknown permissions', { permissions: many(MANY, (index) => `storag${index}`) }),
  manifest('hosts', { host_permissions: many(MANY, (index) => `*://*.h${index}.com/*`) }),
  manifest('malformed hosts', { host_permissions: many(MANY, (index) => `http:/${index}`) }),
  manifest('500,000 stars in a pattern', {
    content_scripts: [
      { matches: [`*://a/${'*'.repeat(500_000)}`], exclude_matches: [`*://a/${'*a'.repeat(500_000)}`], js: [] },
    ],
  }),
  manifest('500,000 stars in a glob', {
    content_scripts: [{ matches: ['<all_urls>'], include_globs: ['*'.repeat(500_000)], js: ['a.js'] }],
  }),
  manifest('content scripts', { content_scripts: many(MANY / 4, () => ({ matches: ['<all_urls>'], js: ['a.js'] })) }),
  manifest('accessible resources', {
    web_accessible_resources: many(MANY / 5, (index) => ({ resources: [`${index}/*`], matches: ['<all_urls>'] })),
  }),
  manifest('icons', { icons: Object.fromEntries(many(MANY, (index) => [index, `${index}.png`])) }),
  manifest('a key of 5,000,000 characters', { key: 'A'.repeat(5_000_000) }),
  manifest('a key of 1,900,000 characters', { key: 'A'.repeat(1_900_000) }),
  beside('a key file of 40 MB', (folder) => put(folder, { 'key.pem': Buffer.alloc(40_000_000, 'A') })),
  manifest('a name of 1.9 MB', { name: '\ufdfa'.repeat(600_000) }),
  manifest('a version of 1.9 MB', { version: '1.'.repeat(900_000) }),
  manifest('a policy of 1.9 MB', {
    content_security_policy: { extension_pages: "script-src 'self' ".repeat(100_000) },
  }),
  manifest('a shortcut of 1.9 MB', { commands: { a: { description: 'a', suggested_key: 'Ctrl+'.repeat(370_000) } } }),
  manifest('a default locale of 1.9 MB', { default_locale: 'en_'.repeat(600_000) }),
  manifest('a path of 1.9 MB', { background: { service_worker: 'a/'.repeat(900_000) } }),
  manifest('dots in a path', { background: { service_worker: '../'.repeat(600_000) } }),
];

const REFERENCED: readonly HostileFolder[] = [
  rules(
    `${RULES} rules`,
    many(RULES, (index) => ({ id: index + 1, action: { type: 'block' }, condition: { urlFilter: 'x' } })),
  ),
  rules(
    `${RULES} malformed rules`,
    many(RULES, () => ({ id: 'a' })),
  ),
  rules(
    `${WIDE_RULES * 4} expressions`,
    regexRules(WIDE_RULES * 4, (index) => `^https://a${index}\\.com/[a-z]+$`),
  ),
  rules(
    `${WIDE_RULES} wide expressions`,
    regexRules(WIDE_RULES, (index) => `[\\p{L}${index}]{1,20}(?:\\w|\\W){1,50}`),
  ),
  rules(
    `an expression of ${LONG} characters`,
    regexRules(1, () => '(a|b)*'.repeat(LONG / 6)),
  ),
  rules(
    `an unfinished expression of ${LONG} characters`,
    regexRules(1, () => '('.repeat(LONG)),
  ),
  rules('deep rules', '['.repeat(1_000_000)),
  rules('a list of domains', [
    { id: 1, action: { type: 'block' }, condition: { requestDomains: many(MANY * 4, (index) => `d${index}.com`) } },
  ]),
  manifest(
    '500 locales',
    { default_locale: 'en' },
    Object.fromEntries(many(500, (index) => [`_locales/x${index}/messages.json`, '{}'])),
  ),
  manifest(
    'a large catalogue',
    { default_locale: 'en' },
    {
      '_locales/en/messages.json': JSON.stringify(
        Object.fromEntries(many(MANY, (index) => [`m${index}`, { message: '$a$' }])),
      ),
    },
  ),
  manifest(
    'a message that grows',
    { default_locale: 'en', description: '__MSG_a__'.repeat(10_000) },
    {
      '_locales/en/messages.json': JSON.stringify({
        a: { message: '$b$'.repeat(10_000), placeholders: { b: { content: 'x'.repeat(20_000) } } },
      }),
    },
  ),
  worker('nested parentheses in the worker', '('.repeat(500_000)),
  worker('nested templates in the worker', '`${'.repeat(200_000)),
  worker('a worker of 1 MB', 'a(b);'.repeat(200_000)),
  worker(
    'a worker that imports itself',
    'import "./worker.js"; import "./b.js";',
    { 'b.js': 'import "./worker.js";' },
    'module',
  ),
  worker(
    'a worker with 5,000 imports',
    many(5000, (index) => `importScripts("w${index}.js");`).join('\n'),
    Object.fromEntries(many(300, (index) => [`w${index}.js`, ''])),
  ),
  worker('a line that begins like an import everywhere', 'import '.repeat(30_000)),
];

const GLOBS: readonly HostileFolder[] = [
  globs('a glob with four stars', ['*a*a*a*a*b']),
  globs('a glob with 15 stars', [`${'*a'.repeat(15)}b`]),
  globs('nested groups', ['@(+(*a))*b', '*(*a)b', '(a|aa)+b']),
  globs('optional groups', ['?(a)'.repeat(60), '{a,aa}'.repeat(40)]),
  globs('30,000 stars', ['*a'.repeat(30_000)]),
  globs(
    '10,000 globs',
    many(10_000, (index) => `*${index}*`),
  ),
  globs('60,000 slashes', ['/'.repeat(60_000), `a${'/'.repeat(60_000)}b`]),
  { ...globs('includes from outside', []), include: ['../**', '/etc/passwd', '~/.ssh/**', '**/**/**/*'] },
];

/** Hostile source maps beside a worker. */
export const MAP_FOLDERS: readonly HostileFolder[] = [
  map('a section at line 200,000,000', JSON.stringify({ version: 3, sections: [section(200_000_000)] })),
  map('a section at line 2³¹', JSON.stringify({ version: 3, sections: [section(2 ** 31)] })),
  map('a section before the first line', JSON.stringify({ version: 3, sections: [section(-1)] })),
  map('100,000 sections', JSON.stringify({ version: 3, sections: many(100_000, () => section(0)) })),
  map('sections in each other', `${'{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":'.repeat(5000)}{}`),
  map(
    `${SEMICOLONS} semicolons`,
    JSON.stringify({ version: 3, sources: ['a'], names: [], mappings: ';'.repeat(SEMICOLONS) }),
  ),
  map(
    '7 MB of mappings',
    JSON.stringify({ version: 3, sources: ['a'], names: [], mappings: 'AAAA,'.repeat(1_400_000) }),
  ),
  map(
    '12 MB of mappings',
    JSON.stringify({ version: 3, sources: ['a'], names: [], mappings: 'AAAA,'.repeat(2_400_000) }),
  ),
  map(
    'a source with a name of 7 MB',
    JSON.stringify({ version: 3, sources: ['../'.repeat(2_400_000)], names: [], mappings: 'AAAA' }),
  ),
  map('a map in a script of 7 MB', '{}', `//# sourceMappingURL=data:,${'%41'.repeat(2_400_000)}`),
];

/** All kinds. */
export const HOSTILE_FOLDERS: readonly HostileFolder[] = [
  ...LINKS,
  ...SPECIAL,
  ...NAMES,
  ...JSON_TEXTS,
  ...MANIFESTS,
  ...REFERENCED,
  ...GLOBS,
];

const OTHERS: readonly HostileFolder[] = [
  {
    name: 'a good map',
    fill: (folder) =>
      put(folder, {
        'manifest.json': JSON.stringify(BASE),
        'a.ts': '',
        'worker.js': 'x',
        'worker.js.map': JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' }),
      }),
  },
  rules(
    'an expression without end',
    regexRules(200, () => '(a|b)*'.repeat(10_000)),
  ),
];

/** The folder of a kind. Throws for an unknown name. */
export function hostileFolder(name: string): HostileFolder {
  const found = [...HOSTILE_FOLDERS, ...MAP_FOLDERS, ...OTHERS].find((kind) => kind.name === name);
  if (!found) throw new Error(`There is no hostile folder "${name}".`);
  return found;
}
