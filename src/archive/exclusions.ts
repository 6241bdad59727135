import * as l10n from '@vscode/l10n';

/** A kind of file that is not part of an extension. `reason` completes "left out: …". */
export interface Exclusion {
  /** A glob in the form of {@link Globs}, in small letters: names are compared without regard to case. */
  glob: string;
  reason: string;
  /** Whether such a file probably holds passwords, keys or tokens: the user gets to know that it is left out. */
  isSecret?: true;
}

/**
 * The files that are left out of every archive unless a setting includes them; the first match gives the reason. Beside them, a file that
 * begins with a private key is left out whatever it is called (`privateKeys.ts`).
 *
 * Ignore files of version control are deliberately not read: build outputs are usually ignored there, and build outputs are what is
 * pushed. Source maps are not in the list, so that DevTools can show the sources.
 */
export function defaultExclusions(): readonly Exclusion[] {
  return [
    { glob: '.git', reason: l10n.t('version control') },
    { glob: '.{svn,hg,bzr,jj}', reason: l10n.t('version control') },
    { glob: '_darcs', reason: l10n.t('version control') },
    { glob: '.env.{example,sample,template}', reason: l10n.t('hidden file or folder') },
    { glob: '.env*', reason: l10n.t('environment files usually hold secrets'), isSecret: true },
    { glob: '.{npmrc,netrc,pypirc,git-credentials,htpasswd}', reason: passwordReason(), isSecret: true },
    { glob: '.*', reason: l10n.t('hidden file or folder') },
    { glob: 'node_modules', reason: l10n.t('installed packages') },
    { glob: '*.{zip,crx,crx3,xpi,vsix,tar,tgz,7z,rar}', reason: l10n.t('archive') },
    { glob: '*.tar.{gz,bz2,xz,zst}', reason: l10n.t('archive') },
    { glob: `*.{${KEY_ENDINGS}}`, reason: keyReason(), isSecret: true },
    { glob: `*.{${KEY_ENDINGS}}.{bak,old,orig,txt}`, reason: keyReason(), isSecret: true },
    { glob: 'id_{rsa,dsa,ecdsa,ed25519}', reason: keyReason(), isSecret: true },
    { glob: '*.env', reason: l10n.t('environment files usually hold secrets'), isSecret: true },
    { glob: '{npmrc,_netrc,wallet.dat}', reason: passwordReason(), isSecret: true },
    { glob: '{credentials,secrets}.{json,yaml,yml,toml,ini}', reason: passwordReason(), isSecret: true },
    { glob: '{client_secret*,service[-_]account*}.json', reason: passwordReason(), isSecret: true },
    { glob: '*.{tfstate,tfstate.backup}', reason: passwordReason(), isSecret: true },
    { glob: 'dump.sql', reason: passwordReason(), isSecret: true },
    // Chromium writes its index of rulesets into the folder that it loads (C-FILES-RULESETS).
    { glob: '/_metadata', reason: l10n.t('written by the browser') },
    { glob: '{thumbs.db,desktop.ini,__macosx}', reason: l10n.t('created by the operating system') },
  ];
}

/** The files in which development builds of CRXJS have the packages that content scripts import (`vendor/.vite-deps-react.js__v--1a2b.js`). */
const NEEDED = /(^|\/)\.vite-deps-[^/]*$/;

/** Whether a path is that of a file which an extension needs, although its name is hidden. */
export function isNeededThoughHidden(path: string): boolean {
  return NEEDED.test(path);
}

/** The endings of files with private keys, certificates and stores of both. */
const KEY_ENDINGS = 'pem,p12,pfx,pkcs12,key,p8,jks,keystore,ppk,kdbx,ovpn';

/** The reason for a file with a private key, also where its content says so. */
export function keyReason(): string {
  return l10n.t('private key or certificate');
}

function passwordReason(): string {
  return l10n.t('such files usually hold passwords or tokens');
}
