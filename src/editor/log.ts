import { window, type Disposable } from 'vscode';
import type { Logger } from '../service/log';
import { redact } from '../service/redact';

/** Sideload's output channel. Everything that is written to it is redacted. */
export interface Log extends Logger, Disposable {
  /** Shows the channel without taking the focus. */
  show(): void;
  /** Keeps `secret` out of every later line. */
  hide(secret: string): void;
}

export function createLog(): Log {
  const channel = window.createOutputChannel('Sideload', { log: true });
  const secrets = new Set<string>();
  const clean = (text: string): string => redact(text, secrets);
  return {
    trace: (text) => {
      channel.trace(clean(text));
    },
    debug: (text) => {
      channel.debug(clean(text));
    },
    info: (text) => {
      channel.info(clean(text));
    },
    warn: (text) => {
      channel.warn(clean(text));
    },
    error: (text) => {
      channel.error(clean(text));
    },
    show: () => {
      channel.show(true);
    },
    hide: (secret) => {
      secrets.add(secret);
    },
    dispose: () => {
      channel.dispose();
    },
  };
}
