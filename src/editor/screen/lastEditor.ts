import { commands, window, type Disposable, type TextEditor } from 'vscode';

/** Remembers the text editor that was active last, so that the focus can go back to it from a panel. */
export class LastEditor implements Disposable {
  #last: TextEditor | undefined;
  readonly #subscription: Disposable;

  constructor() {
    this.#note(window.activeTextEditor);
    this.#subscription = window.onDidChangeActiveTextEditor((editor) => this.#note(editor));
  }

  /**
   * Moves the focus to that editor, also when another tab covers it. Without one, to the next group of editors; where there is no other
   * group, to the sidebar.
   */
  async focus(): Promise<void> {
    const editor = this.#last;
    if (editor && !editor.document.isClosed) {
      const { viewColumn, document } = editor;
      await window.showTextDocument(document, { ...(viewColumn === undefined ? {} : { viewColumn }), preview: false });
      return;
    }
    const isAlone = window.tabGroups.all.length === 1;
    await commands.executeCommand(isAlone ? 'workbench.action.focusSideBar' : 'workbench.action.focusPreviousGroup');
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** Editors of the Output panel and of peek views have no column. */
  #note(editor: TextEditor | undefined): void {
    if (editor?.viewColumn !== undefined) this.#last = editor;
  }
}
