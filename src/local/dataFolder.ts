import { homedir } from 'node:os';
import path from 'node:path';

/** The default folder of the local service's data: the operating system's folder for user data of programs. */
export function defaultDataFolder(env: NodeJS.ProcessEnv = process.env, platform = process.platform): string {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const home = homedir();
  if (platform === 'win32') return paths.join(env['LOCALAPPDATA'] ?? paths.join(home, 'AppData', 'Local'), 'Sideload');
  if (platform === 'darwin') return paths.join(home, 'Library', 'Application Support', 'Sideload');
  const base = env['XDG_DATA_HOME'];
  return paths.join(base && paths.isAbsolute(base) ? base : paths.join(home, '.local', 'share'), 'sideload');
}
