/** The command that installs a browser; undefined where that is not known. `isThere`: whether a file exists. */
export function installCommand(platform: NodeJS.Platform, isThere: (path: string) => boolean): string | undefined {
  if (platform === 'win32') return 'winget install --id Google.Chrome';
  if (platform === 'darwin') return 'brew install --cask google-chrome';
  // Ubuntu's package is a snap, which cannot read the editor's hidden folder.
  if (isThere('/etc/debian_version') && !isThere('/snap')) return 'sudo apt-get install chromium';
  if (isThere('/usr/bin/snap')) return 'sudo snap install chromium';
  if (isThere('/usr/bin/dnf')) return 'sudo dnf install chromium';
  if (isThere('/usr/bin/pacman')) return 'sudo pacman -S chromium';
  return undefined;
}
