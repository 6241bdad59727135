import { window, type Disposable } from 'vscode';
import type { Logger } from '../service/logger';
import { redact } from '../service/redact';
import { plainLines } from './plainText';

/** Sideload's output channel. Everything that is written to it is redacted, and no line of others looks like an entry of its own. */
export interface Log extends Logger, Disposable {
  /** Shows the channel without taking the focus. */
  show(): void;
  /** Keeps `secret` out of every later line. */
  hide(secret: string): void;
  /** Opens another output channel, which is redacted in the same way. */
  openChannel(name: string): Log;
}

export function createLog(name = 'Sideload', secrets = new Set<string>()): Log {
  // oxlint-disable-next-line no-restricted-properties -- the helper of this sink
  const channel = window.createOutputChannel(name, { log: true });
  const clean = (text: string): string => plainLines(redact(text, secrets));
  return {
    trace: (text) => channel.trace(clean(text)),
    debug: (text) => channel.debug(clean(text)),
    info: (text) => channel.info(clean(text)),
    warn: (text) => channel.warn(clean(text)),
    error: (text) => channel.error(clean(text)),
    show: () => channel.show(true),
    hide: (secret) => secrets.add(secret),
    openChannel: (other) => createLog(other, secrets),
    dispose: () => channel.dispose(),
  };
}
