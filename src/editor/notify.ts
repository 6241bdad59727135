import {
  commands,
  InputBoxValidationSeverity,
  MarkdownString,
  ProgressLocation,
  StatusBarAlignment,
  ThemeColor,
  ThemeIcon,
  window,
  type Disposable,
  type InputBoxOptions,
  type InputBoxValidationMessage,
  type QuickPickItem,
  QuickPickItemKind,
  type QuickPickOptions,
} from 'vscode';
import { signalOf } from './signalOf';
import type { NoticeButton } from './notice';
import { plainText, withIcon } from './plainText';

// The only place that calls VS Code's notifications, questions, progress and status bar: all texts go through `plainText` here, since any
// of them may contain a part that somebody else has written. A lint rule keeps other files from calling them.

/** A text where VS Code takes Markdown, such as before a call of an agent: nothing in it becomes a link, a picture or a format. */
export function plainMarkdown(text: string): MarkdownString {
  return new MarkdownString().appendText(text);
}

/** Shows a notification. */
export function showInformation(text: string): void {
  void window.showInformationMessage(plainText(text));
}

/** Shows an information with buttons; resolves to the chosen one, undefined when it was closed. */
export async function offer(text: string, ...buttons: readonly string[]): Promise<string | undefined> {
  return await window.showInformationMessage(plainText(text), ...buttons);
}

/** Shows a warning; resolves to the chosen button, undefined when it was closed. */
export async function showWarning(text: string, ...buttons: readonly string[]): Promise<string | undefined> {
  return await window.showWarningMessage(plainText(text), ...buttons);
}

/** Shows an error, which stays until the user closes it; resolves to the chosen button, undefined when it was closed. */
export async function showError(text: string, ...buttons: readonly string[]): Promise<string | undefined> {
  return await window.showErrorMessage(plainText(text), ...buttons);
}

/** How many notices have had buttons, which makes the names of their commands unique. */
let noticesWithButtons = 0;

/**
 * Shows a notification that stays until the user closes it or the returned function is called. VS Code can take back nothing else but the
 * notification of a progress, which here has no task, and has no buttons of its own: they are links, whose commands live as long as it does.
 */
export function openNotice(text: string, buttons: readonly NoticeButton[] = []): () => void {
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  noticesWithButtons += buttons.length > 0 ? 1 : 0;
  const links = buttons.map(({ label, act }, index) => {
    const command = `sideload.notice.${noticesWithButtons}.${index}`;
    const registered = commands.registerCommand(command, () => {
      close();
      act();
    });
    void closed.then(() => {
      registered.dispose();
    });
    return `[${plainText(label).replace(/[[\]]/g, '')}](command:${command})`;
  });
  const title = [plainText(text), links.join(' · ')].filter((one) => one !== '').join(' ');
  const options = { location: ProgressLocation.Notification, title, cancellable: true };
  void window.withProgress(options, (progress, token) => {
    // A bar that runs would say that something is under way.
    progress.report({ increment: 100 });
    token.onCancellationRequested(close);
    return closed;
  });
  return close;
}

/** Asks in a modal dialog, with `detail` as lines below the question; resolves to the chosen button, undefined for Cancel. */
export async function askModal(
  question: string,
  detail: readonly string[],
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const options = { modal: true, detail: detail.map(plainText).join('\n') };
  return await window.showWarningMessage(plainText(question), options, ...buttons);
}

/** Asks in a modal dialog as `askModal` does, and resolves to whether `button` was chosen. */
export async function confirm(question: string, detail: readonly string[], button: string): Promise<boolean> {
  return (await askModal(question, detail, button)) === button;
}

/** Runs a task with a notification that shows its progress and can cancel it. */
export async function withProgress<T>(
  title: string,
  task: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
): Promise<T> {
  return await window.withProgress(
    { location: ProgressLocation.Notification, title: plainText(title), cancellable: true },
    (progress, token) => task(signalOf(token), (message) => progress.report({ message: plainText(message) })),
  );
}

/** As `withProgress`; undefined when the task fails after the user has cancelled it. */
export async function withProgressUnlessCancelled<T>(
  ...[title, task]: Parameters<typeof withProgress<T>>
): Promise<T | undefined> {
  return await withProgress(title, async (signal, report) => {
    try {
      return await task(signal, report);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  });
}

/** A choice in a list; `icon` is the id of one of VS Code's. */
export interface Choice {
  icon?: string;
  label: string;
  description?: string;
  /** Ticked at first, where several can be chosen. */
  picked?: boolean;
  /** A line stands between the choices of different groups, where one is chosen. */
  group?: string;
}

/** Texts of a question with a list. */
export interface ListQuestion {
  title?: string;
  placeHolder: string;
}

/** Asks for one of `choices`; undefined when the user cancels. Typed text is searched for in the descriptions, too. */
export async function pick<T extends Choice>(choices: readonly T[], question: ListQuestion): Promise<T | undefined> {
  const line: QuickPickItem = { label: '', kind: QuickPickItemKind.Separator };
  const items: (QuickPickItem & { choice?: T })[] = choices.flatMap((choice, index) => [
    ...(index > 0 && choice.group !== choices[index - 1]?.group ? [line] : []),
    itemOf(choice),
  ]);
  return (await window.showQuickPick(items, optionsOf(question)))?.choice;
}

/** Asks for any number of `choices`; undefined when the user cancels. */
export async function pickMany<T extends Choice>(
  choices: readonly T[],
  question: ListQuestion,
): Promise<T[] | undefined> {
  const options = { ...optionsOf(question), canPickMany: true as const };
  return (await window.showQuickPick(choices.map(itemOf), options))?.map(({ choice }) => choice);
}

/**
 * Asks for one of `choices`, or for a text that is typed and of which `choiceOf` makes a choice; undefined when the user cancels. What is typed is
 * the last choice, so that Enter picks the first one that it is found in.
 */
export async function pickOrType<T extends Choice>(
  choices: readonly T[],
  choiceOf: (text: string) => T,
  { title, placeHolder }: ListQuestion,
): Promise<T | undefined> {
  const list = window.createQuickPick<QuickPickItem & { choice: T }>();
  const draw = (): void => {
    const text = list.value.trim();
    const isNew = text !== '' && !choices.some(({ label }) => label === text);
    list.items = [...choices.map(itemOf), ...(isNew ? [{ ...itemOf(choiceOf(text)), alwaysShow: true }] : [])];
  };
  /** VS Code may show the items of an earlier text when Enter is pressed. */
  const accepted = (): T | undefined => {
    const choice = list.selectedItems[0]?.choice;
    if (choice && choices.includes(choice)) return choice;
    const text = list.value.trim();
    return choices.find(({ label }) => label === text) ?? (text === '' ? undefined : choiceOf(text));
  };
  Object.assign(list, { placeholder: plainText(placeHolder), matchOnDescription: true });
  if (title !== undefined) list.title = plainText(title);
  try {
    return await new Promise((resolve) => {
      list.onDidChangeValue(draw);
      list.onDidAccept(() => resolve(accepted()));
      list.onDidHide(() => resolve(undefined));
      draw();
      list.show();
    });
  } finally {
    list.dispose();
  }
}

function itemOf<T extends Choice>(choice: T): QuickPickItem & { choice: T } {
  const { icon, label, description, picked } = choice;
  return {
    label: icon === undefined ? plainText(label) : withIcon(icon, label),
    ...(description === undefined ? {} : { description: plainText(description) }),
    ...(picked === undefined ? {} : { picked }),
    choice,
  };
}

function optionsOf({ title, placeHolder }: ListQuestion): QuickPickOptions {
  return {
    ...(title === undefined ? {} : { title: plainText(title) }),
    placeHolder: plainText(placeHolder),
    matchOnDescription: true,
  };
}

/** A question that is answered with a text. */
export interface TextQuestion {
  title: string;
  prompt?: string;
  /** The text at first. */
  value?: string;
  placeHolder?: string;
  /** Whether the text is a secret, which is hidden. */
  isSecret?: boolean;
  /** What is wrong with a text; undefined when it can be accepted, as every text without it. */
  problemOf?: (text: string) => string | undefined;
  /** What becomes of a text that can be accepted; undefined when there is nothing to say. */
  noteOf?: (text: string) => string | undefined;
}

/**
 * Asks for a text; undefined when the user cancels. The question stays while something else has the focus, such as the window that the
 * text is copied from, so that nothing is lost that was typed.
 */
export async function askText(question: TextQuestion): Promise<string | undefined> {
  const { title, prompt, isSecret, problemOf: _problemOf, noteOf: _noteOf, ...rest } = question;
  const options: InputBoxOptions = {
    ...rest,
    title: plainText(title),
    ...(prompt === undefined ? {} : { prompt: plainText(prompt) }),
    ignoreFocusOut: true,
    password: isSecret === true,
    validateInput: (text) => validation(text, question),
  };
  return await window.showInputBox(options);
}

/** Asks as `askText` does, in a box with a button in its title, which ends it, too, with the text in the box; `icon` is the id of one of VS Code's. */
export async function askTextOr(
  question: Omit<TextQuestion, 'isSecret'>,
  { icon, tooltip }: { icon: string; tooltip: string },
): Promise<{ text: string; isButton: boolean } | undefined> {
  const { title, prompt, value = '', placeHolder } = question;
  const box = window.createInputBox();
  const validate = (): boolean => {
    const problem = validation(box.value, question);
    // The type of `validationMessage` excludes undefined, which clears it.
    Object.assign(box, { validationMessage: problem });
    return problem?.severity !== InputBoxValidationSeverity.Error;
  };
  const buttons = [{ iconPath: new ThemeIcon(icon), tooltip }];
  Object.assign(box, { title: plainText(title), value, buttons, ignoreFocusOut: true });
  if (prompt !== undefined) box.prompt = plainText(prompt);
  if (placeHolder !== undefined) box.placeholder = plainText(placeHolder);
  try {
    return await new Promise((resolve) => {
      box.onDidChangeValue(validate);
      box.onDidAccept(() => {
        if (validate()) resolve({ text: box.value, isButton: false });
      });
      box.onDidTriggerButton(() => resolve({ text: box.value, isButton: true }));
      box.onDidHide(() => resolve(undefined));
      validate();
      box.show();
    });
  } finally {
    box.dispose();
  }
}

function validation(
  text: string,
  { problemOf, noteOf }: Pick<TextQuestion, 'problemOf' | 'noteOf'>,
): InputBoxValidationMessage | undefined {
  const problem = problemOf?.(text);
  if (problem !== undefined) return { message: plainText(problem), severity: InputBoxValidationSeverity.Error };
  const note = noteOf?.(text);
  return note === undefined ? undefined : { message: plainText(note), severity: InputBoxValidationSeverity.Info };
}

/** How long the status bar shows what was just done, in milliseconds. */
const STATUS_MS = 4000;

/** Shows a text in the status bar for a few seconds. */
export function showStatus(text: string): void {
  window.setStatusBarMessage(plainText(text), STATUS_MS);
}

/** What an item of the status bar shows. */
export interface StatusTexts {
  icon: string;
  text: string;
  /** The lines of the tooltip. */
  tooltip: readonly string[];
  /** The item as one phrase, for a screen reader. */
  spoken: string;
  isWarning: boolean;
}

/** An item of the status bar, hidden at first. */
export interface StatusItem extends Disposable {
  draw(texts: StatusTexts): void;
  setVisible(isVisible: boolean): void;
}

/** Makes an item of the status bar; a click on it runs `command`. */
export function createStatusItem(id: string, name: string, command: string): StatusItem {
  const item = window.createStatusBarItem(id, StatusBarAlignment.Left, 0);
  item.name = name;
  item.command = command;
  return {
    draw: ({ icon, text, tooltip, spoken, isWarning }) => {
      item.text = withIcon(icon, text);
      item.tooltip = tooltip.map(plainText).join('\n');
      item.accessibilityInformation = { label: plainText(spoken) };
      // The type of `backgroundColor` excludes undefined, which clears it.
      Object.assign(item, {
        backgroundColor: isWarning ? new ThemeColor('statusBarItem.warningBackground') : undefined,
      });
    },
    setVisible: (isVisible) => {
      if (isVisible) item.show();
      else item.hide();
    },
    dispose: () => item.dispose(),
  };
}
