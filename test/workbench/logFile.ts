import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { EXTENSION_ID } from '../../src/ids';

/**
 * The lines of Sideload's log, or of another output channel of it, as the channel writes them into a file, in the newest extension host of
 * a server with this data folder; none when there is no such file yet.
 */
export async function readLogFile(dataDir: string, channel = 'Sideload'): Promise<string[]> {
  const logs = join(dataDir, 'data', 'logs');
  const names = await readdir(logs, { recursive: true }).catch(() => []);
  const files = names.filter((name) => name.includes(EXTENSION_ID) && basename(name) === `${channel}.log`);
  const times = await Promise.all(
    files.map(async (name) => ({ file: join(logs, name), ms: (await stat(join(logs, name))).mtimeMs })),
  );
  const [newest] = times.sort((a, b) => b.ms - a.ms);
  if (!newest) return [];
  return (await readFile(newest.file, 'utf8')).split(/\r?\n/).filter((line) => line !== '');
}
