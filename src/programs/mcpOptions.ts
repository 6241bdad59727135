import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { oneLine } from '../agents/bounds';
import { errorMessage } from '../base/errorMessage';
import { UsageError } from './cliOptions';

export const MCP_USAGE = `Usage: sideload mcp [options]

A server of the Model Context Protocol over standard input and output, with tools to check, push and debug browser extensions.

Options:
  --root DIR        a folder that the tools may read; may be repeated; at least one is needed
  --service WHERE   local (the default), cloud, or an address; the token of a service is read from SIDELOAD_TOKEN
  --project NAME    the project on the service
  --headless        new browsers have no window
  --data-dir DIR    folder of the local service's data
  --all-pages       agents see all pages of browsers, also files of this machine
`;

/** Reads the arguments of the server; `roots` are absolute. @throws UsageError */
export function readMcpOptions(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        root: { type: 'string', multiple: true, default: [] },
        service: { type: 'string', default: 'local' },
        project: { type: 'string' },
        headless: { type: 'boolean', default: false },
        'data-dir': { type: 'string' },
        'all-pages': { type: 'boolean', default: false },
      },
    });
    const { root, 'data-dir': dataDir, 'all-pages': allPages, ...options } = values;
    if (root.length === 0 || root.includes(''))
      throw new UsageError('Name the folders that the tools may read with --root.');
    return { roots: root.map((one) => resolve(one)), dataDir, allPages, ...options };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(errorMessage(error));
  }
}

/**
 * Finds out which of the roots are no folders, each with a sentence: an editor names the folders of a workspace, of which one may be gone.
 * @throws UsageError when none is a folder
 */
export async function missingRoots(roots: readonly string[]): Promise<string[]> {
  const found = await Promise.all(roots.map((root) => stat(root).catch(() => undefined)));
  const missing = roots.filter((_, index) => found[index]?.isDirectory() !== true);
  const lines = missing.map((root) => `There is no folder ${oneLine(root)}. Name one that exists with --root.`);
  if (missing.length === roots.length) throw new UsageError(lines.join('\n'));
  return lines;
}
