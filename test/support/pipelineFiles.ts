// Covers: .github
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isObject, textField } from '../../src/base/fields';
import { ROOT } from './paths';

/** A step that runs a script in a shell. */
export interface ShellStep {
  /** Its name, else the script. */
  readonly name: string;
  readonly script: string;
  /** The variables of its environment, with expressions such as `${{ inputs.folder }}`. */
  readonly env: Readonly<Record<string, string>>;
}

/** A file of a pipeline, by its path from the root of the repository. Throws when it is no YAML with named fields. */
export function pipelineFile(path: string): Record<string, unknown> {
  const content: unknown = parse(readFileSync(join(ROOT, path), 'utf8'));
  if (!isObject(content)) throw new Error(`${path} has no fields.`);
  return content;
}

/** All steps within a value that run a script, in their order. */
export function shellSteps(value: unknown): ShellStep[] {
  if (Array.isArray(value)) return value.flatMap(shellSteps);
  if (!isObject(value)) return [];
  const script = textField(value, 'run');
  if (script === '') return Object.values(value).flatMap(shellSteps);
  const env = isObject(value['env']) ? value['env'] : {};
  const texts = Object.fromEntries(Object.entries(env).map(([name, text]): [string, string] => [name, String(text)]));
  return [{ name: textField(value, 'name') || script, script, env: texts }];
}

/** A text whose expressions are replaced by their values, such as `inputs.folder`. Throws for one without a value. */
export function evaluated(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{\{\s*([\w.-]+)\s*\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${name} has no value.`);
    return value;
  });
}
