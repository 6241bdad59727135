import type { Requested } from './requested';

/** What Chromium says of some permissions together. */
export interface PermissionMessage {
  text: string;
  details: readonly string[];
  /** The ids of permissions without which it is not said. */
  needs: readonly string[];
  /** All permissions that it says enough of. */
  used: readonly Requested[];
}

/** A message that is said when all permissions that it needs are left; it takes those, and the ones that it absorbs. */
interface MessageRule {
  needs: readonly string[];
  absorbs: readonly string[];
  say: (parameters: readonly string[]) => Pick<PermissionMessage, 'text' | 'details'>;
}

/** The messages about permissions, in Chromium's order and English words. Source: C-UPDATE-MESSAGES. */
export function permissionMessages(permissions: readonly Requested[]): PermissionMessage[] {
  let left = permissions;
  return RULES.flatMap(({ needs, absorbs, say }): PermissionMessage[] => {
    if (!needs.every((id) => left.some((permission) => permission.id === id))) return [];
    const isUsed = ({ id }: Requested): boolean => needs.includes(id) || absorbs.includes(id);
    const used = left.filter(isUsed);
    left = left.filter((permission) => !isUsed(permission));
    const parameters = used.map(({ parameter }) => parameter).filter((parameter) => parameter !== '');
    return [{ ...say([...new Set(parameters)].sort()), needs, used }];
  });
}

function rule(text: string, needs: readonly string[], absorbs: readonly string[] = []): MessageRule {
  return { needs, absorbs, say: () => ({ text, details: [] }) };
}

/** Messages about one permission each. */
function each(texts: Readonly<Record<string, string>>): MessageRule[] {
  return Object.entries(texts).map(([id, text]) => rule(text, [id]));
}

/** Names in a text, of which the first is for one of them. */
function joined(id: string, one: string, several: string): MessageRule {
  return {
    needs: [id],
    absorbs: [],
    say: (names) => ({ text: `${names.length === 1 ? one : several} ${names.join(' ')}`, details: [] }),
  };
}

/** The most hosts that the text itself names. */
const MAX_HOSTS_IN_TEXT = 3;

function sayHosts(hosts: readonly string[]): Pick<PermissionMessage, 'text' | 'details'> {
  const begin = 'Read and change your data on';
  const isLong = hosts.length > MAX_HOSTS_IN_TEXT;
  const names = hosts.map((host) =>
    host.startsWith('*.') ? `${isLong ? 'All' : 'all'} ${host.slice(2)} sites` : host,
  );
  if (isLong) return { text: `${begin} a number of websites`, details: names };
  const [first = '', second = '', third] = names;
  if (names.length === 1) return { text: `${begin} ${first}`, details: [] };
  const list = third === undefined ? `${first} and ${second}` : `${first}, ${second}, and ${third}`;
  return { text: `${begin} ${list}`, details: [] };
}

/** What an extension that reads the browsing history also knows. */
const OF_HISTORY = ['declarativeNetRequestFeedback', 'favicon', 'topSites'];
const OF_ALL_HOSTS = [
  ...['declarativeWebRequest', 'declarativeNetRequest', 'processes', 'tabs', 'webNavigation', 'host'],
  ...OF_HISTORY,
];

const ALL_HOSTS = 'Read and change all your data on all websites';
const HISTORY = 'Read your browsing history';

/**
 * The order counts: what a rule takes is gone for those below it. Not here are the texts for ChromeOS, for extensions of a policy and of
 * Chromium itself, and for the USB devices of packaged apps.
 */
const RULES: readonly MessageRule[] = [
  rule('Access the page debugger backend', ['debugger']),
  rule(ALL_HOSTS, ['allHosts'], [...OF_ALL_HOSTS, 'webAuthenticationProxy']),
  rule(ALL_HOSTS, ['webAuthenticationProxy'], OF_ALL_HOSTS),
  { needs: ['host'], absorbs: [], say: sayHosts },
  rule('Replace the page you see when opening a new tab', ['newTabPageOverride']),
  rule('Use your microphone and camera', ['audioCapture', 'videoCapture']),
  ...each({
    audioCapture: 'Use your microphone',
    videoCapture: 'Use your camera',
    geolocation: 'Detect your physical location',
  }),
  rule(
    'Read and change your browsing history on all your signed-in devices',
    ['history'],
    [...OF_HISTORY, 'processes', 'tabs', 'webNavigation'],
  ),
  rule(
    'Read your browsing history on all your signed-in devices',
    ['tabs', 'sessions'],
    [...OF_HISTORY, 'processes', 'webNavigation'],
  ),
  rule(HISTORY, ['tabs'], [...OF_HISTORY, 'processes', 'webNavigation']),
  rule(HISTORY, ['processes'], [...OF_HISTORY, 'webNavigation']),
  rule(HISTORY, ['webNavigation'], OF_HISTORY),
  rule(HISTORY, ['declarativeNetRequestFeedback'], ['favicon', 'topSites']),
  ...each({
    favicon: 'Read the icons of the websites you visit',
    topSites: 'Read a list of your most frequently visited websites',
    declarativeWebRequest: 'Block parts of web pages',
    declarativeNetRequest: 'Block content on any page',
  }),
  rule(
    'Exchange data with any device on the local network or internet',
    ['socketAnyHost'],
    ['socketDomain', 'socketHost'],
  ),
  joined(
    'socketDomain',
    'Exchange data with any device in the domain',
    'Exchange data with any device in the domains:',
  ),
  joined('socketHost', 'Exchange data with the device named', 'Exchange data with the devices named:'),
  rule('Display notifications', ['notifications']),
  rule('Read and change your accessibility settings', ['accessibilityFeatures.modify', 'accessibilityFeatures.read']),
  ...each({
    'accessibilityFeatures.modify': 'Change your accessibility settings',
    'accessibilityFeatures.read': 'Read your accessibility settings',
  }),
  rule('Write to files and folders that you open in the application', ['fileSystem.write', 'fileSystem.directory']),
  ...each({
    'fileSystem.directory': 'Read folders that you open in the application',
    bookmarks: 'Read and change your bookmarks',
    readingList: 'Read and change entries in the reading list',
  }),
  rule('Read and modify data you copy and paste', ['clipboardRead', 'clipboardWrite']),
  ...each({
    clipboardRead: 'Read data you copy and paste',
    clipboardWrite: 'Modify data you copy and paste',
    desktopCapture: 'Capture content of your screen',
    downloads: 'Manage your downloads',
    'downloads.open': 'Open downloaded files',
    'identity.email': 'Know your email address',
    'system.storage': 'Identify and eject storage devices',
    contentSettings:
      'Change and grant access to features such as geolocation, microphone, camera, cookies, etc., for all your websites and extensions, including this extension.',
    management: 'Manage your apps, extensions, and themes',
    mdns: 'Discover devices on your local network, like printers',
    nativeMessaging: 'Communicate with cooperating native applications',
    privacy: 'Change your privacy-related settings',
    syncFileSystem: 'Store data in your Google Drive account',
    tabGroups: 'View and manage your tab groups',
    ttsEngine: 'Read all text spoken using synthesized speech',
    transientBackground: 'Run in the background when requested by a cooperating native application',
  }),
];
