import { listTabs } from '../devtools/pages/tabs';
import { type Browser } from '../service/model';
import { PROFILE_NAME_PATTERN } from '../service/interface';
import type { PastDelivery } from '../push/turns/otherPrograms';
import { DIGEST_LENGTH, oneLine, pageOf, quoted } from './bounds';
import { browserName, MOST_BROWSERS, runningBrowsers, withLink } from './namedBrowsers';
import { errorText } from './errorText';
import { ToolError, type Tool, type ToolWindow } from './tool';
import { flag, takes, whole, words } from './valueSchema';

/** Browsers that one call describes, by default. */
const USUAL_LIMIT = 10;

/** Extensions and tabs that are listed of each browser. */
const MOST_ENTRIES = 20;

/** How long a browser that a tool has created lives without use, in seconds. */
const CREATED_TIMEOUT_SECONDS = 3600;

/** Lists the browsers with what is in them. */
export const listBrowsersTool: Tool = {
  name: 'list_extension_browsers',
  title: 'List Browsers',
  description:
    'Lists the running browsers that extensions can be pushed to, with the extensions loaded in each, their versions and whether they are enabled, and the open tabs.',
  input: takes({
    offset: whole('How many browsers to skip.', 0, 10_000),
    limit: whole(`How many to describe; ${USUAL_LIMIT} by default.`, 1, 50),
  }),
  effect: 'none',
  reaches: 'allowedBrowsers',
  isOpenWorld: true,
  intent: () => 'List the running browsers.',
  run: async (input, window, signal) => {
    const running = await runningBrowsers(window, signal);
    if (running.length === 0) {
      return { isError: false, text: 'No browser is running. Call create_extension_browser to start one.' };
    }
    const offset = input.number('offset') ?? 0;
    const { items, more } = pageOf(running, offset, input.number('limit') ?? USUAL_LIMIT);
    const many = running.length < MOST_BROWSERS ? String(running.length) : `${MOST_BROWSERS} or more`;
    const count = running.length === 1 ? '1 browser is running' : `${many} browsers are running`;
    if (items.length === 0) throw new ToolError(`${count}, so there is none from offset ${offset} on.`);
    const blocks = await Promise.all(items.map((browser) => describe(window, browser)));
    const rest = more > 0 ? [`${more} more: call again with offset ${offset + items.length}.`] : [];
    return { isError: false, text: [`${count}.`, ...blocks, ...rest].join('\n') };
  },
};

/** Starts a browser. */
export const createBrowserTool: Tool = {
  name: 'create_extension_browser',
  title: 'Create Browser',
  description: 'Starts a fresh browser to push an extension to. Takes a second or two on this machine.',
  input: takes({
    name: words('Name: letters, digits, ".", "_", "-".', 60),
    headless: flag('Whether it has no window on a display. Without it, the service decides.'),
  }),
  effect: 'adds',
  reaches: 'newBrowser',
  isOpenWorld: false,
  intent: (input) =>
    `Start a browser${input.text('name') === undefined ? '' : ` named "${input.text('name') ?? ''}"`}.`,
  run: async (input, window, signal) => {
    const name = input.text('name');
    if (name !== undefined && !PROFILE_NAME_PATTERN.test(name)) {
      throw new ToolError('"name" may have letters, digits, ".", "_" and "-".');
    }
    const headless = input.value('headless');
    const started = performance.now();
    const client = await window.client();
    signal.throwIfAborted();
    // Without the signal: a service goes on starting a browser whose answer nobody waits for, and nobody would end it.
    const browser = await client.createBrowser({
      timeoutSeconds: CREATED_TIMEOUT_SECONDS,
      ...window.browserDefaults(),
      ...(name !== undefined && { name }),
      ...(typeof headless === 'boolean' && { headless }),
    });
    if (signal.aborted) {
      await client.deleteBrowser(browser.id).catch(async (error: unknown) => {
        // It is ended with the others.
        await window.onCreated(browser);
        throw error;
      });
    }
    signal.throwIfAborted();
    await window.onCreated(browser);
    const ms = Math.round(performance.now() - started);
    const mode = browser.headless ? 'headless' : 'with a window';
    return {
      isError: false,
      text: `Browser ${browserName(browser)} runs, ${mode}, started in ${ms} ms. Next: push_extension with browser "${browserName(browser)}".`,
    };
  },
};

/** Which build was pushed last, and by which program. */
function pushedText({ isOwn, outcome, digest }: PastDelivery): string {
  const by = isOwn ? 'from here' : 'by another program';
  return outcome === 'running' ? `, build ${digest.slice(0, DIGEST_LENGTH)} pushed ${by}` : `, last push ${by} failed`;
}

/** A browser with its extensions and tabs, or why they cannot be read. */
async function describe(window: ToolWindow, browser: Browser): Promise<string> {
  const { id: browserId, headless } = browser;
  const chosen = window.chosenBrowsers().includes(browserId) ? ', pushes go here' : '';
  const head = `- ${browserName(browser)} (id ${browserId}, ${headless ? 'headless' : 'with a window'}${chosen})`;
  if (!window.isAllowed(browserId))
    return `${head}\n  The user was not asked yet whether agents may look into it: a call that names it asks.`;
  try {
    const [[extensions, tabs], deliveries] = await Promise.all([
      withLink(window, browser, (link) => Promise.all([link.extensions(), listTabs(link)])),
      window.deliveries(browserId),
    ]);
    const lines = [
      ...extensions.map(({ id, name, version, enabled }) => {
        const pushed = deliveries.find(({ extensionId }) => extensionId === id);
        const state = `${enabled ? 'enabled' : 'disabled'}${pushed ? pushedText(pushed) : ''}`;
        return `  extension ${quoted(name, 60)} ${oneLine(version, 30)}, ${state}, id ${id}`;
      }),
      ...tabs.map(({ url, title }) => `  tab ${quoted(title, 60)} ${quoted(url, 200)}`),
    ];
    const { items, more } = pageOf(lines, 0, MOST_ENTRIES);
    return [head, ...items, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n');
  } catch (error) {
    return `${head}\n  cannot be read: ${oneLine(errorText(error), 300)}`;
  }
}
