import path from 'node:path';
import { invalidInput } from '../errors';

/**
 * Maps the paths that clients use (`/home/kernel/…`, `/tmp/…`, as on the service's machines) onto one folder of this
 * machine and back. No path leads out: `..` stops at the root.
 */
export class Jail {
  constructor(
    /** Absolute folder that stands for `/`. */
    readonly root: string,
  ) {}

  /** The real path; 400 for one that is not absolute or holds a null character. */
  real(clientPath: string): string {
    if (!clientPath.startsWith('/')) throw invalidInput(`The path must be absolute: "${clientPath}".`);
    if (clientPath.includes('\0')) throw invalidInput('The path holds a null character.');
    // On Windows a backslash would be a second separator, and could climb.
    const parts = path.posix.normalize(clientPath).split('/').filter(Boolean);
    const illegal = parts.find((part) => path.sep === '\\' && /[\\:]/.test(part));
    if (illegal !== undefined) throw invalidInput(`The path holds a name that this system cannot have: "${illegal}".`);
    return path.join(this.root, ...parts);
  }

  /** As `real`, but refuses `/` itself, which nobody may delete, move or replace. */
  realBelowRoot(clientPath: string): string {
    const real = this.real(clientPath);
    if (real === this.root) throw invalidInput('The root folder cannot be changed.');
    return real;
  }

  /** The client's path of a real path, or `undefined` when it lies outside. */
  client(real: string): string | undefined {
    const relative = path.relative(this.root, real);
    if (path.isAbsolute(relative) || relative === '..' || relative.startsWith(`..${path.sep}`)) return undefined;
    return `/${relative.split(path.sep).join('/')}`;
  }

  /** A sentence for the client: real paths in it become the client's. */
  clientText(text: string): string {
    const slashed = this.root.split(path.sep).join('/');
    return text.replaceAll(this.root, '').replaceAll(slashed, '');
  }
}
