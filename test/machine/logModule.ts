/**
 * Writes VS Code's log files, in the place of the compiled module `@vscode/spdlog` that a server installed without
 * install scripts lacks. Without one, output channels of extensions stay empty. It has the functions that VS Code
 * calls (the module's `index.d.ts`); files are not rotated, since no run fills one.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'] as const;
type Level = (typeof LEVELS)[number];

export const version = 0;

/** One log file. Levels are positions in `LEVELS`. */
export class Logger {
  readonly #file: string;
  #level = LEVELS.indexOf('info');
  #formatted = true;

  constructor(_type: string, _name: string, file: string) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true });
  }

  trace(message: string): void {
    this.#write('trace', message);
  }

  debug(message: string): void {
    this.#write('debug', message);
  }

  info(message: string): void {
    this.#write('info', message);
  }

  warn(message: string): void {
    this.#write('warning', message);
  }

  error(message: string): void {
    this.#write('error', message);
  }

  critical(message: string): void {
    this.#write('critical', message);
  }

  getLevel(): number {
    return this.#level;
  }

  setLevel(level: number): void {
    this.#level = level;
  }

  /** VS Code knows one pattern: date, time with milliseconds, level, text. */
  setPattern(_pattern: string): void {
    this.#formatted = true;
  }

  /** From here on messages are written as they are; the caller ends its lines. */
  clearFormatters(): void {
    this.#formatted = false;
  }

  /** Nothing is held back. */
  flush(): void {
    return;
  }

  drop(): void {
    this.#level = LEVELS.indexOf('off');
  }

  #write(level: Level, message: string): void {
    if (LEVELS.indexOf(level) < this.#level) return;
    appendFileSync(this.#file, this.#formatted ? `${timestamp(new Date())} [${level}] ${message}\n` : message);
  }
}

/** There is one level per logger; a common one is not kept. */
export function setLevel(_level: number): void {
  return;
}

/** Every message is written at once. */
export function setFlushOn(_level: number): void {
  return;
}

export function createRotatingLogger(name: string, file: string): Promise<Logger> {
  return Promise.resolve(new Logger('rotating', name, file));
}

export function createAsyncRotatingLogger(name: string, file: string): Promise<Logger> {
  return Promise.resolve(new Logger('rotating_async', name, file));
}

function timestamp(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return `${day} ${time}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}
