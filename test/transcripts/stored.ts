import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTranscript, type Transcript, transcriptText } from './transcript';

const FOLDER = join(__dirname, 'recorded');

const parsed = new Map<string, Transcript>();

/** The stored transcript of this name. */
export function readTranscript(name: string): Transcript {
  const known = parsed.get(name);
  if (known) return known;
  const transcript = parseTranscript(readFileSync(fileOf(name), 'utf8'));
  parsed.set(name, transcript);
  return transcript;
}

/** Stores a transcript, in place of an earlier one of this name. */
export function storeTranscript(name: string, transcript: Transcript): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(fileOf(name), transcriptText(transcript));
  parsed.set(name, transcript);
}

function fileOf(name: string): string {
  return join(FOLDER, `${name}.jsonl`);
}
