const CONTROL = /\p{Cc}/u;
const LONE_SURROGATE = /\p{Cs}/u;

/**
 * Why a zip entry of this name would not arrive as it is on another machine, as a phrase; undefined for names that are safe.
 * `name` is one segment of a path, as the file system gave it.
 */
export function unsafeName(name: string): string | undefined {
  if (name.includes('\\')) return 'its name holds a backslash, which other systems read as a folder';
  if (CONTROL.test(name)) return 'its name holds a control character';
  // node shows bytes that are not UTF-8 as U+FFFD, under which the file cannot be opened again.
  if (name.includes('\uFFFD') || LONE_SURROGATE.test(name)) return 'its name is not valid Unicode';
  return undefined;
}
