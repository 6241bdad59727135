/** A size in bytes for people, such as `12.3 kB`: 1 kB is 1000 bytes. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  // From here on, kB would be rounded to 1000.0.
  return bytes < 999_950 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A duration in milliseconds for people, such as `0.32 s`. */
export function durationText(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 1000 ? 2 : 1)} s`;
}

/** Cuts a text of more than `length` characters, which then ends with an ellipsis. */
export function shortened(text: string, length = 1000): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** Rows as lines whose cells stand below each other. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
