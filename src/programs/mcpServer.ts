import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolResult,
  type Tool as McpTool,
} from '@modelcontextprotocol/sdk/types.js';
import { version } from '../../package.json';
import { TOOLS, toolNamed } from '../tools/all';
import { runTool } from '../tools/run';
import type { Tool, ToolResult, ToolWindow } from '../tools/tool';

/** The `instructions` of the server, which clients give to the model at the start; the rest is in the guide. */
const INSTRUCTIONS =
  'Tools to check, push, prove and debug browser extensions in real browsers. Call get_extension_guide once before you begin. After each edit call push_extension: only the verdict RUNNING is a success.';

/** A server of the Model Context Protocol with all tools, over a window; it is not connected yet. */
export function createMcpServer(window: ToolWindow): Server {
  const server = new Server(
    { name: 'sideload', title: 'Sideload', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS.map(described) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = toolNamed(params.name);
    if (!tool) return resultOf({ isError: true, text: `There is no tool "${params.name.slice(0, 100)}".` });
    return resultOf(await runTool(tool, params.arguments ?? {}, window, signal));
  });
  return server;
}

function described({ name, title, description, input, isReadOnly, isDestructive, isOpenWorld }: Tool): McpTool {
  return {
    name,
    title,
    description,
    inputSchema: { ...input, properties: { ...input.properties }, required: [...(input.required ?? [])] },
    annotations: { title, readOnlyHint: isReadOnly, destructiveHint: isDestructive, openWorldHint: isOpenWorld },
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
