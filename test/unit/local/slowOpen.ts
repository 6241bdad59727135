import fs from 'node:fs';

type Opened = (error: NodeJS.ErrnoException | null, handle: number) => void;

/**
 * Makes file streams open their files late, as on a busy machine. Returns a function that ends it. Functions of `fs/promises` are not
 * affected: they are awaited.
 */
export function delayOpening(ms: number): () => void {
  const { open } = fs;
  const slow = (file: string, flags: fs.OpenMode, mode: fs.Mode, opened: Opened): void => {
    setTimeout(() => {
      open(file, flags, mode, opened);
    }, ms);
  };
  Object.assign(fs, { open: slow });
  return () => Object.assign(fs, { open });
}
