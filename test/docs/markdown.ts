/** A table in Markdown; a row with fewer cells than the head is filled up. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${head.map((_, at) => cell(cells[at] ?? '')).join(' | ')} |`;
  return [line(head), `| ${head.map(() => '---').join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** A text as a cell of a table, on one line. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}

/** A text between marks of code, whatever it holds. */
export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** A block of code. */
export function block(text: string, language = ''): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

/** A page of the reference, which says that it is generated. */
export function page(title: string, parts: readonly string[]): string {
  return `${[`# ${title}`, '<!-- Written by `npm run docs` from the code. Change the code instead. -->', ...parts].join('\n\n')}\n`;
}
