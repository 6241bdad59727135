/** Markup that is already safe to put into a page. */
export class Html {
  constructor(readonly text: string) {}
}

/**
 * Builds markup. Inserted values are escaped for text and quoted attributes; markup built by this function, and lists of it, are
 * inserted unchanged.
 */
export function html(parts: TemplateStringsArray, ...values: (Html | readonly Html[] | string | number)[]): Html {
  const pieces = parts.map((part, index) => part + (index < values.length ? rendered(values[index]) : ''));
  return new Html(pieces.join(''));
}

function rendered(value: Html | readonly Html[] | string | number | undefined): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value?.map(({ text }) => text).join('') ?? '';
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
