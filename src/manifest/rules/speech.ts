import * as l10n from '@vscode/l10n';
import type { JsonPath } from '../finding';
import type { Dictionary, JsonNode } from '../json/node';
import { isLocaleSyntax } from '../locale/localeNames';
import { invalidValue, refusal } from '../refusal';
import { keyRule, type Report } from '../rule';
import { WANTED, type Wanted } from '../wanted';

const EVENT_TYPES: ReadonlySet<string> = new Set(['end', 'error', 'marker', 'sentence', 'start', 'word']);

/** Limits of what an engine may declare, in samples per second and samples. */
const SAMPLE_RATE = { min: 3000, max: 768_000 };
const BUFFER_SIZE = { min: 1, max: 768_000 };

/** R-TTS: voices of a speech engine. Measured on Chromium 156. */
export const speechEngineRule = keyRule('R-TTS', 'tts_engine', (engine) => {
  if (engine.kind !== 'dictionary') return invalid('', WANTED.object, []);
  const voices = engine.members.get('voices')?.value;
  if (!voices) return [];
  if (voices.kind !== 'list') return invalid('.voices', WANTED.voices, ['voices']);
  const reports = voices.items.flatMap((voice, index) =>
    voice.kind === 'dictionary'
      ? checkVoice(voice, ['voices', index])
      : [invalid('.voices', WANTED.voices, ['voices', index])],
  );
  return [...reports, ...checkNumbers(engine)];
});

function invalid(key: string, wanted: Wanted, path: JsonPath): Report {
  return invalidValue(`tts_engine${key}`, wanted, ['tts_engine', ...path]);
}

function wantedEventTypes(key: string): string {
  return l10n.t('"{0}" has to be a list of {1}, each once.', key, [...EVENT_TYPES].join(', '));
}

function checkVoice(voice: Dictionary, path: JsonPath): Report[] {
  const wrong = (name: string, wanted: Wanted, isRight: (node: JsonNode) => boolean): Report[] => {
    const node = voice.members.get(name)?.value;
    return node && !isRight(node) ? [invalid(`.voices[*].${name}`, wanted, [...path, name])] : [];
  };
  return [
    ...wrong('voice_name', WANTED.string, ({ kind }) => kind === 'string'),
    ...wrong('lang', WANTED.language, (node) => node.kind === 'string' && isLocaleSyntax(node.value)),
    ...wrong('remote', WANTED.boolean, ({ kind }) => kind === 'boolean'),
    ...wrong('event_types', wantedEventTypes, isEventTypes),
  ];
}

function isEventTypes(node: JsonNode): boolean {
  if (node.kind !== 'list') return false;
  const names = node.items.flatMap((item) =>
    item.kind === 'string' && EVENT_TYPES.has(item.value) ? [item.value] : [],
  );
  return names.length === node.items.length && new Set(names).size === names.length;
}

function checkNumbers(engine: Dictionary): Report[] {
  const rate = engine.members.get('sample_rate')?.value;
  const size = engine.members.get('buffer_size')?.value;
  const reports = [...checkNumber('sample_rate', rate, SAMPLE_RATE), ...checkNumber('buffer_size', size, BUFFER_SIZE)];
  if (reports.length > 0 || Boolean(rate) === Boolean(size)) return reports;
  const text = 'Invalid tts_engine: requires both sample_rate and buffer_size if either is specified.';
  return [refusal(text, l10n.t('"sample_rate" and "buffer_size" go together. Add the other one.'), ['tts_engine'])];
}

function checkNumber(name: string, node: JsonNode | undefined, { min, max }: { min: number; max: number }): Report[] {
  if (!node) return [];
  const path = ['tts_engine', name];
  if (node.kind !== 'integer') {
    return [
      refusal(
        `Invalid format for tts_engine.${name}: expected integer.`,
        l10n.t('"{0}" has to be a whole number.', name),
        path,
      ),
    ];
  }
  if (node.value >= min && node.value <= max) return [];
  const text = `Invalid tts_engine.${name}: out of range. Expected ${name} >= ${min} and ${name} <= ${max}.`;
  return [refusal(text, l10n.t('"{0}" has to be from {1} to {2}.', name, min, max), path)];
}
