import { TOOLS } from '../../src/agents/allTools';

/** The entries of the tools for agents in package.json, which VS Code reads before it loads Sideload. In English: models read them. */
export function agentContributions(): object[] {
  return TOOLS.map(({ name, title, description, input, isReadOnly }) => ({
    name,
    displayName: title,
    toolReferenceName: name,
    canBeReferencedInPrompt: true,
    tags: ['browser-extension', ...(isReadOnly ? ['read-only'] : [])],
    userDescription: description.split(/(?<=\.) /, 1)[0],
    modelDescription: description,
    icon: '$(extensions)',
    inputSchema: input,
  }));
}
