/** Characters that some system does not allow in file names; format characters and noncharacters are invisible. */
const ILLEGAL_ANYWHERE = /["*/:<>?\\|\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}]/u;
const ILLEGAL_AT_ENDS = /^[\p{White_Space}.~]|[\p{White_Space}.]$/u;

/** Names of devices and settings on Windows, with or without an extension. */
const RESERVED = /^((con|prn|aux|nul|com[1-9]|lpt[1-9]|clock\$)(\..*)?|desktop\.ini|thumbs\.db)$/i;

/** Extensions that the Windows shell interprets. */
const SHELL_EXTENSIONS = /\.(local|lnk|scf|url|\{[^.]*\})$/i;

/**
 * The path of a file named in a manifest, as Chromium normalises it (without one leading slash). Undefined when some system cannot store
 * it: absolute, ending in a slash, with `..` or `.` as a segment (a leading `./` is accepted), or with a name that Windows refuses.
 *
 * Source: forms measured on Chromium 156; they match net::IsSafePortableRelativePath in its source.
 */
export function portablePath(written: string): string | undefined {
  const path = written.startsWith('/') ? written.slice(1) : written;
  if (path === '' || path.startsWith('/') || path.endsWith('/')) return undefined;
  const names = path.split(/\/+/);
  if (names[0] === '.') names.shift();
  return names.length > 0 && names.every(isPortableName) ? path : undefined;
}

function isPortableName(name: string): boolean {
  return (
    !ILLEGAL_ANYWHERE.test(name) && !ILLEGAL_AT_ENDS.test(name) && !RESERVED.test(name) && !SHELL_EXTENSIONS.test(name)
  );
}

/** True for a name that Windows reserves for a device (R-WINNAMES), the only names of stray files that Chromium reports. */
export function isIllegalName(name: string): boolean {
  return RESERVED.test(name);
}
