import { createBrowserTool, listBrowsersTool } from './browserTools';
import { consoleTool } from './consoleTool';
import { findingsTool } from './findingTools';
import { guideTool } from './guideTool';
import { TOOL_NAMES, type ToolName } from './toolNames';
import { pushTool, reloadTool } from './pushTools';
import { actTool, screenshotTool } from './screenTools';
import { readStorageTool, writeStorageTool } from './storageTools';
import { surfaceTool } from './surfaceTool';
import type { Tool } from './tool';
import { stopWorkerTool } from './workerTool';

const BY_NAME: Readonly<Record<ToolName, Tool>> = {
  push_extension: pushTool,
  get_extension_findings: findingsTool,
  list_extension_browsers: listBrowsersTool,
  create_extension_browser: createBrowserTool,
  read_extension_console: consoleTool,
  open_extension_surface: surfaceTool,
  screenshot_extension_browser: screenshotTool,
  act_in_extension_browser: actTool,
  get_extension_storage: readStorageTool,
  set_extension_storage: writeStorageTool,
  stop_extension_worker: stopWorkerTool,
  reload_extension: reloadTool,
  get_extension_guide: guideTool,
};

/** All tools, in the order of their names. */
export const TOOLS: readonly Tool[] = TOOL_NAMES.map((name) => BY_NAME[name]);

/** The tool of a name; undefined when there is none. */
export function toolNamed(name: string): Tool | undefined {
  return TOOLS.find((tool) => tool.name === name);
}
