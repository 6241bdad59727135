import { commands, window, type Disposable } from 'vscode';
import { CONTEXT } from '../ids';

/**
 * Says when the walkthrough may be shown, so that its steps are ticked that were done before it was opened: VS Code takes a context that is
 * true when it reads the walkthrough for an event that it has seen, and never ticks the step (1.139, `registerDoneListeners` of its getting
 * started service). So each step waits for a second context, which becomes true afterwards.
 */
export class Walkthrough implements Disposable {
  readonly #subscription: Disposable;
  #isShown = false;

  constructor() {
    this.#subscription = window.tabGroups.onDidChangeTabs(() => {
      this.#look();
    });
    this.#look();
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #look(): void {
    // VS Code tells extensions nothing of the input of its own pages.
    const isShown = window.tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => input === undefined));
    if (isShown === this.#isShown) return;
    this.#isShown = isShown;
    void commands.executeCommand('setContext', CONTEXT.showsWalkthrough, isShown);
  }
}
