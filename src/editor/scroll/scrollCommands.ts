import * as l10n from '@vscode/l10n';
import type { Disposable } from 'vscode';
import { COMMANDS } from '../../ids';
import { DEFAULT_VIEWPORT, type BrowserSession } from '../../service/model';
import type { BrowserParts } from '../browsers/browserParts';
import { pickBrowser } from '../browsers/pickBrowser';
import { findTarget } from '../browsers/target';
import { itemOf } from '../lists/row';
import { ScrollPanel } from './scrollPanel';

/** Wheel ticks of one scroll command. */
const TICKS_PER_COMMAND = 3;

/** Scroll controls: one panel per browser, and commands that turn the wheel without it. */
export class ScrollCommands implements Disposable {
  readonly handlers = {
    [COMMANDS.openScroll]: (row: unknown) => this.open(row),
    [COMMANDS.scrollUp]: () => this.turn(0, -1),
    [COMMANDS.scrollDown]: () => this.turn(0, 1),
    [COMMANDS.scrollLeft]: () => this.turn(-1, 0),
    [COMMANDS.scrollRight]: () => this.turn(1, 0),
  };
  readonly #parts: BrowserParts;
  readonly #panels = new Map<string, ScrollPanel>();

  constructor(parts: BrowserParts) {
    this.#parts = parts;
  }

  /** Opens the panel of the row's browser, else of the push target, else of one that the user picks. */
  async open(argument: unknown): Promise<void> {
    const session = itemOf(argument, 'browser') ?? (await this.#target());
    if (!session) return;
    const id = session.session_id;
    const open = this.#panels.get(id);
    if (open) {
      open.reveal();
      return;
    }
    const { connection, log, context } = this.#parts;
    const panel = new ScrollPanel({
      session,
      connection,
      log,
      extensionUri: context.extensionUri,
      choose: () => pickBrowser(connection, l10n.t('Select the browser to scroll')),
      onClosed: () => this.#panels.delete(id),
    });
    this.#panels.set(id, panel);
  }

  /** Turns the wheel of the push target at the centre of its screen; `right` and `down` are -1, 0 or 1. */
  async turn(right: number, down: number): Promise<void> {
    const session = await this.#target();
    if (!session) return;
    const { width, height } = session.viewport ?? DEFAULT_VIEWPORT;
    const client = await this.#parts.connection.client();
    await client.scroll(session.session_id, {
      x: Math.floor(width / 2),
      y: Math.floor(height / 2),
      delta_x: right * TICKS_PER_COMMAND,
      delta_y: down * TICKS_PER_COMMAND,
    });
    this.#panels.get(session.session_id)?.refresh();
  }

  dispose(): void {
    for (const panel of [...this.#panels.values()]) panel.dispose();
  }

  async #target(): Promise<BrowserSession | undefined> {
    const { connection, target } = this.#parts;
    return (
      (await findTarget(await connection.client(), target)) ??
      (await pickBrowser(connection, l10n.t('Select the browser to scroll')))
    );
  }
}
