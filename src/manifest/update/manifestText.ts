import { JsonDocument } from '../document';
import { parseJson } from '../json/parse';
import { Text } from '../source/text';

/** A manifest of which only the text is known, such as one from a tag of git; undefined of a text that Chromium cannot read as one. */
export function parsedManifest(content: string | Uint8Array): JsonDocument | undefined {
  const text = new Text(typeof content === 'string' ? Buffer.from(content) : content);
  const result = parseJson(text);
  return 'root' in result && result.root.kind === 'dictionary' ? new JsonDocument(text, result.root) : undefined;
}
