import * as l10n from '@vscode/l10n';
import type { Sentences } from './sentences';

/** What the rules mean about the manifest as a file, what it calls the extension, its background and its content scripts. */
export const LOADING: Sentences = {
  'R-FILE': () =>
    l10n.t('The folder has no file manifest.json that can be read. Upper and lower case count in its name.'),
  'R-FILE-DIR': () => l10n.t('manifest.json is a folder. It has to be a file.'),
  'R-JSON': () =>
    l10n.t(
      'The manifest is not valid JSON. Chromium accepts comments, but no comma after the last entry and no single quotes.',
    ),
  'R-JSON-ROOT': () => l10n.t('The manifest is valid JSON, but no object: its keys have to be between { and }.'),
  'R-LIMIT': () =>
    l10n.t(
      'The check of the extension exceeded its limits of time or memory, so Sideload does not push it. Its manifest, rulesets, message catalogues or worker are too large.',
    ),
  'R-LINK': () => l10n.t('manifest.json is a symbolic link. Chromium follows it, but a push follows no links.'),
  'R-SERVICE-JSON': () =>
    l10n.t(
      'Chromium accepts comments, line breaks in strings, \\x escapes and a byte order mark in a manifest; other programs, such as services, may not. A push sends the manifest as standard JSON, and leaves the file as it is.',
    ),
  'R-SIZE': () =>
    l10n.t(
      'The files of the extension are larger than a push packs. Leave files out, or push the folder of the build.',
    ),
  'R-SECRET': () =>
    l10n.t(
      'A file looks like passwords, keys or tokens, and everyone who has the extension can read its files. Keys and the like are left out of pushes, which a hint says; a quick fix sends one nevertheless.',
    ),
  'R-PAGE-FILES': () =>
    l10n.t(
      'A page loads a file that is in the folder, but left out of pushes, such as one in node_modules. The page works when the folder is loaded as it is, and is broken after a push. A quick fix includes the file.',
    ),
  'R-PEM': () => l10n.t('A file with a key is in the folder. Everyone who has the extension can read it.'),
  'R-UNDERSCORE': () =>
    l10n.t(
      'Chromium reserves names that begin with an underscore at the top of the folder. It warns of them when it starts, and refuses them in a push.',
    ),
  'R-WINNAMES': () =>
    l10n.t('Windows reserves the names of devices such as con and nul, so it cannot store this file.'),
  'R-UPDATE': () =>
    l10n.t(
      'Chromium disables an updated extension until its user agrees when its permissions go beyond those of the version before. Optional permissions and activeTab ask nobody at an update.',
    ),
  'R-STORE': () =>
    l10n.t(
      'Chromium loads the extension, but the Chrome Web Store refuses it. Hints never stop a push, and sideload.storeHints switches them off.',
    ),
  'R-STORE-REMOTE': () =>
    l10n.t(
      'The extension runs code from elsewhere: a script or an import with a web address, or text from a server that is evaluated. The Chrome Web Store refuses that as Blue Argon; sandboxed pages may do so.',
    ),
  'R-STORE-ADDRESS': () =>
    l10n.t(
      'A text holds the address of a script. The review of the Chrome Web Store looks at the built files, and has refused extensions as Blue Argon for addresses in libraries that were never loaded.',
    ),
  'R-STORE-UNUSED': () =>
    l10n.t(
      'Reading all code found no use of a permission or host, or another one covers it. The Chrome Web Store refuses that as Purple Potassium. Code can hide what it calls, so where it does, or a part cannot be read, nothing is said.',
    ),
  'R-STORE-WAR': () =>
    l10n.t(
      'Files that every site may load show every site that the extension is installed. The Chrome Web Store publishes no reason for this.',
    ),
  'R-STORE-FILES': () =>
    l10n.t(
      'A file is in the package that the extension does not need when it runs, such as a test, a source map with its sources, or an archive. The Chrome Web Store publishes no reason for this.',
    ),
  'R-NAME': () => l10n.t('Every extension needs a name that is not empty, also after its messages were filled in.'),
  'R-VERSION': () =>
    l10n.t('A version has one to four whole numbers with dots between them, without leading zeros in the first one.'),
  'R-VERSION-ZERO': () =>
    l10n.t('Chromium leaves out a leading zero of a later number, so it shows another version than the manifest.'),
  'R-MV-MISSING': () => l10n.t('Every manifest needs its version, which is 3.'),
  'R-MV-TYPE': () => l10n.t('The version of the manifest is a whole number without quotes.'),
  'R-MV2': () =>
    l10n.t('Chromium no longer loads extensions of manifest version 2. They have to be ported to version 3.'),
  'R-MV4': () => l10n.t('There is no manifest version above 3. Chromium treats it like version 3.'),
  'R-DESC': () => l10n.t('The description is a string.'),
  'R-SHORTNAME': () => l10n.t('The short name is a string that is not empty.'),
  'R-VERNAME': () => l10n.t('The version that people see is a string.'),
  'R-KEY': () =>
    l10n.t('The key is a public key in base64, on one line or as a PEM block. It fixes the id of the extension.'),
  'R-HOMEPAGE': () => l10n.t('The home page is a web address.'),
  'R-UPDATEURL': () => l10n.t('The address for updates is an absolute address without #.'),
  'R-MINVER': () =>
    l10n.t('The oldest version of Chromium is a version in quotes. A browser that is older refuses the extension.'),
  'R-FINGERPRINT': () => l10n.t('The Chrome Web Store writes this key itself.'),
  'R-INCOGNITO': () => l10n.t('There are three ways for an extension to run in incognito windows.'),
  'R-OFFLINE': () => l10n.t('Whether the extension works without a network is true or false.'),
  'R-SERIALIZATION': () => l10n.t('Messages are serialized as JSON or as structured clones.'),
  'R-TOKENS': () => l10n.t('Tokens of origin trials are a list of different strings. Chromium ignores what is not.'),
  'R-REPLACEMENT': () =>
    l10n.t('The web app that replaces the extension is given by an address that begins with https://.'),
  'R-UNKNOWN': () => l10n.t('Chromium does not know the key and ignores it. It may be misspelt.'),
  'R-UNKNOWN-NESTED': () =>
    l10n.t('Chromium does not know the key in this object and ignores it without a warning. It may be misspelt.'),
  'R-AVAIL': () =>
    l10n.t(
      'Chromium ignores the key, because it is for another manifest version, another kind of package or another system.',
    ),
  'R-SW-MISSING': () => l10n.t('The file of the service worker is not in the folder.'),
  'R-SW-VALUE': () => l10n.t('The service worker is given by the name of one file in the folder.'),
  'R-SW-TYPE': () => l10n.t('A service worker is a module or a classic script.'),
  'R-SW-BROKEN': () =>
    l10n.t(
      'Chromium loads the extension, but its service worker can never start: its name, its syntax or one of its imports is wrong.',
    ),
  'R-BG-PAGE': () =>
    l10n.t(
      'A background is either a page, or scripts, or a service worker; extensions of version 3 have a service worker.',
    ),
  'R-BG-MISSING': () => l10n.t('A background script or page is not in the folder.'),
  'R-BG-PERM': () => l10n.t('Some permissions need a certain kind of background.'),
  'R-CS-TYPE': () => l10n.t('A content script is an object with lists of patterns and files.'),
  'R-CS-FILES': () => l10n.t('A content script needs at least one file.'),
  'R-CS-MATCHES': () => l10n.t('A content script needs at least one pattern of pages.'),
  'R-CS-PATTERN': () => l10n.t('A pattern has a scheme, a host and a path.'),
  'R-CS-ORIGIN': () =>
    l10n.t('With match_origin_as_fallback, patterns have to end in /*, since the frames that it adds have no path.'),
  'R-CS-MIME': () =>
    l10n.t(
      'The name of a file does not end like that of a script or style sheet. Chromium drops the whole content script.',
    ),
  'R-CS-MISSING': () => l10n.t('A file of a content script is not in the folder.'),
  'R-CS-UTF8': () => l10n.t('Chromium loads only content scripts in UTF-8 without noncharacters such as U+FFFF.'),
  'R-CS-WORLD': () => l10n.t('Below manifest version 3, Chromium ignores the world of a content script.'),
  'R-MATCHES-NOTHING': () => l10n.t('The pattern is valid, but no page can ever match it.'),
};
