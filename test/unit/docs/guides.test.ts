// Covers: .github/docs, README.md
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { DOCS } from '../../docs/docs';
import { ROOT } from '../../support/paths';

const README = join(ROOT, 'README.md');

/** Most lines of README: the first page of a stranger, in the Marketplace, too. */
const MOST_README_LINES = 170;

const PAGES = [
  README,
  ...readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(DOCS, name)),
];

/** The names that links give to the headings of a page, as GitHub makes them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The addresses that a page links to and shows. */
function linksOf(text: string): string[] {
  const prose = text.replaceAll(/```[^]*?```/g, '');
  const inText = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, address = '']) => address);
  return [...inText, ...[...prose.matchAll(/\bsrc="([^"]+)"/g)].map(([, address = '']) => address)];
}

describe('the guides', () => {
  it('and README link only to what is there', () => {
    const broken = PAGES.flatMap((page) => {
      const text = readFileSync(page, 'utf8');
      return linksOf(text)
        .filter((link) => !/^[a-z]+:/.test(link))
        .filter((link) => {
          const [path = '', anchor] = link.split('#');
          const file = path === '' ? page : join(dirname(page), path);
          if (!existsSync(file)) return true;
          return anchor !== undefined && !anchorsOf(readFileSync(file, 'utf8')).includes(anchor);
        })
        .map((link) => `${relative(ROOT, page)}: ${link}`);
    });
    assert.deepEqual(broken, []);
  });

  it('are all in the index, which README links to', () => {
    const index = readFileSync(join(DOCS, 'README.md'), 'utf8');
    const names = PAGES.slice(1)
      .map((page) => relative(DOCS, page).replaceAll('\\', '/'))
      .filter((name) => name !== 'README.md');
    assert.deepEqual(
      names.filter((name) => !index.includes(`(${name})`)),
      [],
    );
    assert.ok(readFileSync(README, 'utf8').includes('(.github/docs/README.md)'));
  });

  it('leave README a page that is read in a minute', () => {
    const lines = readFileSync(README, 'utf8').trimEnd().split('\n');
    assert.ok(lines.length <= MOST_README_LINES, `${lines.length} lines`);
  });

  it('and README show the pictures of README by addresses that work in the Marketplace', () => {
    const text = readFileSync(README, 'utf8');
    for (const [, address = ''] of text.matchAll(/\bsrcset="([^"]+)"/g)) {
      const path = address.replace('https://github.com/sideload/sideload/raw/HEAD/', '');
      assert.ok(path !== address && existsSync(join(ROOT, path)), address);
    }
  });
});
