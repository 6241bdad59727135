import { setTimeout as delay } from 'node:timers/promises';
import { BrowserConsole } from '../console/browserConsole';
import { ConsoleFeed } from '../console/consoleFeed';
import type { ConsoleLevel, ConsoleLine } from '../console/consoleLine';
import { SourceLocations } from '../console/sourceLocations';
import { devToolsAddress } from '../service/devToolsAddress';
import { oneLine, quoted } from './bounds';
import { BROWSER, browserName, buildOf, EXTENSION, findExtension, type FoundExtension } from './namedBrowsers';
import type { Tool, ToolWindow } from './tool';
import { oneOf, takes, whole, words } from './valueSchema';

/** How long messages are collected, by default, and at most, in milliseconds. Earlier ones come within 100. */
const USUAL_WAIT_MS = 500;
const MOST_WAIT_MS = 20_000;

/** Lines of one answer, by default. */
const USUAL_LIMIT = 50;

const LEVELS: readonly ConsoleLevel[] = ['debug', 'info', 'warn', 'error'];

/** Reads the console of an extension. */
export const consoleTool: Tool = {
  name: 'read_extension_console',
  title: 'Read Console',
  description:
    'Reads what an extension has written to the console in all its parts that run now: service worker, popup, options, side panel, offscreen document and content scripts, with the part and the source line of each message. It listens for "wait_ms" more, so that messages of an act just before are there. The newest lines are last.',
  input: takes({
    browser: BROWSER,
    extension: EXTENSION,
    wait_ms: whole(`How long to listen; ${USUAL_WAIT_MS} by default.`, 0, MOST_WAIT_MS),
    level: oneOf('The lowest level to list; "debug" by default.', LEVELS),
    contains: words('Only lines with this text.', 200),
    limit: whole(`The most lines, the newest; ${USUAL_LIMIT} by default.`, 1, 500),
  }),
  effect: 'none',
  reaches: 'browser',
  isOpenWorld: true,
  intent: () => 'Read the console of the extension.',
  run: async (input, window, signal) => {
    const found = await findExtension(window, input, signal);
    const all = await collect(window, found, input.number('wait_ms') ?? USUAL_WAIT_MS, signal);
    const lowest = LEVELS.findIndex((level) => level === input.text('level'));
    const contains = input.text('contains') ?? '';
    const wanted = all.filter(({ level, text }) => LEVELS.indexOf(level) >= lowest && text.includes(contains));
    const limit = input.number('limit') ?? USUAL_LIMIT;
    const shown = wanted.slice(-limit);
    const name = `${quoted(found.extension.name, 60)} in ${browserName(found.browser)}`;
    const older = wanted.length > shown.length ? `, ${wanted.length - shown.length} older ones: raise "limit"` : '';
    const contexts = [...new Set(all.map(({ context }) => context))].filter((context) => context !== '');
    const from = contexts.length === 0 ? '' : ` (parts: ${oneLine(contexts.join(', '), 200)})`;
    const head = `${shown.length} console lines of ${name}${from}${older}.`;
    const hint =
      shown.length > 0
        ? []
        : ['What has ended or sleeps has no console: open it, and read again. get_extension_findings has its errors.'];
    return { isError: false, text: [head, ...shown.map(lineText), ...hint].join('\n') };
  },
};

function lineText({ level, context, text }: ConsoleLine): string {
  return `${level} ${oneLine(context, 80)}: ${quoted(text)}`;
}

/** The lines from before and of the next `waitMs`. The worker may sleep again afterwards. */
async function collect(
  window: ToolWindow,
  { browser, extension }: FoundExtension,
  waitMs: number,
  signal: AbortSignal,
): Promise<ConsoleLine[]> {
  const address = devToolsAddress(browser.devToolsUrl, (await window.client()).baseUrl);
  const lines: ConsoleLine[] = [];
  const feed = new ConsoleFeed((line) => lines.push(line));
  feed.useLocations(new SourceLocations(extension.id, buildOf(window, browser, extension.id)));
  const opened = await BrowserConsole.open(
    address,
    {
      extensionId: extension.id,
      pageName: () => undefined,
      push: feed.push,
      addDropped: feed.addDropped,
      shown: new Map(),
    },
    signal,
  );
  try {
    await delay(Math.max(waitMs, SETTLE_MS), undefined, { signal });
    feed.flush();
    await delay(SETTLE_MS, undefined, { signal });
  } finally {
    opened.close();
    feed.dispose();
  }
  return lines;
}

/** How long earlier messages and the contents of objects may take, in milliseconds. */
const SETTLE_MS = 250;
