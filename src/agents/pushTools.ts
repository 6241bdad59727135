import { BROWSER, findBrowser } from './namedBrowsers';
import { FOLDER, findFolder, shownPath } from './folders';
import { pushText } from './pushText';
import { errorLines, newErrors, settleMsAfter } from './runtimeErrors';
import { takes, type Input } from './valueSchema';
import type { Tool, ToolResult, ToolWindow } from './tool';

/** Pushes an extension. */
export const pushTool: Tool = {
  name: 'push_extension',
  title: 'Push Extension',
  description:
    'Checks the manifest as Chromium does, sends the extension folder to a running browser, reloads it and proves that the browser runs exactly these files. Use it after each edit (and build). The first line of the answer is the verdict: only RUNNING is a success. Other verdicts come with file, line, the words of Chromium and the fix.',
  input: takes({ folder: FOLDER, browser: BROWSER }),
  effect: 'replaces',
  reaches: 'browser',
  isOpenWorld: true,
  intent: (input) =>
    `Push ${folderOf(input)} to ${browserOf(input)}. Open pages of it are reloaded; a browser that takes files only by a restart is restarted.`,
  run: (input, window, signal) => push(input, window, signal, { mustReload: false }),
};

/** Reloads an extension. */
export const reloadTool: Tool = {
  name: 'reload_extension',
  title: 'Reload Extension',
  description:
    'Loads the extension again from its folder, with a fresh service worker, also when no file has changed, and proves that it runs. Answers as push_extension does.',
  input: takes({ folder: FOLDER, browser: BROWSER }),
  effect: 'replaces',
  reaches: 'browser',
  isOpenWorld: true,
  intent: (input) => `Load ${folderOf(input)} again in ${browserOf(input)}.`,
  run: (input, window, signal) => push(input, window, signal, { mustReload: true }),
};

async function push(
  input: Input,
  window: ToolWindow,
  signal: AbortSignal,
  how: { mustReload: boolean },
): Promise<ToolResult> {
  const { folder, root } = await findFolder(window, input.text('folder'));
  const browser = await findBrowser(window, input.text('browser'), signal);
  const browserOutcome = await window.push(folder, browser, how, signal);
  const show = (path: string): string => shownPath(window.roots, path);
  const text = await pushText(browserOutcome, { folder, root, show });
  if (browserOutcome.outcome.kind !== 'running') return { isError: true, text };
  const { extensionId, ms } = browserOutcome.outcome;
  const errors = await newErrors(window, browser, extensionId, new Map(), signal, settleMsAfter(ms));
  const lines = await errorLines(window, errors, { folder, root, extensionId }, 'since this push');
  return { isError: false, text: [text, ...lines].join('\n') };
}

function folderOf(input: Input): string {
  return input.text('folder') === undefined ? 'the extension' : `the extension in "${input.text('folder') ?? ''}"`;
}

/** The browser of a call in words. */
function browserOf(input: Input): string {
  const named = input.text('browser');
  return named === undefined ? 'the browser' : `the browser "${named}"`;
}
