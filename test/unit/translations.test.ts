// Covers: src, package.json, package.nls*.json, media/l10n
import assert from 'node:assert/strict';
import { bundleOf, LANGUAGES, placeholdersOf, textsOfCode, textsOfPackage, type Texts } from '../support/texts';

/** What must be the same in every language: commands and settings that are named, links, and code. */
const KEPT = /command:[\w.]+|https:\/\/[\w.*/-]*[\w*/]|`[^`]+`/g;

for (const language of LANGUAGES) {
  describe(`the texts in ${language}`, () => {
    const english: Texts = Object.fromEntries(textsOfCode().map((text) => [text, text]));

    it('are complete, and there is none that the code no longer has', () => {
      assert.deepEqual(Object.keys(bundleOf(language)).sort(), Object.keys(english).sort());
    });

    it('of package.json are complete, too', () => {
      assert.deepEqual(Object.keys(textsOfPackage(language)).sort(), Object.keys(textsOfPackage()).sort());
    });

    it('have the placeholders of the English ones', () => {
      const wrong = Object.entries(bundleOf(language)).filter(
        ([key, text]) => placeholdersOf(key).join() !== placeholdersOf(text).join(),
      );
      assert.deepEqual(wrong, []);
    });

    it('keep the commands, links and code of the English ones', () => {
      const pairs = [
        ...Object.entries(bundleOf(language)),
        ...Object.entries(textsOfPackage()).map(([key, text]) => [text, textsOfPackage(language)[key] ?? ''] as const),
      ];
      const keptOf = (text: string): string => (text.match(KEPT) ?? []).sort().join();
      assert.deepEqual(
        pairs.filter(([from, to]) => keptOf(from) !== keptOf(to)),
        [],
      );
    });

    it('are not empty and have no blanks around them that the English ones do not have', () => {
      const edges = (text: string): string => `${/^\s*/.exec(text)?.[0] ?? ''}|${/\s*$/.exec(text)?.[0] ?? ''}`;
      const wrong = Object.entries(bundleOf(language)).filter(
        ([key, text]) => text.trim() === '' || edges(key) !== edges(text),
      );
      assert.deepEqual(wrong, []);
    });
  });
}
