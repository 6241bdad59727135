import assert from 'node:assert/strict';
import fc, { type Arbitrary } from 'fast-check';
import type { Finding, Fix } from '../../src/manifest/finding';
import { checkFolder, type CheckOptions } from '../../src/manifest/check';
import { valueOf } from '../../src/manifest/json/node';
import { parseJson } from '../../src/manifest/json/parse';
import { Text } from '../../src/manifest/source/text';
import { caseReader, type CaseFile } from '../oracle/caseFolder';
import { CASE_FOLDER } from '../oracle/cases';
import { SAMPLE_CATALOGUES, SAMPLE_FILES } from '../oracle/sampleFiles';
import { SAMPLE_VALUES } from '../oracle/sampleValues';
import { jsonOf } from '../support/json';
import { jsonLike, textLike, textOf, valueLike } from './inputs';
import { target, type FuzzTarget } from './target';

type Files = Readonly<Record<string, CaseFile>>;

const FILES: Files = { ...SAMPLE_FILES, ...SAMPLE_CATALOGUES };

/** A manifest that names the files of rules, of a schema and of messages, in which these can be wrong. */
const NAMING = {
  manifest_version: 3,
  name: '__MSG_title__',
  description: '__MSG_description__',
  version: '1',
  default_locale: 'en',
  permissions: ['declarativeNetRequest', 'storage'],
  storage: { managed_schema: 'rules/schema.json' },
  declarative_net_request: {
    rule_resources: [
      { id: 'first', enabled: true, path: 'rules/first.json' },
      { id: 'second', enabled: true, path: 'rules/second.json' },
    ],
  },
};

const field: Arbitrary<[string, unknown]> = fc
  .constantFrom(...Object.entries(SAMPLE_VALUES))
  .chain(([key, values]) => fc.oneof(...values.map(valueLike)).map((value): [string, unknown] => [key, value]));

const composed: Arbitrary<string> = fc
  .tuple(fc.constantFrom(3, 3, 3, 2), fc.array(field, { maxLength: 7 }))
  .map(([version, fields]) =>
    JSON.stringify({ manifest_version: version, name: 'A', version: '1', ...Object.fromEntries(fields) }, null, 2),
  );

/** Manifests with what their keys may have, and things that they may not have. */
export const manifests: Arbitrary<string> = fc.oneof(
  { arbitrary: composed, weight: 6 },
  { arbitrary: composed.chain(textLike), weight: 2 },
  { arbitrary: jsonLike(NAMING), weight: 1 },
);

/** Where an editor would find an offset: it counts UTF-16 code units, without a byte order mark. */
function lengthOf(file: CaseFile | undefined): number {
  if (typeof file === 'string') return new TextDecoder().decode(Buffer.from(file)).length;
  return file && 'base64' in file ? Buffer.from(file.base64, 'base64').length : 0;
}

function requireRange({ range: { start, end }, rule }: Finding, length: number): void {
  assert(0 <= start.offset && start.offset <= end.offset && end.offset <= length, `${rule} is outside of its file`);
  assert(start.line <= end.line && start.line >= 0 && start.column >= 0 && end.column >= 0, `${rule} has no place`);
}

/** What a quick fix makes of a file that was read as JSON is JSON for Chromium, too. */
function requireFix(fix: Fix, files: Files, rule: string): void {
  for (const name of new Set(fix.edits.map(({ file }) => file))) {
    const text = files[name];
    if (typeof text !== 'string' || !name.endsWith('.json')) continue;
    const edits = fix.edits.filter(({ file }) => file === name);
    edits.sort((a, b) => b.range.start.offset - a.range.start.offset);
    let end = Number.POSITIVE_INFINITY;
    const fixed = edits.reduce(
      (whole, { range, newText }) => {
        assert(range.end.offset <= end, `the edits of ${rule} overlap`);
        end = range.start.offset;
        return whole.slice(0, range.start.offset) + newText + whole.slice(range.end.offset);
      },
      text.replace(/^\ufeff/, ''),
    );
    if (!isRead(text)) continue;
    assert(isRead(fixed), `the fix of ${rule}, "${fix.title}", breaks ${name}: ${fixed}`);
  }
}

function isRead(text: string): boolean {
  return 'root' in parseJson(new Text(Buffer.from(text)), 'relaxed');
}

async function check(files: Files, options: CheckOptions = {}): Promise<void> {
  const { findings } = await checkFolder(CASE_FOLDER, { reader: caseReader(files), storeHints: true, ...options });
  for (const finding of findings) {
    requireRange(finding, lengthOf(files[finding.file]));
    assert(finding.message.length > 0 && !finding.message.includes('[object Object]'), finding.rule);
    if (finding.fix) requireFix(finding.fix, files, finding.rule);
  }
}

/** The files of JSON that the manifest names, and what they have. */
const NAMED = ['rules/first.json', 'rules/second.json', 'rules/schema.json', '_locales/en/messages.json'].map(
  (name) => {
    const text = FILES[name];
    return [name, typeof text === 'string' ? jsonOf(text) : undefined] as const;
  },
);

const asNamed = ([name, seed]: readonly [string, unknown]): FuzzTarget =>
  target(`files of an extension: ${name}`, {
    usual: 25,
    inputs: jsonLike(seed),
    run: (text) => check({ ...FILES, 'manifest.json': JSON.stringify(NAMING), [name]: text }),
  });

/** Manifests and the files of JSON that they name. */
export const MANIFEST_TARGETS: readonly FuzzTarget[] = [
  target('manifests', {
    usual: 60,
    inputs: manifests,
    run: (text) => check({ ...FILES, 'manifest.json': text }),
  }),
  target('manifests beside the published one', {
    usual: 25,
    inputs: fc.tuple(manifests, manifests),
    run: ([text, published]) => check({ ...FILES, 'manifest.json': text }, { publishedManifest: published }),
  }),
  ...NAMED.map(asNamed),
  target('JSON as Chromium reads it', {
    usual: 500,
    inputs: fc.oneof(
      textOf('{', '}', '[', ']', '"a"', ':', ',', '1', '-', '1e5', 'null', 'true', '//x\n', '/*', '*/', '"\\u12', ' '),
      jsonLike(NAMING),
    ),
    run: (text) => {
      const bytes = Buffer.from(text);
      for (const dialect of ['lenient', 'strict', 'relaxed'] as const) {
        const result = parseJson(new Text(bytes), dialect);
        if ('root' in result) valueOf(result.root);
        else assert(0 <= result.fault.start && result.fault.start <= result.fault.end, 'a fault without a place');
      }
    },
  }),
  target('JSON by the standard', {
    inputs: fc.jsonValue({ maxDepth: 6 }),
    run: (value) => {
      const result = parseJson(new Text(Buffer.from(JSON.stringify(value))), 'strict');
      assert('root' in result, 'refused');
      assert.deepEqual(JSON.stringify(valueOf(result.root)), JSON.stringify(JSON.parse(JSON.stringify(value))));
    },
  }),
];
