/** Runs in an extension host: activates Sideload and an empty extension, and appends how long each took, in milliseconds. */
import { appendFileSync } from 'node:fs';
import { extensions } from 'vscode';
import { EXTENSION_ID } from '../../src/ids';
import { EMPTY_EXTENSION_ID, TIMES_ENV, type ActivationLine, type ActivationTimes } from './activationTimes';

async function activate(id: string): Promise<number> {
  const extension = extensions.getExtension(id);
  if (!extension || extension.isActive) throw new Error(`${id} is not there, or active already`);
  const started = performance.now();
  await extension.activate();
  return performance.now() - started;
}

/** Called by VS Code. Which extension is activated first changes at random. */
export async function run(): Promise<void> {
  const file = process.env[TIMES_ENV];
  if (file === undefined) throw new Error(`${TIMES_ENV} is not set`);
  const line = await measure().catch((error: unknown): ActivationLine => ({ error: String(error) }));
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

async function measure(): Promise<ActivationTimes> {
  if (Math.random() < 0.5) {
    const sideload = await activate(EXTENSION_ID);
    return { sideload, empty: await activate(EMPTY_EXTENSION_ID) };
  }
  const empty = await activate(EMPTY_EXTENSION_ID);
  return { sideload: await activate(EXTENSION_ID), empty };
}
