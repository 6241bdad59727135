import { homedir } from 'node:os';
import path from 'node:path';

/** The default folder of the local service's data: the operating system's folder for user data of programs. */
export function defaultDataFolder(env: NodeJS.ProcessEnv = process.env, platform = process.platform): string {
  const home = homedir();
  if (platform === 'win32') return path.join(env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local'), 'Sideload');
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'Sideload');
  const base = env['XDG_DATA_HOME'];
  return path.join(base && path.isAbsolute(base) ? base : path.join(home, '.local', 'share'), 'sideload');
}
