const MAX_PARTS = 4;
const MAX_PART = 2 ** 32 - 1;

/**
 * A version as Chromium writes it back, without leading zeros in later parts; undefined when it is none. Each part is a whole
 * number of 32 bits, although Chromium's text says 65536; the first part must not begin with a zero.
 */
export function parseVersion(text: string): string | undefined {
  const parts = text.split('.');
  if (parts.length > MAX_PARTS) return undefined;
  if (!parts.every((part) => /^[0-9]+$/.test(part) && Number(part) <= MAX_PART)) return undefined;
  const numbers = parts.map((part) => String(Number(part)));
  return numbers[0] === parts[0] ? numbers.join('.') : undefined;
}
