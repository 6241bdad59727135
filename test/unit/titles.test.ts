// Covers: package.json, package.nls*.json, README.md, .github/docs, src/ids.ts
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json';
import { COMMANDS } from '../../src/ids';
import { DOCS } from '../docs/docs';
import { ROOT } from '../support/paths';
import { LANGUAGES, textsOfPackage, type Texts } from '../support/texts';

/**
 * Commands that always ask something before they act, when they are run from the palette or, if it does not list them, from their row: for
 * a choice, a text, a file or a confirmation. Not those that ask which one is meant only where there are several.
 */
const ASKING: readonly string[] = [
  COMMANDS.openPage,
  COMMANDS.localhost,
  COMMANDS.openLocalhost,
  COMMANDS.chooseFolder,
  COMMANDS.exportPackage,
  COMMANDS.setPushOnSave,
  COMMANDS.pushTo,
  COMMANDS.chooseBrowsers,
  COMMANDS.setTarget,
  COMMANDS.pushToSeveral,
  COMMANDS.createBrowser,
  COMMANDS.createBrowserWithOptions,
  COMMANDS.enterBrowser,
  COMMANDS.enterProfile,
  COMMANDS.enterExtension,
  COMMANDS.deleteBrowser,
  COMMANDS.renameBrowser,
  // On a desktop: where to open it.
  COMMANDS.openLiveView,
  COMMANDS.removeExtension,
  COMMANDS.deleteSelected,
  COMMANDS.renameSelected,
  COMMANDS.createProfile,
  COMMANDS.renameProfile,
  COMMANDS.deleteProfile,
  COMMANDS.storeExtension,
  COMMANDS.downloadExtension,
  COMMANDS.deleteExtension,
  COMMANDS.searchBrowsers,
  COMMANDS.searchProfiles,
  COMMANDS.chooseService,
  COMMANDS.setToken,
  COMMANDS.removeAllData,
  COMMANDS.scrollBy,
  COMMANDS.setScrollPoint,
  COMMANDS.holdScrollKeys,
  COMMANDS.screenGo,
  COMMANDS.screenSize,
  COMMANDS.screenClick,
  COMMANDS.screenType,
  COMMANDS.screenTab,
  COMMANDS.screenZoom,
  COMMANDS.screenDescribe,
  COMMANDS.screenAnswer,
  COMMANDS.savePicture,
  COMMANDS.comparePushes,
  COMMANDS.testUpdate,
  COMMANDS.openStorage,
  COMMANDS.clearStorage,
  COMMANDS.exportStorage,
  COMMANDS.importStorage,
  COMMANDS.fireAlarm,
  COMMANDS.freshInstall,
  COMMANDS.hostAccess,
  COMMANDS.allowInIncognito,
  COMMANDS.allowFileAccess,
  COMMANDS.pinToToolbar,
  COMMANDS.optionalPermissions,
];

/** Titles of commands, by their id. */
function titlesOf(texts: Texts): Map<string, string> {
  return new Map(
    manifest.contributes.commands.map(({ command, title }) => [command, texts[title.replaceAll('%', '')] ?? title]),
  );
}

/** A title without what says that it asks, and without the name of what it belongs to. */
function bare(title: string): string {
  return title.replace(/^(Sideload|Screen): /, '').replace(/…$/, '');
}

describe('the titles of commands', () => {
  const english = titlesOf(textsOfPackage());

  for (const language of [undefined, ...LANGUAGES]) {
    it(`end with "…" where the command asks before it acts, and nowhere else (${language ?? 'en'})`, () => {
      const titles = titlesOf(textsOfPackage(language));
      assert.equal(titles.size, Object.keys(COMMANDS).length);
      const wrong = [...titles].filter(([id, title]) => ASKING.includes(id) !== title.endsWith('…'));
      assert.deepEqual(wrong, []);
    });

    it(`are unique (${language ?? 'en'})`, () => {
      const titles = [...titlesOf(textsOfPackage(language)).values()];
      assert.deepEqual(
        titles.filter((title, index) => titles.indexOf(title) !== index),
        [],
      );
    });
  }

  it('are written as they are in README and the guides', () => {
    const byBare = new Map([...english.values()].map((title) => [bare(title), title]));
    const guides = readdirSync(DOCS).filter((name) => name.endsWith('.md'));
    const pages = [join(ROOT, 'README.md'), ...guides.map((name) => join(DOCS, name))];
    // Submenus and buttons have names that no command has.
    const marked = pages.flatMap((page) => {
      const parts = readFileSync(page, 'utf8').split('**');
      return parts.filter((_, index) => index % 2 === 1).map((text) => text.replaceAll(/\s+/g, ' '));
    });
    assert.ok(marked.length > 50);
    const wrong = marked.filter((text) => {
      const title = byBare.get(bare(text));
      return title !== undefined && title.replace(/^Screen: /, '') !== text.replace(/^(Sideload|Screen): /, '');
    });
    assert.deepEqual(wrong, []);
  });
});
