import type { Viewport } from '../../service/model';

/** How one start of a session's browser differs from another. Folders are absolute paths. */
export interface ChromiumLaunch {
  executable: string;
  userDataFolder: string;
  /** Unpacked extensions, in the order they came. */
  extensionFolders: readonly string[];
  headless: boolean;
  kiosk: boolean;
  viewport: Viewport;
}

/**
 * The command line of a session's browser.
 *
 * DevTools is opened twice: the pipe is the service's own channel, and its end makes Chromium quit, so that no browser
 * outlives a killed service; the port is what clients reach through `cdp_ws_url`.
 */
export function chromiumFlags(launch: ChromiumLaunch): string[] {
  const { width, height } = launch.viewport;
  const flags = [
    `--user-data-dir=${launch.userDataFolder}`,
    '--remote-debugging-pipe',
    '--remote-debugging-port=0',
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
    // An info bar would take pixels from the first tab only, and coordinates would differ from tab to tab.
    '--disable-infobars',
    // Without it a refused extension opens a window that a headful Chromium waits for before it opens DevTools.
    '--noerrdialogs',
    // No question of the system's key ring; the sessions' cookies then mean the same on every start.
    '--password-store=basic',
    '--use-mock-keychain',
    // Browsers before Chromium 149 let DevTools load extensions only with it, and only over the pipe.
    '--enable-unsafe-extension-debugging',
    // Branded Chrome 137 to 141 listens to --load-extension only with this feature off.
    '--disable-features=DisableLoadExtensionCommandLineSwitch',
  ];
  if (launch.headless) flags.push('--headless=new', '--disable-gpu', `--screen-info={${width}x${height}}`);
  if (launch.kiosk && !launch.headless) flags.push('--kiosk');
  // Chromium's sandbox refuses to work for root.
  if (process.platform === 'linux' && process.getuid?.() === 0) flags.push('--no-sandbox');
  if (launch.extensionFolders.length > 0) flags.push(`--load-extension=${launch.extensionFolders.join(',')}`);
  flags.push('about:blank');
  return flags;
}

/** False where a window cannot be shown: Linux without an X11 or Wayland display. */
export function hasDisplay(env: NodeJS.ProcessEnv = process.env, platform = process.platform): boolean {
  return platform === 'win32' || platform === 'darwin' || Boolean(env['DISPLAY'] ?? env['WAYLAND_DISPLAY']);
}
