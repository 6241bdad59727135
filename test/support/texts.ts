// Covers: package.nls*.json, media/l10n
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './paths';

/** The languages that Sideload has besides English, as VS Code names them. */
export const LANGUAGES = ['de', 'zh-cn'] as const;

export type Language = (typeof LANGUAGES)[number];

/** Texts by their key: in bundles the English text itself, in package.nls.json a name. */
export type Texts = Record<string, string>;

/** The texts of the code, in the order of its files. */
export function textsOfCode(): string[] {
  const source = join(ROOT, 'src');
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const found = new Set<string>();
  for (const name of names.sort()) {
    const text = readFileSync(join(source, name), 'utf8');
    if (!text.includes('l10n.t(')) continue;
    const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && node.expression.getText(file) === 'l10n.t') {
        const [literal] = node.arguments;
        if (literal && ts.isStringLiteralLike(literal)) found.add(literal.text);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return [...found];
}

/** The texts of package.json, in English or in another language. */
export function textsOfPackage(language?: Language): Texts {
  return readTexts(join(ROOT, language ? `package.nls.${language}.json` : 'package.nls.json'));
}

/** The texts of the code in another language. */
export function bundleOf(language: Language): Texts {
  return readTexts(bundlePath(language));
}

/** The file with the texts of the code in another language. */
export function bundlePath(language: Language): string {
  return join(ROOT, 'media', 'l10n', `bundle.l10n.${language}.json`);
}

/** The placeholders of a text, sorted. */
export function placeholdersOf(text: string): string[] {
  return (text.match(/\{\d+\}/g) ?? []).sort();
}

function readTexts(file: string): Texts {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (typeof value !== 'object' || value === null) throw new Error(`${file} holds no object.`);
  return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, String(text)]));
}
