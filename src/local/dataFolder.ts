import { homedir } from 'node:os';
import path from 'node:path';

/** Folder for the local service's data when none is named: the place the operating system has for one user's programs. */
export function defaultDataFolder(env: NodeJS.ProcessEnv = process.env, platform = process.platform): string {
  const home = homedir();
  if (platform === 'win32') return path.join(env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local'), 'Sideload');
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'Sideload');
  const base = env['XDG_DATA_HOME'];
  return path.join(base && path.isAbsolute(base) ? base : path.join(home, '.local', 'share'), 'sideload');
}
