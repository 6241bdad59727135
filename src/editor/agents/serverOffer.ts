/**
 * Whether a window offers the MCP server: it would read whatever lies in the folders, and push it, so only where the person trusts them, and
 * where there is a folder that it may read.
 */
export function isServerOffered(isTrusted: boolean, folders: readonly string[]): boolean {
  return isTrusted && folders.length > 0;
}
