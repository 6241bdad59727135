const MAX_PARTS = 4;
const MAX_PART = 2 ** 32 - 1;

/**
 * The numbers of a version of any length, as Chromium's base::Version parses it; undefined for an invalid one. Each part is an unsigned
 * integer of 32 bits; the first part must not begin with a zero.
 */
export function parseVersionNumber(text: string): number[] | undefined {
  const components = text.split('.');
  if (!components.every((component) => /^[0-9]+$/.test(component) && Number(component) <= MAX_PART)) return undefined;
  const numbers = components.map(Number);
  return String(numbers[0]) === components[0] ? numbers : undefined;
}

/**
 * A version as Chromium writes it, without leading zeros in later parts; undefined for an invalid one. It has up to four parts, each of
 * which may be larger than the 65536 of Chromium's text.
 */
export function parseVersion(text: string): string | undefined {
  const numbers = parseVersionNumber(text);
  return numbers && numbers.length <= MAX_PARTS ? numbers.join('.') : undefined;
}

/** Negative when the first version is older, positive when it is newer; missing parts count as zero. */
export function compareVersions(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether two versions are one to Chromium, to which `1.02` is `1.2`, and `1.0` is `1.0.0.0` (C-VERSION-FORM). */
export function isSameVersion(a: string, b: string): boolean {
  const numbers = (version: string): number[] => version.split('.').map(Number);
  return compareVersions(numbers(a), numbers(b)) === 0;
}
