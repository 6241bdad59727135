// Covers: test/fixtures/manifest
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsedManifest } from '../../src/manifest/update/manifestText';
import { permissionChange } from '../../src/manifest/update/permissionChange';
import { isObject, textField } from '../../src/base/fields';
import { ROOT } from '../support/paths';
import { namedPairs, randomPairs } from './updatePairs';
import { judgeUpdates, type UpdatePair, type UpdateVerdict } from './updates';

/** A pair with what Chromium did when one version became the other. */
export interface JudgedUpdate extends UpdatePair {
  verdict: UpdateVerdict;
}

const FILE = join(ROOT, 'test', 'fixtures', 'manifest', 'updates.jsonl');

const RANDOM_PAIRS = 160;
const SEED = 33;

/** The verdicts that were recorded of Chromium, a line each. */
export function recordedUpdates(): JudgedUpdate[] {
  const lines = readFileSync(FILE, 'utf8').split('\n');
  return lines.flatMap((line): JudgedUpdate[] => (line === '' ? [] : [judgedUpdate(JSON.parse(line))]));
}

function judgedUpdate(value: unknown): JudgedUpdate {
  if (!isObject(value)) throw new Error('A line of the recorded updates is no object.');
  const { before, after } = value;
  const verdict = textField(value, 'verdict');
  if (!isObject(before) || !isObject(after) || (verdict !== 'asked' && verdict !== 'silent'))
    throw new Error('A line of the recorded updates lacks a part.');
  return { name: textField(value, 'name'), before, after, verdict };
}

/** Our verdict on an update. */
export function ourVerdict({ before, after }: UpdatePair): UpdateVerdict {
  const [old, next] = [before, after].map((manifest) => parsedManifest(JSON.stringify(manifest)));
  if (!old || !next) throw new Error('A manifest of a pair cannot be read.');
  return permissionChange(old, next).isAskedAgain ? 'asked' : 'silent';
}

/** Asks the installed Chromium about all pairs, and says where it differs; how many do. */
export async function compareUpdates(options: { record: boolean; say: (line: string) => void }): Promise<number> {
  const pairs = [...namedPairs(), ...randomPairs(RANDOM_PAIRS, SEED)];
  const verdicts = await judgeUpdates(pairs);
  const judged = pairs.map((pair, index): JudgedUpdate => ({ ...pair, verdict: verdicts[index] ?? 'refused' }));
  if (options.record) writeFileSync(FILE, judged.map((update) => `${JSON.stringify(update)}\n`).join(''));
  const different = judged.filter((update) => ourVerdict(update) !== update.verdict);
  for (const update of different) options.say(`${update.name}: Chromium ${update.verdict}, ours ${ourVerdict(update)}`);
  options.say(`updates: ${judged.length - different.length} of ${judged.length} agree`);
  return different.length;
}
