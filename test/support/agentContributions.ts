import { TOOLS } from '../../src/agents/allTools';

/**
 * The entries of the tools for agents in package.json, which VS Code reads before it loads Sideload. In English, because models read them; what
 * people read is in package.nls.json.
 */
export function agentContributions(): object[] {
  return TOOLS.map(({ name, description, input, effect }) => ({
    name,
    displayName: `%tool.${name}.title%`,
    toolReferenceName: name,
    canBeReferencedInPrompt: true,
    tags: ['browser-extension', ...(effect === 'none' ? ['read-only'] : [])],
    userDescription: `%tool.${name}%`,
    modelDescription: description,
    icon: '$(extensions)',
    inputSchema: input,
  }));
}

/** The English texts of these entries that people read, by their names in package.nls.json. */
export function agentTexts(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    TOOLS.flatMap(({ name, title, description }) => [
      [`tool.${name}.title`, title],
      [`tool.${name}`, description.split(/(?<=\.) /, 1)[0] ?? ''],
    ]),
  );
}
