/**
 * A file that is packed: path relative to the folder with `/`, size in bytes, times in milliseconds. `mtimeMs` is the time of the
 * last write, which programs can set; `ctimeMs` is the time of the last change, which only the system sets.
 */
export interface SelectedFile {
  path: string;
  size: number;
  mtimeMs: number;
  ctimeMs: number;
}

/** Whether a file is as it was, by its size and times. */
export function isSameFile(before: SelectedFile | undefined, now: SelectedFile | undefined): boolean {
  return before?.size === now?.size && before?.mtimeMs === now?.mtimeMs && before?.ctimeMs === now?.ctimeMs;
}

/** The list of exclusions that is part of Sideload, or the user's settings. */
export type LeftOutRule = 'builtIn' | 'setting';

/** The paths of files that are left out because they look like secrets. */
export function secretsOf({ leftOut }: { leftOut: readonly LeftOut[] }): string[] {
  return leftOut.filter(({ isSecret }) => isSecret).map(({ path }) => path);
}

/** A file or a whole folder that is not packed. `reason` is a short phrase for people. */
export interface LeftOut {
  path: string;
  reason: string;
  /** The kind of rule that a setting can override; absent for what cannot be packed by its nature, such as a link. */
  rule?: LeftOutRule;
  /** Whether it looks like a file with passwords, keys or tokens. */
  isSecret?: true;
}

export interface Selection {
  /** Sorted by path, code unit by code unit. */
  files: SelectedFile[];
  /** Sorted likewise; a folder includes everything below it that is not in `files`. */
  leftOut: LeftOut[];
  /** Sum of the sizes of `files`, in bytes. */
  totalBytes: number;
}
