import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runChild } from '../support/child';
import { atEnd } from '../support/cleanup';
import { CACHE } from '../support/paths';

const INSTALL_LIMIT_MS = 600_000;

/** The newest linkedom, which WXT takes, needs a package that is not in every registry. */
const OVERRIDES = { linkedom: '0.18.12' };

/** A tool as it comes from npm, at pinned versions. */
export class PeerInstall {
  private constructor(
    private readonly folder: string,
    /** Its name and version, for the report. */
    readonly title: string,
  ) {}

  /** Installs `packages` (`name@version`) once, into a folder of their own below the cache; no script of theirs runs then. */
  static async of(packages: readonly string[], report: (line: string) => void): Promise<PeerInstall> {
    const title = packages.join(' ');
    const folder = join(CACHE, 'bench', title.replace(/[^\w.-]+/g, '-').replace(/^-/, ''));
    const done = join(folder, 'installed');
    if (!existsSync(done)) {
      report(`fetching ${title} from npm`);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, overrides: OVERRIDES }));
      const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
      const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', ...packages];
      const { code } = await runChild(npm, args, { limitMs: INSTALL_LIMIT_MS, output: { line: report } });
      if (code !== 0) throw new Error(`npm could not install ${title}; see the lines above.`);
      await writeFile(done, '');
    }
    return new PeerInstall(folder, title);
  }

  /** The path of a file in an installed package. */
  file(...path: string[]): string {
    return join(this.folder, 'node_modules', ...path);
  }

  /** A new folder from which the packages are found; it goes at the end. */
  async project(): Promise<string> {
    const folder = await mkdtemp(join(this.folder, 'project-'));
    atEnd('the project of a peer', () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    return folder;
  }
}
