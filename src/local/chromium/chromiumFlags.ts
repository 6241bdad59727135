import type { Viewport } from '../../service/interface';

/** Options of a browser start. Folders are absolute paths. */
export interface ChromiumLaunch {
  executable: string;
  userDataFolder: string;
  /** Unpacked extensions, in the order of their upload. */
  extensionFolders: readonly string[];
  headless: boolean;
  kiosk: boolean;
  viewport: Viewport;
}

const DISABLED_FEATURES = [
  // Some versions of Google Chrome support --load-extension only with this feature disabled (C-FLAG-IGNORED).
  'DisableLoadExtensionCommandLineSwitch',
  // Suggestions of the address bar take more than half of the processor time of a start (C-START-OMNIBOX).
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

/**
 * The command line of a session's browser.
 *
 * DevTools is reached over the pipe alone, whose end makes Chromium quit (C-END-PIPE), so that no browser outlives a killed service. A port would be
 * open to every user of the machine.
 */
export function chromiumFlags(
  launch: ChromiumLaunch,
  platform = process.platform,
  user = process.getuid?.(),
): string[] {
  const { width, height } = launch.viewport;
  const flags = [
    `--user-data-dir=${launch.userDataFolder}`,
    '--remote-debugging-pipe',
    `--window-size=${width},${height}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
    '--disable-breakpad',
    '--disable-search-engine-choice-screen',
    '--hide-crash-restore-bubble',
    // An info bar would make the page area of the first tab smaller than that of others.
    '--disable-infobars',
    // Otherwise a refused extension opens a dialog, which blocks the start (C-START-DIALOG).
    '--noerrdialogs',
    // Without the system's key ring there is no prompt, and cookies can be decrypted at every start.
    '--password-store=basic',
    '--use-mock-keychain',
    // Older versions load extensions over DevTools only with this flag (C-LOAD-149).
    '--enable-unsafe-extension-debugging',
    `--disable-features=${DISABLED_FEATURES.join(',')}`,
  ];
  if (launch.headless) flags.push('--headless=new', '--disable-gpu', `--screen-info={${width}x${height}}`);
  if (launch.kiosk && !launch.headless) flags.push('--kiosk');
  // There is no sandbox for root (C-START-SANDBOX).
  if (platform === 'linux' && user === 0) flags.push('--no-sandbox');
  if (launch.extensionFolders.length > 0) flags.push(`--load-extension=${launch.extensionFolders.join(',')}`);
  flags.push('about:blank');
  return flags;
}

/** False when no window can be shown: on Linux without an X11 or Wayland display. */
export function hasDisplay(env: NodeJS.ProcessEnv = process.env, platform = process.platform): boolean {
  return platform === 'win32' || platform === 'darwin' || Boolean(env['DISPLAY'] ?? env['WAYLAND_DISPLAY']);
}
