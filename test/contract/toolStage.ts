import assert from 'node:assert/strict';
import { silentLogger } from '../../src/service/logger';
import { toolNamed } from '../../src/agents/allTools';
import { HeadlessWindow } from '../../src/programs/headless/headlessWindow';
import type { ToolName } from '../../src/agents/toolNames';
import { runTool } from '../../src/agents/runTool';
import type { ToolResult } from '../../src/agents/tool';
import type { PushStage } from './pushStage';

/** Tools over the browser of a stage, whose folder is the only one that they may read. */
export class ToolStage {
  readonly window: HeadlessWindow;

  constructor({ client, folder }: PushStage) {
    this.window = new HeadlessWindow({
      roots: [folder],
      isLocal: true,
      connect: () => Promise.resolve(client),
      log: silentLogger,
      browserDefaults: { headless: true },
      isForAgents: true,
    });
  }

  /** The answer of a tool, whatever it is. */
  async call(name: ToolName, input: unknown = {}): Promise<ToolResult> {
    const tool = toolNamed(name);
    assert.ok(tool);
    const result = await runTool(tool, input, this.window);
    assert.ok(result.text.length < 17_000, `${name} has answered ${result.text.length} characters`);
    assert.doesNotMatch(result.text, /wss?:\/\/|jwt=|Bearer /, 'it has a credential');
    return result;
  }

  /** The text of a tool that must do what it was asked for. */
  async ask(name: ToolName, input: unknown = {}): Promise<string> {
    const { isError, text } = await this.call(name, input);
    assert.equal(isError, false, text);
    return text;
  }

  /** The text of a tool that must not. */
  async refuse(name: ToolName, input: unknown = {}): Promise<string> {
    const { isError, text } = await this.call(name, input);
    assert.equal(isError, true, text);
    return text;
  }

  /** Closes its connections; the client is the stage's. */
  dispose(): void {
    void this.window.connections().then((connections) => {
      connections.dispose();
    });
  }
}
