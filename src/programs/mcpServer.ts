import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ErrorCode, type CallToolResult, type Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import { version } from '../../package.json';
import { fieldOf, isObject } from '../base/fields';
import { TOOLS, toolNamed } from '../agents/allTools';
import { runTool } from '../agents/runTool';
import type { Tool, ToolResult, ToolWindow } from '../agents/tool';

/** The `instructions` of the server, which clients give to the model at the start; the rest is in the guide. */
const INSTRUCTIONS =
  'Tools to check, push, prove and debug browser extensions in real browsers. Call get_extension_guide once before you begin. After each edit call push_extension: only the verdict RUNNING is a success.';

/** Names of tools that do not exist are cut in answers, in characters. */
const MAX_NAME_LENGTH = 100;

/** An error of the protocol, with its code of JSON-RPC. */
class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/**
 * A server of the Model Context Protocol with all tools, over a window; it is not connected yet. `calls`: gets the calls of tools that run, which are
 * cancelled when the server is closed, and settle when they have cleaned up.
 */
export function createMcpServer(window: ToolWindow, calls = new Set<Promise<unknown>>()): Server {
  const server = new Server(
    { name: 'sideload', title: 'Sideload', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  // Not by the schemas of the library, which answers "internal error" and a dump of the schema to what they refuse.
  server.fallbackRequestHandler = async ({ method, params }, { signal }) => {
    switch (method) {
      case 'tools/list':
        return { tools: TOOLS.map(described) };
      case 'tools/call': {
        const running = call(params, window, signal);
        calls.add(running);
        return await running.finally(() => calls.delete(running));
      }
      default:
        throw new RpcError(ErrorCode.MethodNotFound, 'Method not found');
    }
  };
  return server;
}

/** @throws RpcError for parameters that no tool gets */
async function call(params: unknown, window: ToolWindow, signal: AbortSignal): Promise<CallToolResult> {
  const name = fieldOf(params, 'name');
  const input = fieldOf(params, 'arguments');
  if (typeof name !== 'string') throw new RpcError(ErrorCode.InvalidParams, '"name" must be the name of a tool.');
  if (input !== undefined && !isObject(input))
    throw new RpcError(ErrorCode.InvalidParams, '"arguments" must be an object.');
  const tool = toolNamed(name);
  if (!tool) return resultOf({ isError: true, text: `There is no tool "${name.slice(0, MAX_NAME_LENGTH)}".` });
  return resultOf(await runTool(tool, input ?? {}, window, signal));
}

function described({ name, title, description, input, effect, isOpenWorld }: Tool): McpTool {
  return {
    name,
    title,
    description,
    inputSchema: { ...input, properties: { ...input.properties }, required: [...(input.required ?? [])] },
    annotations: {
      title,
      readOnlyHint: effect === 'none',
      destructiveHint: effect === 'replaces',
      openWorldHint: isOpenWorld,
    },
  };
}

function resultOf({ isError, text, image }: ToolResult): CallToolResult {
  const picture = image && {
    type: 'image' as const,
    data: Buffer.from(image).toString('base64'),
    mimeType: 'image/png',
  };
  return { isError, content: [{ type: 'text', text }, ...(picture ? [picture] : [])] };
}
