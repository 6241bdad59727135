import * as l10n from '@vscode/l10n';
import { EventEmitter, lm, McpStdioServerDefinition, window, workspace, type McpServerDefinition } from 'vscode';
import { version } from '../../../package.json';
import { COMMANDS, MCP_PROVIDER, SETTINGS } from '../../ids';
import { BROWSER_VARIABLE, TOKEN_VARIABLE } from '../../service/serviceAddress';
import type { ServiceWiring } from '../service/connection';
import { readServiceSettings } from '../settings';
import { isServerOffered } from './serverOffer';
import { rootsOnDisk } from '../folder/foldersOnDisk';

/** What a configuration has in place of the token, which is never written into a document. */
const TOKEN_PLACEHOLDER = '<token>';

/** What a configuration has in place of a folder, where none is open. */
const FOLDER_PLACEHOLDER = '<folder>';

/** Offers the MCP server of the package to the editor, and its configuration to other agents. */
export class McpProvider {
  readonly handlers = {
    [COMMANDS.showAgentConfiguration]: () => this.#show(),
  };
  readonly #changed = new EventEmitter<void>();

  constructor(private readonly wiring: ServiceWiring) {
    wiring.own(
      this.#changed,
      wiring.connection.onDidChange(() => this.#changed.fire()),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SETTINGS.headless)) this.#changed.fire();
      }),
      workspace.onDidChangeWorkspaceFolders(() => this.#changed.fire()),
      workspace.onDidGrantWorkspaceTrust(() => this.#changed.fire()),
      lm.registerMcpServerDefinitionProvider(MCP_PROVIDER, {
        onDidChangeMcpServerDefinitions: this.#changed.event,
        provideMcpServerDefinitions: () =>
          isServerOffered(workspace.isTrusted, rootsOnDisk()) ? [this.#definition()] : [],
        resolveMcpServerDefinition: (definition) => this.#withToken(definition),
      }),
    );
  }

  #definition(): McpStdioServerDefinition {
    // In desktop VS Code `execPath` is Electron, which runs as Node only with this variable.
    const env = { ELECTRON_RUN_AS_NODE: '1', ...this.#browserEnv() };
    return new McpStdioServerDefinition('Sideload', process.execPath, this.#args(), env, version);
  }

  /** Adds the token when the server is started. */
  async #withToken(definition: McpServerDefinition): Promise<McpServerDefinition> {
    const { remoteUrl, tokens } = this.wiring.connection;
    const token = remoteUrl && (await tokens.read(remoteUrl));
    if (token === undefined || !(definition instanceof McpStdioServerDefinition)) return definition;
    definition.env = { ...definition.env, [TOKEN_VARIABLE]: token };
    return definition;
  }

  /** Of this window: its folders, and its service with the same data, so that the browsers are those of the lists. */
  #args(): string[] {
    const { connection, context } = this.wiring;
    const { remoteUrl } = connection;
    const { project: projectSetting, headless } = readServiceSettings();
    const project = projectSetting.trim();
    return [
      context.asAbsolutePath('dist/mcp.js'),
      ...rootsOnDisk().flatMap((folder) => ['--root', folder]),
      ...(remoteUrl ? ['--service', remoteUrl.href] : ['--data-dir', connection.localDataFolder]),
      ...(remoteUrl && project !== '' ? ['--project', project] : []),
      ...(!remoteUrl && headless === 'always' ? ['--headless'] : []),
    ];
  }

  /** Names the browser that the settings name, which the local service would take from this window. */
  #browserEnv(): Record<string, string> {
    const browserPath = this.wiring.connection.remoteUrl ? '' : readServiceSettings().browserPath.trim();
    return browserPath === '' ? {} : { [BROWSER_VARIABLE]: browserPath };
  }

  /** Shows the configuration that most agents take, and the command lines for terminals, in a new document. */
  async #show(): Promise<void> {
    const { connection, context } = this.wiring;
    const env = connection.remoteUrl ? { [TOKEN_VARIABLE]: TOKEN_PLACEHOLDER } : this.#browserEnv();
    const args = [...this.#args(), ...(rootsOnDisk().length > 0 ? [] : ['--root', FOLDER_PLACEHOLDER])];
    const hasEnv = Object.keys(env).length > 0;
    const configuration = { mcpServers: { sideload: { command: 'node', args, ...(hasEnv && { env }) } } };
    const lines = [
      l10n.t(
        'Paste this into the configuration of an agent that takes MCP servers. It needs Node.js 20.18.1 or newer.',
      ),
      l10n.t(
        'The same program for terminals and pipelines: {0}',
        `node ${context.asAbsolutePath('dist/cli.js')} --help`,
      ),
    ];
    const content = `${lines.map((line) => `// ${line}`).join('\n')}\n${JSON.stringify(configuration, null, 2)}\n`;
    await window.showTextDocument(await workspace.openTextDocument({ language: 'jsonc', content }));
  }
}
