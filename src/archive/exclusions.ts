/** A kind of file that is not part of an extension. `reason` completes "left out: …". */
export interface Exclusion {
  /** A glob in the form of {@link Globs}. */
  glob: string;
  reason: string;
}

/**
 * What stays out of every archive unless a setting takes it back in, first match first.
 *
 * Ignore files of version control are deliberately not read: build outputs are usually ignored there, and are exactly what has to
 * be pushed. Source maps are not in the list, so that DevTools can show the sources.
 */
export const DEFAULT_EXCLUSIONS: readonly Exclusion[] = [
  { glob: '.git', reason: 'version control' },
  { glob: '.{svn,hg,bzr,jj}', reason: 'version control' },
  { glob: '{CVS,_darcs}', reason: 'version control' },
  { glob: '.env*', reason: 'environment files usually hold secrets' },
  { glob: '.*', reason: 'hidden file or folder' },
  { glob: 'node_modules', reason: 'installed packages' },
  { glob: '*.{zip,crx,crx3,xpi,vsix,tar,tgz,7z,rar}', reason: 'archive' },
  { glob: '*.tar.{gz,bz2,xz,zst}', reason: 'archive' },
  { glob: '*.{pem,p12,pfx}', reason: 'private key or certificate' },
  { glob: '{Thumbs.db,desktop.ini,__MACOSX}', reason: 'left behind by the operating system' },
];
