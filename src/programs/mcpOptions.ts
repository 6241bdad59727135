import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from './cliOptions';

export const MCP_USAGE = `Usage: node mcp.js [options]

A server of the Model Context Protocol over standard input and output, with tools to check, push and debug browser extensions.

Options:
  --root DIR        a folder that the tools may read; may be repeated; the current folder by default
  --service WHERE   local (the default), cloud, or an address; the token of a service is read from SIDELOAD_TOKEN
  --project NAME    the project on the service
  --headless        new browsers have no window
  --data-dir DIR    folder of the local service's data
`;

/** A command line of the server. */
export interface McpOptions {
  /** Absolute. */
  roots: readonly string[];
  service: string;
  project: string | undefined;
  headless: boolean;
  dataDir: string | undefined;
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
      },
    });
    const roots = values.root.length === 0 ? ['.'] : values.root;
    return {
      roots: roots.map((root) => resolve(root)),
      service: values.service,
      project: values.project,
      headless: values.headless,
      dataDir: values['data-dir'],
    };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
