import { commands, Disposable, languages, window, type Uri } from 'vscode';
import { CONTEXT } from '../ids';

/**
 * Says when the walkthrough may be shown, so that its steps are ticked that were done before it was opened: VS Code takes a context that is
 * true when it reads the walkthrough for an event that it has seen, and never ticks the step (1.139, `registerDoneListeners` of its getting
 * started service). So each step waits for a second context, which becomes true afterwards. VS Code notes no command and no view before it has
 * read the walkthrough, so that no event of the Problems panel says that it was looked at before: the step about it is done, too, when a file
 * was in sight that has an entry of Sideload.
 */
export class Walkthrough implements Disposable {
  readonly #tabs: Disposable;
  readonly #findings: Disposable;
  #isShown = false;

  /** `source`: that of Sideload's entries in the Problems panel. */
  constructor(private readonly source: string) {
    this.#tabs = window.tabGroups.onDidChangeTabs(() => {
      this.#update();
    });
    this.#findings = Disposable.from(
      languages.onDidChangeDiagnostics(({ uris }) => {
        this.#noteFindings(uris);
      }),
      window.onDidChangeVisibleTextEditors(() => {
        this.#noteFindings();
      }),
    );
    this.#update();
  }

  dispose(): void {
    this.#tabs.dispose();
    this.#findings.dispose();
  }

  /** Notes that a file is in sight that has an entry of Sideload; `changed`: the files whose entries have changed, all without it. */
  #noteFindings(changed?: readonly Uri[]): void {
    const uris = new Set(changed?.map(String));
    const visible = window.visibleTextEditors.map(({ document }) => document.uri);
    const isShown = visible
      .filter((uri) => !changed || uris.has(uri.toString()))
      .some((uri) => languages.getDiagnostics(uri).some(({ source }) => source === this.source));
    if (!isShown) return;
    this.#findings.dispose();
    void commands.executeCommand('setContext', CONTEXT.hasShownFinding, true);
  }

  #update(): void {
    // VS Code reports to extensions nothing of the input of its own pages.
    const isShown = window.tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => input === undefined));
    if (isShown === this.#isShown) return;
    this.#isShown = isShown;
    void commands.executeCommand('setContext', CONTEXT.showsWalkthrough, isShown);
  }
}
