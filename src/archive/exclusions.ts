import * as l10n from '@vscode/l10n';

/** A kind of file that is not part of an extension. `reason` completes "left out: …". */
export interface Exclusion {
  /** A glob in the form of {@link Globs}. */
  glob: string;
  reason: string;
}

/**
 * The files that are left out of every archive unless a setting includes them; the first match gives the reason.
 *
 * Ignore files of version control are deliberately not read: build outputs are usually ignored there, and build outputs are what is
 * pushed. Source maps are not in the list, so that DevTools can show the sources.
 */
export function defaultExclusions(): readonly Exclusion[] {
  return [
    { glob: '.git', reason: l10n.t('version control') },
    { glob: '.{svn,hg,bzr,jj}', reason: l10n.t('version control') },
    { glob: '{CVS,_darcs}', reason: l10n.t('version control') },
    { glob: '.env*', reason: l10n.t('environment files usually hold secrets') },
    { glob: '.*', reason: l10n.t('hidden file or folder') },
    { glob: 'node_modules', reason: l10n.t('installed packages') },
    { glob: '*.{zip,crx,crx3,xpi,vsix,tar,tgz,7z,rar}', reason: l10n.t('archive') },
    { glob: '*.tar.{gz,bz2,xz,zst}', reason: l10n.t('archive') },
    { glob: '*.{pem,p12,pfx}', reason: l10n.t('private key or certificate') },
    { glob: '{Thumbs.db,desktop.ini,__MACOSX}', reason: l10n.t('created by the operating system') },
  ];
}
