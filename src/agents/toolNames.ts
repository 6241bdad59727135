/** The names of all tools, in the order of their list. */
export const TOOL_NAMES = [
  'push_extension',
  'get_extension_findings',
  'list_extension_browsers',
  'create_extension_browser',
  'read_extension_console',
  'open_extension_surface',
  'screenshot_extension_browser',
  'act_in_extension_browser',
  'get_extension_storage',
  'set_extension_storage',
  'stop_extension_worker',
  'reload_extension',
  'get_extension_guide',
] as const;

export type ToolName = (typeof TOOL_NAMES)[number];
