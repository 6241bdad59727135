import { window, workspace, type Disposable } from 'vscode';
import type { ConsoleLevel, ConsoleLine } from '../../console/consoleLine';
import type { Browser } from '../../service/model';
import { browserLabel } from '../lists/labels';
import type { Log } from '../channelLog';
import { plainText } from '../plainText';
import { prefixOf, type NamedRoot } from './consoleLocations';

/** The name of the output channel. */
export const CHANNEL = 'Sideload Console';

/** A console that is attached to its browser. */
interface Attached {
  /** Whether it is of this extension in the browser with this id of the service in use. */
  isOf: (browserId: string, extensionId: string) => boolean;
}

/** The output channel with what the pushed extensions write in their browsers. It is created with its first line. */
export class ConsoleOutput implements Disposable {
  #channel: Log | undefined;
  readonly #attached = new Set<Attached>();

  constructor(private readonly log: Log) {}

  /** Whether anything was written yet. */
  get exists(): boolean {
    return this.#channel !== undefined;
  }

  /** Whether the Output panel shows the channel. */
  get isVisible(): boolean {
    // The address of the document contains the name, in VS Code 1.139 before `.log`.
    return window.visibleTextEditors.some(
      ({ document: { uri } }) => uri.scheme === 'output' && uri.path.includes(CHANNEL),
    );
  }

  /** Shows the channel without taking the focus. */
  show(): void {
    this.#open().show();
  }

  /** A console is attached to its browser from now on, or no longer. */
  setAttached(session: Attached, isAttached: boolean): void {
    if (isAttached) this.#attached.add(session);
    else this.#attached.delete(session);
  }

  /** What paths below a workspace folder begin with in the lines: nothing where it is the only one. */
  prefixOf(root: string): string {
    return prefixOf(root, namedRoots());
  }

  write(browser: Browser, { level, context, text, at, isEarlier = false }: ConsoleLine): void {
    const source = [browserLabel(browser), ...(context === '' ? [] : [context])].map(plainText).join(' · ');
    const time = isEarlier ? `[${timeText(at)}] ` : '';
    this.#open()[level](`${source}: ${time}${text}`);
  }

  /** Writes a line about the console of a browser itself. */
  note(browser: Browser, level: ConsoleLevel, text: string): void {
    this.write(browser, { level, context: '', text, at: Date.now() });
  }

  /** Whether the console of an extension in a browser of the service in use is attached, and so writes its errors, too. */
  isAttached(browserId: string, extensionId: string): boolean {
    return [...this.#attached].some((session) => session.isOf(browserId, extensionId));
  }

  dispose(): void {
    this.#channel?.dispose();
  }

  #open(): Log {
    this.#channel ??= this.log.openChannel(CHANNEL);
    return this.#channel;
  }
}

/** The workspace folders of the window. */
export function namedRoots(): NamedRoot[] {
  return (workspace.workspaceFolders ?? []).map(({ name, uri }) => ({ name, root: uri.fsPath }));
}

/** A time of day as the channel writes it. */
function timeText(at: number): string {
  const date = new Date(at);
  const numbers = [date.getHours(), date.getMinutes(), date.getSeconds()].map((number) =>
    String(number).padStart(2, '0'),
  );
  return `${numbers.join(':')}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}
