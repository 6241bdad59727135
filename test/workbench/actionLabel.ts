/** Matches the spoken label of an action: its title, alone or with the keys in brackets that VS Code adds to it. */
export function actionLabel(title: string): RegExp {
  const literal = title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${literal}( \\(.+\\))?$`);
}
