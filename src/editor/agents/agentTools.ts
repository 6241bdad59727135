import * as l10n from '@vscode/l10n';
import {
  Disposable,
  LanguageModelTextPart,
  LanguageModelToolResult,
  lm,
  MarkdownString,
  Uri,
  workspace,
  type CancellationToken,
  type LanguageModelTool,
  type PreparedToolInvocation,
} from 'vscode';
import * as vscode from 'vscode';
import { TOOL_NAMES, type ToolName } from '../../tools/names';
import type { ToolResult } from '../../tools/tool';
import { signalOf } from '../cancellation';
import type { PushParts } from '../push/pushParts';
import { readAgentConfirmation } from '../settings';
import { EditorWindow } from './editorWindow';

/** What is confirmed for a new browser, which has no name yet. */
const NEW_BROWSER = '*';

/** The tools for agents as language-model tools of this window. */
export class AgentTools implements Disposable {
  readonly #parts: PushParts;
  readonly #window: EditorWindow;
  /** The browsers that agents may act in without a question. */
  readonly #allowed = new Set<string>();
  readonly #registrations: Disposable;

  constructor(parts: PushParts) {
    this.#parts = parts;
    this.#window = new EditorWindow(parts);
    this.#registrations = Disposable.from(...TOOL_NAMES.map((name) => lm.registerTool(name, this.#toolOf(name))));
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  #toolOf(name: ToolName): LanguageModelTool<object> {
    return {
      prepareInvocation: ({ input }) => this.#prepare(name, input),
      invoke: ({ input }, token) => this.#invoke(name, input, token),
    };
  }

  /** Asks before the first act in a browser. */
  async #prepare(name: ToolName, input: object): Promise<PreparedToolInvocation> {
    const [{ toolNamed }, { Input }] = await Promise.all([import('../../tools/all'), import('../../tools/schema')]);
    const tool = toolNamed(name);
    const intent = tool?.intent(new Input(input)) ?? '';
    const invocationMessage = new MarkdownString().appendText(intent);
    const browser = this.#browserOf(name, input);
    const isAllowed = readAgentConfirmation() === 'never' || (browser !== undefined && this.#allowed.has(browser));
    if (tool?.isReadOnly === true || isAllowed) return { invocationMessage };
    const title = this.#titleOf(browser);
    const once = l10n.t('In this window, this is asked once for each browser.');
    this.#parts.log.info(`Agent: ${name} asks to act in ${this.#logged(browser)}`);
    // What the agent has written must not become a link.
    const message = new MarkdownString().appendText(`${intent}\n\n${once}`);
    return { invocationMessage, confirmationMessages: { title, message } };
  }

  /** Called after the confirmation, if there was one. Rejects when the tool did not do what was asked for, with what to do next. */
  async #invoke(name: ToolName, input: object, token: CancellationToken): Promise<LanguageModelToolResult> {
    const [{ toolNamed }, { runTool }] = await Promise.all([import('../../tools/all'), import('../../tools/run')]);
    const tool = toolNamed(name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    const browser = this.#browserOf(name, input);
    if (!tool.isReadOnly && browser !== undefined) this.#allowed.add(browser);
    const started = performance.now();
    const result = await runTool(tool, input, this.#window, signalOf(token));
    const [verdict = ''] = result.text.split('\n', 1);
    this.#parts.log.info(`Agent: ${name}, ${Math.round(performance.now() - started)} ms: ${verdict}`);
    if (result.isError) throw new Error(result.text);
    return await resultOf(result, this.#parts.context.storageUri ?? this.#parts.context.globalStorageUri);
  }

  /**
   * The browser that a call acts in, as far as it is known before. Undefined when the call names none and none is chosen: it is the only one
   * that runs then, and each call is confirmed.
   */
  #browserOf(name: ToolName, input: object): string | undefined {
    if (name === 'create_extension_browser') return NEW_BROWSER;
    const named: unknown = 'browser' in input ? input.browser : undefined;
    const browser = typeof named === 'string' ? named : this.#window.chosenBrowsers()[0];
    return this.#known().find(({ name, id }) => name === browser || id === browser)?.id ?? browser;
  }

  #titleOf(browser: string | undefined): string {
    if (browser === NEW_BROWSER) return l10n.t('Let agents start browsers?');
    if (browser === undefined) return l10n.t('Let agents act in the browser that is running?');
    return l10n.t('Let agents act in the browser {0}?', this.#labelOf(browser));
  }

  #logged(browser: string | undefined): string {
    if (browser === NEW_BROWSER) return 'a new browser';
    return browser === undefined ? 'the browser that is running' : this.#labelOf(browser);
  }

  /** The name of a browser, if it is known without a request. */
  #labelOf(browser: string): string {
    return this.#known().find(({ id }) => id === browser)?.name ?? browser;
  }

  /** The browsers that are known without a request. */
  #known(): readonly { id: string; name: string }[] {
    const { lists, target, pins } = this.#parts;
    const chosen = [...pins.browsers, ...(target.browser ? [target.browser] : [])];
    return [
      ...lists.browsers.items.map((session) => ({ id: session.session_id, name: session.name ?? session.session_id })),
      ...chosen.map(({ sessionId, label }) => ({ id: sessionId, name: label })),
    ];
  }
}

async function resultOf({ text, image }: ToolResult, folder: Uri): Promise<LanguageModelToolResult> {
  if (!image) return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
  const part = imagePart(image);
  if (part !== undefined) {
    const result = new LanguageModelToolResult([new LanguageModelTextPart(text)]);
    result.content.push(part);
    return result;
  }
  const file = Uri.joinPath(folder, 'screenshot.png');
  await workspace.fs.writeFile(file, image);
  return new LanguageModelToolResult([new LanguageModelTextPart(`${text} It is in ${file.fsPath}.`)]);
}

/** A picture as VS Code passes it to models from 1.106 on; undefined before, whose types are those that Sideload is built with. */
function imagePart(png: Uint8Array): unknown {
  const part: unknown = Reflect.get(vscode, 'LanguageModelDataPart');
  if (typeof part !== 'function') return undefined;
  const make: unknown = Reflect.get(part, 'image');
  if (typeof make !== 'function') return undefined;
  const made: unknown = Reflect.apply(make, part, [png, 'image/png']);
  return made;
}
