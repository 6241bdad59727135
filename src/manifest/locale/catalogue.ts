import type { JsonPath } from '../finding';
import type { Dictionary, JsonNode } from '../json/node';
import { isVariableName, replaceVariables, UndefinedVariableError } from './variables';

/** An entry of a messages.json that Chromium refuses. */
export interface EntryFault {
  path: JsonPath;
  /** Chromium's text. */
  text: string;
  /** Ours. */
  message: string;
}

const PLACEHOLDER_MARKS = ['$', '$'] as const;

/**
 * Reads the messages of a catalogue, by their names in lower case, each with its placeholders filled in, and all faults in it.
 * Source: R-LOC-ENTRY, measured on Chromium 156; the checks are those of its MessageBundle.
 */
export function readMessages(root: Dictionary): { messages: Map<string, string>; faults: EntryFault[] } {
  const messages = new Map<string, string>();
  const faults: EntryFault[] = [];
  for (const [name, { value }] of [...root.members].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const read = isVariableName(name) ? readEntry(name, value) : badName(name.toLowerCase(), [name]);
    if (typeof read === 'string') messages.set(name.toLowerCase(), read);
    else faults.push(read);
  }
  return { messages, faults };
}

function badName(shown: string, path: JsonPath): EntryFault {
  return {
    path,
    text: `Name of a key "${shown}" is invalid. Only ASCII [a-z], [A-Z], [0-9] and "_" are allowed.`,
    message: `The name "${shown}" may have only letters a to z, digits and underscores. Rename it.`,
  };
}

function readEntry(name: string, node: JsonNode): string | EntryFault {
  if (node.kind !== 'dictionary') {
    const message = `The message "${name}" has to be an object such as {"message": "Text"}.`;
    return { path: [name], text: `Not a valid tree for key ${name}.`, message };
  }
  const written = node.members.get('message')?.value;
  if (written?.kind !== 'string') {
    const message = `The entry "${name}" has no text. Give it a "message" in quotes.`;
    return { path: [name, 'message'], text: `There is no "message" element for key ${name}.`, message };
  }
  const placeholders = readPlaceholders(name, node);
  if (!(placeholders instanceof Map)) return placeholders;
  try {
    return replaceVariables(written.value, PLACEHOLDER_MARKS, placeholders);
  } catch (error) {
    if (!(error instanceof UndefinedVariableError)) throw error;
    const message = `The message "${name}" uses ${error.written}, which its "placeholders" do not define. Define it, or write $$ for a dollar sign.`;
    return { path: [name, 'message'], text: error.message, message };
  }
}

function readPlaceholders(name: string, entry: Dictionary): Map<string, string> | EntryFault {
  const values = new Map<string, string>();
  const node = entry.members.get('placeholders')?.value;
  if (!node) return values;
  if (node.kind !== 'dictionary') {
    const message = `The "placeholders" of "${name}" have to be an object.`;
    return { path: [name, 'placeholders'], text: `Not a valid "placeholders" element for key ${name}.`, message };
  }
  for (const [placeholder, { value }] of [...node.members].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const path = [name, 'placeholders', placeholder];
    if (!isVariableName(placeholder)) return badName(placeholder, path);
    if (value.kind !== 'dictionary') {
      const message = `The placeholder "${placeholder}" of "${name}" has to be an object with a "content".`;
      return { path, text: `Invalid placeholder ${placeholder} for key ${name}`, message };
    }
    const content = value.members.get('content')?.value;
    if (content?.kind !== 'string') {
      const message = `The placeholder "${placeholder}" of "${name}" needs a "content" in quotes.`;
      return { path: [...path, 'content'], text: `Invalid "content" element for key ${name}.`, message };
    }
    values.set(placeholder.toLowerCase(), content.value);
  }
  return values;
}
