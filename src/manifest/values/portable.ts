/** Characters no file may have on one system or another; format characters and noncharacters would not be seen. */
const ILLEGAL_ANYWHERE = /["*/:<>?\\|\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}]/u;
const ILLEGAL_AT_ENDS = /^[\p{White_Space}.~]|[\p{White_Space}.]$/u;

/** Names that mean devices or settings to Windows, with or without an extension. */
const RESERVED = /^((con|prn|aux|nul|com[1-9]|lpt[1-9]|clock\$)(\..*)?|desktop\.ini|thumbs\.db)$/i;

/** Extensions the Windows shell acts upon. */
const SHELL_EXTENSIONS = /\.(local|lnk|scf|url|\{.*\})$/i;

/**
 * The path of a file named in a manifest, as Chromium normalises it (one leading slash dropped), or undefined when it is not one that
 * every system can store: absolute, ending in a slash, with `..` or `.` on the way (a leading `./` passes), or with a name Windows refuses.
 *
 * Source: forms asked of Chromium 156; they match net::IsSafePortableRelativePath in its source.
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

/** True for a name that Windows keeps for a device (R-WINNAMES). Chromium looks for nothing else in the names of stray files. */
export function isIllegalName(name: string): boolean {
  return RESERVED.test(name);
}
