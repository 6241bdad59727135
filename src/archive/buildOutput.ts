import { relative, sep } from 'node:path';

/** The folders that bundlers write extensions to, as path segments below a project. */
const OUTPUT = /^(?:dist.*|build|out|\.output)$/;

/** Whether an extension folder, absolute, is what a bundler has written below `root`, so that nobody edits its files by hand. */
export function isBuildOutput(root: string, folder: string): boolean {
  return relative(root, folder)
    .split(sep)
    .some((segment) => OUTPUT.test(segment));
}
