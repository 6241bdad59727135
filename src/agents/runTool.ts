import { bounded, QUOTES_NOTE } from './bounds';
import { errorText } from './errorText';
import { Input, problemOf } from './valueSchema';
import type { Tool, ToolResult, ToolWindow } from './tool';

/** Checks the input of a call and runs the tool. Never rejects: an error is an answer that says what to do next. */
export async function runTool(
  tool: Tool,
  input: unknown,
  window: ToolWindow,
  signal: AbortSignal = new AbortController().signal,
): Promise<ToolResult> {
  const problem = problemOf(tool.input, input);
  if (problem !== undefined) return { isError: true, text: `${problem} Nothing was done; call ${tool.name} again.` };
  try {
    const { text, ...result } = await tool.run(new Input(input), window, signal);
    return { ...result, text: withNote(bounded(text, 'Ask for less at once.')) };
  } catch (error) {
    return { isError: true, text: signal.aborted ? 'The call was cancelled.' : withNote(errorText(error)) };
  }
}

function withNote(text: string): string {
  return text.includes('«') ? `${text}\n${QUOTES_NOTE}` : text;
}
