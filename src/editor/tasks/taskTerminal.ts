import { EventEmitter, type Pseudoterminal } from 'vscode';
import { terminalText } from '../plainText';

/** What a task does: prints lines and resolves to its exit code. Rejects with what is shown as its error. */
export type TaskRun = (print: (line: string) => void, signal: AbortSignal) => Promise<number>;

/** The terminal of a task that runs in the extension host. */
export class TaskTerminal implements Pseudoterminal {
  readonly #written = new EventEmitter<string>();
  readonly onDidWrite = this.#written.event;
  readonly #closed = new EventEmitter<number>();
  readonly onDidClose = this.#closed.event;
  readonly #stop = new AbortController();

  /** `failed`: what is printed for an error, and the exit code. */
  constructor(
    private readonly run: TaskRun,
    private readonly failed: (error: unknown) => { text: string; code: number },
  ) {}

  open(): void {
    void this.#run();
  }

  close(): void {
    this.#stop.abort();
  }

  async #run(): Promise<void> {
    const print = (text: string): void => this.#written.fire(`${terminalText(text)}\r\n`);
    let code: number;
    try {
      code = await this.run(print, this.#stop.signal);
    } catch (error) {
      const end = this.failed(error);
      print(end.text);
      code = end.code;
    }
    this.#closed.fire(code);
  }
}
