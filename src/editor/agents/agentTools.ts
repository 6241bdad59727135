import * as l10n from '@vscode/l10n';
import {
  LanguageModelTextPart,
  LanguageModelToolResult,
  lm,
  Uri,
  workspace,
  type LanguageModelTool,
  type PreparedToolInvocation,
} from 'vscode';
// oxlint-disable-next-line no-restricted-imports -- for a class that newer versions have
import * as vscode from 'vscode';
import { TOOL_NAMES, type ToolName } from '../../agents/toolNames';
import type { Browser } from '../../service/model';
import type { Tool, ToolResult, ToolWindow } from '../../agents/tool';
import { signalOf } from '../signalOf';
import { browserLabel } from '../lists/labels';
import { plainMarkdown } from '../notify';
import { plainText } from '../plainText';
import type { PushWiring } from '../push/pushWiring';
import { Consent } from './consent';
import { editorWindow } from './editorWindow';

/** Stands for a browser that does not exist yet. */
const NEW_BROWSER = '*';

/** The tools for agents as language-model tools of this window. */
export class AgentTools {
  readonly #consent: Consent;
  readonly #window: ToolWindow;

  constructor(private readonly wiring: PushWiring) {
    this.#consent = new Consent(() => wiring.connection.key);
    this.#window = editorWindow(wiring, { consent: this.#consent });
    for (const name of TOOL_NAMES) wiring.own(lm.registerTool(name, this.#toolOf(name)));
  }

  #toolOf(name: ToolName): LanguageModelTool<object> {
    return {
      prepareInvocation: ({ input }, token) => this.#prepare(name, input, signalOf(token)),
      invoke: ({ input }, token) => this.#invoke(name, input, signalOf(token)),
    };
  }

  /** Asks before the first call that reaches a browser, also one that only reads. */
  async #prepare(name: ToolName, input: object, signal: AbortSignal): Promise<PreparedToolInvocation> {
    const [{ toolNamed }, { Input }] = await Promise.all([
      import('../../agents/allTools'),
      import('../../agents/valueSchema'),
    ]);
    const tool = toolNamed(name);
    const intent = tool?.intent(new Input(input)) ?? '';
    const invocationMessage = plainMarkdown(intent);
    // Whatever is wrong, the call itself says so.
    const reached = tool && (await this.#reached(tool, input, signal).catch(() => undefined));
    if (!tool || !reached) return { invocationMessage };
    const page = await this.#privatePage(tool, reached).catch(() => undefined);
    if (page === undefined && this.#window.isAllowed(reached.id)) {
      this.#consent.askNothing(callOf(name, input));
      return { invocationMessage };
    }
    this.#consent.ask(callOf(name, input), { browser: reached.id, isOfAllPages: page !== undefined });
    const label = reached.id === NEW_BROWSER ? 'a new browser' : browserLabel(reached);
    this.wiring.log.info(`Agent: ${name} asks to act in ${label}`);
    const sentences = [
      intent,
      ...(page === undefined
        ? []
        : [
            l10n.t(
              'The page {0} is open there. Agents then see all pages of this browser, also files of your machine and other extensions.',
              page,
            ),
          ]),
      l10n.t('In this window, this is asked once for each browser.'),
    ];
    // What the agent has written must not become a link.
    const message = plainMarkdown(sentences.join('\n\n'));
    return { invocationMessage, confirmationMessages: { title: titleOf(reached, page), message } };
  }

  /** Called after the confirmation, if there was one. Rejects when the tool did not do what was asked for, with what to do next. */
  async #invoke(name: ToolName, input: object, signal: AbortSignal): Promise<LanguageModelToolResult> {
    const [{ toolNamed }, { runTool }, { errorText }] = await Promise.all([
      import('../../agents/allTools'),
      import('../../agents/runTool'),
      import('../../agents/errorText'),
    ]);
    const tool = toolNamed(name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    const started = performance.now();
    const run = async (): Promise<ToolResult> => {
      let reached: Reached | undefined;
      try {
        reached = await this.#reached(tool, input, signal);
      } catch (error) {
        return { isError: true, text: errorText(error) };
      }
      if (!reached) return await runTool(tool, input, this.#window, signal);
      const { id } = reached;
      const mayBegin = this.#consent.begin(callOf(name, input), id);
      if (!mayBegin && !this.#window.isAllowed(id)) return { isError: true, text: NOT_ASKED };
      // The browser that the person was asked about, not one that is found once more.
      const pinned = id === NEW_BROWSER ? input : { ...input, browser: id };
      return await runTool(tool, pinned, this.#window, signal);
    };
    const result = await run();
    const [verdict = ''] = result.text.split('\n', 1);
    this.wiring.log.info(`Agent: ${name}, ${Math.round(performance.now() - started)} ms: ${verdict}`);
    if (result.isError) throw new Error(result.text);
    return await resultOf(result, this.wiring.context.storageUri ?? this.wiring.context.globalStorageUri);
  }

  /**
   * The browser that a call reaches; undefined when it reaches none, or its input is wrong.
   * @throws ToolError, ServiceError
   */
  async #reached(tool: Tool, input: object, signal: AbortSignal): Promise<Reached | undefined> {
    const [{ findBrowser }, { problemOf, Input }] = await Promise.all([
      import('../../agents/namedBrowsers'),
      import('../../agents/valueSchema'),
    ]);
    if (problemOf(tool.input, input) !== undefined) return undefined;
    const named = new Input(input).text('browser');
    switch (tool.reaches) {
      case 'nothing':
        return undefined;
      case 'newBrowser':
        return { id: NEW_BROWSER };
      case 'allowedBrowsers':
        return named === undefined ? undefined : await findBrowser(this.#window, named, signal);
      case 'browser':
        return await findBrowser(this.#window, named, signal);
    }
  }

  /** A page of the browser that agents do not see without a question of its own. */
  async #privatePage(tool: Tool, reached: Reached): Promise<string | undefined> {
    const isSeen = this.#consent.maySeeAllPages(reached.id);
    if (tool.isOfScreen !== true || isSeen || !('devToolsUrl' in reached)) return undefined;
    const { privatePage } = await import('../../agents/webPages');
    return await privatePage(this.#window, reached);
  }
}

/** What an agent gets whose call would reach another browser than the one that the person was asked about. */
const NOT_ASKED =
  'REFUSED: the browser of this call is not the one that the user was asked about. Nothing was done. Call again, and name the browser.';

/** A running browser, or one that does not exist yet. */
type Reached = Browser | { id: typeof NEW_BROWSER; name?: string };

/** What VS Code passes to a question and to the call after it alike. */
function callOf(name: ToolName, input: object): string {
  return JSON.stringify([name, input]);
}

function titleOf(reached: Reached, page: string | undefined): string {
  if (reached.id === NEW_BROWSER) return l10n.t('Let agents start browsers?');
  const label = plainText(browserLabel(reached));
  return page === undefined
    ? l10n.t('Let agents look into the browser {0} and act in it?', label)
    : l10n.t('Let agents see all pages of the browser {0}?', label);
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
