import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from './cliOptions';

export const MCP_USAGE = `Usage: node mcp.js [options]

A server of the Model Context Protocol over standard input and output, with tools to check, push and debug browser extensions.

Options:
  --root DIR        a folder that the tools may read; may be repeated; at least one is needed
  --service WHERE   local (the default), cloud, or an address; the token of a service is read from SIDELOAD_TOKEN
  --project NAME    the project on the service
  --headless        new browsers have no window
  --data-dir DIR    folder of the local service's data
  --all-pages       agents see all pages of browsers, also files of this machine
`;

/** A command line of the server. */
export interface McpOptions {
  /** Absolute. */
  roots: readonly string[];
  service: string;
  project: string | undefined;
  headless: boolean;
  dataDir: string | undefined;
  /** Whether agents may see all pages of browsers. */
  allPages: boolean;
}

/** Reads the arguments of the server. @throws UsageError */
export function readMcpOptions(args: readonly string[]): McpOptions {
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
    if (values.root.length === 0) throw new UsageError('Name the folders that the tools may read with --root.');
    return {
      roots: values.root.map((root) => resolve(root)),
      service: values.service,
      project: values.project,
      headless: values.headless,
      dataDir: values['data-dir'],
      allPages: values['all-pages'],
    };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
