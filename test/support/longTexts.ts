/** The length of texts that show whether an expression is linear, in characters. */
export const LONG = 1_000_000;

/** `part` over and over, to a length of about `LONG`. */
export function repeated(part: string): string {
  return part.repeat(Math.ceil(LONG / part.length));
}

/**
 * Whether `act` keeps the processor busy for less than 50 ms, the longest that a text may hold up the extension host. Other programs on
 * the machine make it longer, never shorter, so it has five tries.
 */
export function isQuick(act: () => unknown): boolean {
  return Array.from({ length: 5 }).some(() => {
    const before = process.cpuUsage();
    act();
    const { user, system } = process.cpuUsage(before);
    return user + system < 50_000;
  });
}
