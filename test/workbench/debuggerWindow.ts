import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually';
import { DEBUGGER } from './phrases';
import type { Workbench } from './workbench';

/** Longest time from F5 to a stop, in milliseconds: a browser is started, and the extension pushed. */
const STOP_LIMIT_MS = 90_000;

/** Longest time until the view of variables has one, and after which a key that opens a row was lost, in milliseconds. */
const VARIABLE_LIMIT_MS = 60_000;
const REDRAW_MS = 3000;

/** A worker with a function that has a local variable and is called at its start. */
export const DEBUGGED_WORKER = `globalThis.add = (a) => {
  const sum = a + 1;
  return sum;
};
globalThis.first = add(41);
`;

/** The line in the function that returns its local variable. */
export const DEBUGGED_LINE = 3;

/** VS Code's debugger in the window, used by the keyboard alone. */
export class DebuggerWindow {
  constructor(private readonly workbench: Workbench) {}

  /** Sets or removes a breakpoint. */
  async toggleBreakpoint(file: string, line: number): Promise<void> {
    await this.workbench.editors.open(file);
    await this.#press('Control+g');
    await this.workbench.quickInput.answer(`:${line}`);
    await this.#press('F9');
  }

  /** Starts to debug the extension of the window, which has no launch.json, so that VS Code asks for the debugger. */
  async start(): Promise<void> {
    await this.#press('F5');
    await this.workbench.quickInput.opened();
    await this.workbench.quickInput.answer(DEBUGGER);
  }

  /** Waits until the debugger stands at a line of the file in the editor. */
  async stands(line: number): Promise<void> {
    await this.#frameLine().waitFor({ timeout: STOP_LIMIT_MS });
    const place = this.workbench.page.getByRole('button', { name: new RegExp(`Ln ${line}, Col`) });
    await place.first().waitFor();
  }

  /** Waits for a local variable with this value. */
  async shows(name: string, value: string): Promise<void> {
    const rows = this.workbench.page.getByRole('treeitem');
    await this.workbench.command('Run and Debug: Focus on Variables View');
    const locals = rows.filter({ hasText: /^Local/ }).first();
    await locals.waitFor();
    const variable = rows.filter({ hasText: new RegExp(`^${name}\\s*=\\s*${value}$`) }).first();
    // VS Code may draw the tree again, with closed rows, after a key has opened one.
    await eventually(
      `${name} is ${value}`,
      () => variable.isVisible(),
      VARIABLE_LIMIT_MS,
      async () => {
        await this.#press('Home');
        if ((await locals.getAttribute('aria-expanded')) === 'false') await this.#press('ArrowRight');
        await variable.waitFor({ timeout: REDRAW_MS }).catch(() => undefined);
      },
    );
  }

  /** Runs to the end of the function, and stands in its caller. */
  async stepOut(): Promise<void> {
    await this.#press('Shift+F11');
  }

  /** Lets the worker go on. */
  async goOn(): Promise<void> {
    await this.#press('F5');
    await this.#frameLine().waitFor({ state: 'detached' });
  }

  /** Ends debugging. */
  async stop(): Promise<void> {
    await this.#press('Shift+F5');
    await this.workbench.page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
  }

  #press(keys: string): Promise<void> {
    return this.workbench.page.keyboard.press(keys);
  }

  #frameLine(): Locator {
    return this.workbench.page.locator('.monaco-editor .debug-top-stack-frame-line').first();
  }
}
