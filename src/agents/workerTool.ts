import { quoted } from './bounds';
import { BROWSER, browserName, EXTENSION, findExtension, withLink } from './namedBrowsers';
import { ToolError, type Tool } from './tool';
import { flag, takes } from './valueSchema';

/** Stops the worker of an extension. */
export const stopWorkerTool: Tool = {
  name: 'stop_extension_worker',
  title: 'Stop Service Worker',
  description:
    'Stops the service worker of an extension as Chromium does after 30 s without work, to find state that is lost by it. The next event starts it again, or this tool with "start".',
  input: takes({
    start: flag('Start it instead.'),
    browser: BROWSER,
    extension: EXTENSION,
  }),
  effect: 'replaces',
  reaches: 'browser',
  isOpenWorld: false,
  intent: (input) => `${input.flag('start') ? 'Start' : 'Stop'} the service worker of the extension.`,
  run: async (input, window, signal) => {
    const { browser, extension } = await findExtension(window, input, signal);
    const mustStart = input.flag('start');
    const end = await withLink(window, browser, async (link) => {
      const workers = await link.workers();
      const status = workers?.stateOf(extension.id)?.status;
      if (workers === undefined || status === undefined) return 'none';
      if (status === (mustStart ? 'running' : 'stopped')) return 'already';
      return (await (mustStart ? workers.start(extension.id) : workers.stop(extension.id))) ? 'done' : 'late';
    });
    const name = `${quoted(extension.name, 60)} in ${browserName(browser)}`;
    if (end === 'none') {
      throw new ToolError(
        `No service worker of ${name} is registered: it has none, or its script has failed. Call get_extension_findings.`,
      );
    }
    if (end === 'late') {
      throw new ToolError(
        `The service worker of ${name} did not ${mustStart ? 'start' : 'stop'} in time. Call get_extension_findings.`,
      );
    }
    const state = mustStart ? 'running' : 'stopped';
    const text = end === 'already' ? `NOTHING TO DO: the service worker of ${name} was ${state} already.` : undefined;
    return { isError: false, text: text ?? `DONE: the service worker of ${name} is ${state}.` };
  },
};
