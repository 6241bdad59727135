import * as l10n from '@vscode/l10n';
import type { Sentences } from './sentences';

/** What the rules mean about permissions, buttons, pages and connections. */
export const FEATURES: Sentences = {
  'R-PERM-TYPE': () => l10n.t('Permissions are a list of names.'),
  'R-PERM-UNKNOWN': () =>
    l10n.t(
      'Chromium does not know the permission and ignores it. It may be misspelt, or a host, which belongs into host_permissions.',
    ),
  'R-PERM-AVAIL': () =>
    l10n.t(
      'Chromium ignores the permission, because it is for another manifest version, another kind of package or another system.',
    ),
  'R-PERM-OPT': () => l10n.t('The permission cannot be optional. Chromium ignores it there.'),
  'R-PERM-REDUND': () => l10n.t('An optional permission or host is among the required ones already.'),
  'R-PERM-VALUE': () => l10n.t('Most permissions are a name alone; a few are an object with a list.'),
  'R-HOST': () => l10n.t('Host permissions are a list of match patterns. Chromium ignores a malformed one.'),
  'R-CAPABILITIES': () =>
    l10n.t(
      'An extension can grant pages of sites that begin with https:// the permissions clipboardRead, clipboardWrite and unlimitedStorage.',
    ),
  'R-ACTION': () => l10n.t('The toolbar button is an object with a popup, a title and icons.'),
  'R-POPUP-TYPE': () => l10n.t('The popup is given by the name of a page in the folder.'),
  'R-POPUP-MISSING': () => l10n.t('The page of the popup is not in the folder, so the popup opens empty.'),
  'R-ICON-TYPE': () => l10n.t('Icons are an object with the name of a picture for each size.'),
  'R-ICON-KEY': () => l10n.t('The size of an icon is a whole number of pixels from 1 to 2048.'),
  'R-ICON-MIME': () => l10n.t('The name of an icon is not that of a picture. Chromium ignores the icon.'),
  'R-ICON-MISSING': () => l10n.t('The file of an icon is not in the folder, or empty.'),
  'R-CMD-TYPE': () =>
    l10n.t('Commands are an object; each has a description, except those that press the toolbar button.'),
  'R-CMD-KEY': () => l10n.t('A shortcut has Ctrl or Alt, optionally Shift, and one key. On a Mac, Ctrl means Command.'),
  'R-CMD-PLATFORM': () =>
    l10n.t(
      'Shortcuts are given for windows, mac, chromeos, linux or default. A browser on a system without one refuses the extension.',
    ),
  'R-CMD-MANY': () => l10n.t('An extension may suggest at most four shortcuts. People can set more themselves.'),
  'R-CMD-ACTION': () => l10n.t('A command presses a button that the extension does not have. Chromium ignores it.'),
  'R-OMNIBOX': () => l10n.t('The address bar needs a keyword that is not empty.'),
  'R-OPTIONS-TYPE': () => l10n.t('The options page is given by the name of a page in the folder.'),
  'R-OPTIONSUI': () => l10n.t('Chromium ignores options_ui when it has a fault.'),
  'R-OPTIONS-MISSING': () => l10n.t('The options page is not in the folder.'),
  'R-CHROMESTYLE': () => l10n.t('The style of Chrome for options pages no longer exists.'),
  'R-DEVTOOLS': () => l10n.t('The page for DevTools is a page in the folder.'),
  'R-OVERRIDE': () =>
    l10n.t('An extension may put one page of its own in the place of the new tab, bookmarks or history page.'),
  'R-SIDEPANEL': () => l10n.t('The side panel is a page in the folder.'),
  'R-SANDBOX': () => l10n.t('Sandboxed pages are a list; their policy belongs into content_security_policy.'),
  'R-ABOUT': () => l10n.t('The page about a shared module is a page in the folder.'),
  'R-WAR': () => l10n.t('Each entry names resources and who may use them. Its patterns are for whole sites.'),
  'R-EXTCONN': () => l10n.t('Patterns and ids say which pages and extensions may send messages to this one.'),
  'R-NATIVE': () => l10n.t('The programs that may start the extension are a list of names.'),
  'R-OAUTH2': () => l10n.t('Sign-in needs the id of a client and a list of scopes.'),
  'R-COEP': () => l10n.t('The policy for embedding is an object with a value.'),
  'R-COOP': () => l10n.t('The policy for openers is an object with a value.'),
  'R-CSP-SHAPE': () =>
    l10n.t(
      'In version 3 the content security policy is an object with a string for extension pages and one for sandboxed pages.',
    ),
  'R-CSP-SRC': () => l10n.t('The policy of extension pages has to say where scripts may come from.'),
  'R-CSP-INSECURE': () =>
    l10n.t('An extension may run only its own code, so the policy may not allow other sources of scripts.'),
  'R-CSP-SANDBOX': () => l10n.t('The policy of sandboxed pages needs the directive sandbox without allow-same-origin.'),
  'R-REQ': () => l10n.t('Requirements of the machine: 3D features. Browsers no longer have plug-ins.'),
  'R-WEBGL': () => l10n.t('A browser without WebGL, such as a headless one, refuses the extension.'),
  'R-IMPORT': () =>
    l10n.t(
      'Shared modules cannot be pushed, and Chromium refuses an extension without giving a reason when one is missing.',
    ),
  'R-EXPORT': () => l10n.t('A shared module lists the ids of the extensions that may import it.'),
};
