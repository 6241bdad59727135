import path from 'node:path';
import { invalidInput } from '../httpErrors';

/** The user of the service's machines, unless an option names another. */
const SERVICE_USER = 'kernel';

/**
 * Maps the paths of clients (`/home/kernel/…`, `/tmp/…`, as on the service's machines) to a folder of this machine and back. No path leads
 * out of it: `..` is clamped to the root.
 */
export class Jail {
  readonly #path: path.PlatformPath;
  /** Real paths in a text, with what is below the root; undefined where they are written as the client writes them. */
  readonly #realPaths: RegExp | undefined;
  /** The folder of uploaded extensions, as a client's path. */
  readonly extensionsRoot: string;
  /** The folder of files that are given to pages, as a client's path. */
  readonly uploadsRoot: string;

  constructor(
    /** The absolute path of the folder for `/`. */
    readonly root: string,
    user = SERVICE_USER,
    platform = process.platform,
  ) {
    this.#path = platform === 'win32' ? path.win32 : path.posix;
    if (platform === 'win32') {
      const names = root.split(/[\\/]/).map((name) => name.replaceAll(/[^\p{L}\p{N}_]/gu, String.raw`\$&`));
      // In a text, a path ends before a character that no name has, or a quote.
      this.#realPaths = new RegExp(`${names.join(String.raw`[\\/]`)}(?<below>[^"'<>|?*:\r\n]*)`, 'gi');
    }
    this.extensionsRoot = `/home/${user}/extensions`;
    this.uploadsRoot = `/home/${user}/uploads`;
  }

  /** The real path; 400 for a path that is not absolute or contains a null character. */
  real(clientPath: string): string {
    if (!clientPath.startsWith('/')) throw invalidInput(`The path must be absolute: "${clientPath}".`);
    if (clientPath.includes('\0')) throw invalidInput('The path contains a null character.');
    // On Windows a backslash is also a separator, and could lead out of the folder.
    const segments = path.posix.normalize(clientPath).split('/').filter(Boolean);
    const illegal = segments.find((segment) => this.#path.sep === '\\' && /[\\:]/.test(segment));
    if (illegal !== undefined)
      throw invalidInput(`The path contains a name that is invalid on this system: "${illegal}".`);
    return this.#path.join(this.root, ...segments);
  }

  /** As `real`, but refuses `/` itself, which must not be deleted, moved or replaced. */
  realBelowRoot(clientPath: string): string {
    const real = this.real(clientPath);
    if (real === this.root) throw invalidInput('The root folder cannot be changed.');
    return real;
  }

  /** The client's path of a real path; `undefined` when it is outside. */
  client(real: string): string | undefined {
    const { sep } = this.#path;
    const relative = this.#path.relative(this.root, real);
    if (this.#path.isAbsolute(relative) || relative === '..' || relative.startsWith(`..${sep}`)) return undefined;
    return `/${relative.split(sep).join('/')}`;
  }

  /** Replaces real paths in a text by the client's paths. */
  clientText(text: string): string {
    if (!this.#realPaths) return text.replaceAll(this.root, '');
    return text.replaceAll(this.#realPaths, (_path, below: string) => below.replaceAll('\\', '/'));
  }
}
