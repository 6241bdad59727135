import * as l10n from '@vscode/l10n';
import type { Sentences } from './sentences';

/** What the rules mean about rulesets, messages, other files and apps. */
export const CONTENT: Sentences = {
  'R-DNR-TYPE': () => l10n.t('Rulesets are a list of objects with an id, a path and whether they are enabled.'),
  'R-DNR-PERM': () => l10n.t('Rulesets need the permission declarativeNetRequest.'),
  'R-DNR-ID': () => l10n.t('The id of a ruleset is not empty, unique, and does not begin with an underscore.'),
  'R-DNR-COUNT': () => l10n.t('An extension has at most 100 rulesets, of which 50 are enabled.'),
  'R-DNR-SAMEPATH': () => l10n.t('Two rulesets have the same file.'),
  'R-DNR-PATH': () => l10n.t('The file of a ruleset is not in the folder.'),
  'R-DNR-JSON': () => l10n.t('A ruleset is a list of rules in standard JSON, without comments.'),
  'R-DNR-PARSE': () => l10n.t('A rule does not have the right shape. Chromium ignores it.'),
  'R-DNR-RULE': () => l10n.t('A rule has the right shape and a wrong value. Chromium refuses the whole extension.'),
  'R-DNR-LIMITS': () =>
    l10n.t(
      'Chromium ignores rules beyond its limits: those with a large regular expression, and the 1001st one with a regular expression.',
    ),
  'R-LOC-NODEFAULT': () =>
    l10n.t('With a folder _locales, the manifest needs a default_locale, and that folder has to exist.'),
  'R-LOC-NOTREE': () => l10n.t('The manifest has a default_locale, but there is no folder _locales.'),
  'R-LOC-TYPE': () => l10n.t('The default locale is the name of a folder in _locales.'),
  'R-LOC-CATALOG': () => l10n.t('The folder of a locale needs a file messages.json.'),
  'R-LOC-JSON': () => l10n.t('A file with messages is not valid JSON.'),
  'R-LOC-CRASH': () => l10n.t('A file with messages is no object, which crashes the whole browser.'),
  'R-LOC-ENTRY': () => l10n.t('A message has a name of letters, digits and underscores, a text, and its placeholders.'),
  'R-LOC-VAR': () => l10n.t('The manifest uses a message that the default locale does not define.'),
  'R-STORAGE': () => l10n.t('The schema of managed storage is a file in the folder that Chromium can read.'),
  'R-EVENTRULES': () => l10n.t('Declarative rules are a list of objects with an event, conditions and actions.'),
  'R-THEME': () =>
    l10n.t('A theme has colours of three whole numbers, tints of three numbers, and pictures in the folder.'),
  'R-TTS': () => l10n.t('A speech engine lists its voices, each with its name, its language and its events.'),
  'R-MIME': () => l10n.t('Only extensions of the browser itself show documents of other types.'),
  'R-APP': () => l10n.t('The key app makes the extension an app. Chromium no longer runs apps.'),
  'R-APPKEYS': () => l10n.t('A key of an app has the wrong shape.'),
  'R-FILEHANDLERS': () => l10n.t('An app says by types or extensions which files it opens.'),
  'R-SOCKETS': () => l10n.t('The sockets of an app have addresses with a port.'),
  'R-PRINTERS': () =>
    l10n.t('A filter for printers has the id of a vendor, and either that of a product or the class of an interface.'),
};
