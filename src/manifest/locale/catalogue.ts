import * as l10n from '@vscode/l10n';
import type { JsonPath } from '../finding';
import type { Dictionary, JsonNode } from '../json/node';
import type { Proposal } from '../proposal';
import { isVariableName, replaceVariables, UndefinedVariableError } from './variables';

/** A fault of an entry in a messages.json. */
export interface EntryFault {
  path: JsonPath;
  /** Chromium's text. */
  text: string;
  /** Sideload's. */
  message: string;
  fix?: Proposal;
}

const PLACEHOLDER_MARKS = ['$', '$'] as const;

/**
 * Reads a catalogue: its messages by name in lower case, with their placeholders replaced, and all its faults.
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
    message: l10n.t('The name "{0}" may have only letters a to z, digits and underscores. Rename it.', shown),
    fix: { do: 'rename', to: shown.replaceAll(/[^a-z0-9_]+/gi, '_') },
  };
}

function readEntry(name: string, node: JsonNode): string | EntryFault {
  if (node.kind !== 'dictionary') {
    const message = l10n.t('The message "{0}" has to be an object such as {"message": "Text"}.', name);
    return { path: [name], text: `Not a valid tree for key ${name}.`, message };
  }
  const written = node.members.get('message')?.value;
  if (written?.kind !== 'string') {
    const message = l10n.t('The entry "{0}" has no text. Give it a "message" in quotes.', name);
    return { path: [name, 'message'], text: `There is no "message" element for key ${name}.`, message };
  }
  const placeholders = readPlaceholders(name, node);
  if (!(placeholders instanceof Map)) return placeholders;
  try {
    return replaceVariables(written.value, PLACEHOLDER_MARKS, placeholders);
  } catch (error) {
    if (!(error instanceof UndefinedVariableError)) throw error;
    const message = l10n.t(
      'The message "{0}" uses {1}, which its "placeholders" do not define. Define it, or write $$ for a dollar sign.',
      name,
      error.written,
    );
    return { path: [name, 'message'], text: error.message, message };
  }
}

function readPlaceholders(name: string, entry: Dictionary): Map<string, string> | EntryFault {
  const values = new Map<string, string>();
  const node = entry.members.get('placeholders')?.value;
  if (!node) return values;
  if (node.kind !== 'dictionary') {
    const message = l10n.t('The "placeholders" of "{0}" have to be an object.', name);
    return { path: [name, 'placeholders'], text: `Not a valid "placeholders" element for key ${name}.`, message };
  }
  for (const [placeholder, { value }] of [...node.members].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const path = [name, 'placeholders', placeholder];
    if (!isVariableName(placeholder)) return badName(placeholder, path);
    if (value.kind !== 'dictionary') {
      const message = l10n.t('The placeholder "{0}" of "{1}" has to be an object with a "content".', placeholder, name);
      return { path, text: `Invalid placeholder ${placeholder} for key ${name}`, message };
    }
    const content = value.members.get('content')?.value;
    if (content?.kind !== 'string') {
      const message = l10n.t('The placeholder "{0}" of "{1}" needs a "content" in quotes.', placeholder, name);
      return { path: [...path, 'content'], text: `Invalid "content" element for key ${name}.`, message };
    }
    values.set(placeholder.toLowerCase(), content.value);
  }
  return values;
}
