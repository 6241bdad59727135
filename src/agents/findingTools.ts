import { isSamePath } from '../base/disk';
import type { PartError } from '../console/extensionErrors';
import type { Finding } from '../manifest/finding';
import { checkInThread } from '../push/prepare/checkThread';
import type { Browser } from '../service/model';
import { pageOf } from './bounds';
import { BROWSER, browserName, findBrowser, runningBrowsers } from './namedBrowsers';
import { errorText } from './errorText';
import { countText, errorLine, findingText } from './findingText';
import { FOLDER, findFolder, shownPath } from './folders';
import { takes, whole, type Input } from './valueSchema';
import { ToolError, type Tool, type ToolWindow } from './tool';

/** Findings of one answer, by default. */
const USUAL_LIMIT = 20;

/** Says what is wrong with an extension. */
export const findingsTool: Tool = {
  name: 'get_extension_findings',
  title: 'Get Findings',
  description:
    'Says what is wrong with an extension: what the check of the manifest and its files finds (it decides as Chromium does, without a browser), and the errors that the running extension has thrown or logged in any of its parts since its last push, each with file, line and the fix where one is known.',
  input: takes({
    folder: FOLDER,
    browser: {
      ...BROWSER,
      description: 'Name or id of a browser, to have the errors there alone; all browsers without it.',
    },
    offset: whole('How many findings to skip.', 0, 10_000),
    limit: whole(`How many to list; ${USUAL_LIMIT} by default.`, 1, 50),
  }),
  effect: 'none',
  reaches: 'allowedBrowsers',
  isOpenWorld: true,
  intent: () => 'Check the extension.',
  run: async (input, window, signal) => {
    const { folder, root } = await findFolder(window, input.text('folder'));
    const { exclude, include, storeHints = false } = window.settingsOf(folder);
    const published = await window.publishedFor?.(folder);
    const check = { folder, exclude, include, storeHints, readsCode: storeHints, ...published };
    const { findings } = await checkInThread(check, signal);
    const show = (path: string): string => shownPath(window.roots, path);
    const refused = findings.some(({ severity }) => severity === 'error');
    const running = await runtimeLines(input, window, { folder, root, findings }, signal);
    const all = [...findings.map((finding) => findingText(finding, folder, show)), ...running.lines];
    const offset = input.number('offset') ?? 0;
    const { items, more } = pageOf(all, offset, input.number('limit') ?? USUAL_LIMIT);
    if (items.length === 0 && all.length > 0) throw new ToolError(beyond(all.length, offset));
    const rest = more > 0 ? [`${more} more: call again with offset ${offset + items.length}.`] : [];
    const checked = `${refused ? 'REFUSED' : 'LOADS'}: the check of ${show(folder)} has ${countText(findings.map(({ severity }) => severity))}.`;
    return { isError: false, text: [checked, running.verdict, ...items, ...rest].join('\n') };
  },
};

function beyond(count: number, offset: number): string {
  return `There ${count === 1 ? 'is 1 finding' : `are ${count} findings`}, so there is none from offset ${offset} on.`;
}

/** What the parts of the extension report, but for what Chromium says of the manifest and the check has found, too. */
async function runtimeLines(
  input: Input,
  window: ToolWindow,
  { folder, root, findings }: { folder: string; root: string; findings: readonly Finding[] },
  signal: AbortSignal,
): Promise<{ verdict: string; lines: string[] }> {
  const named = input.text('browser');
  let running: Browser[];
  try {
    running = named === undefined ? await runningBrowsers(window, signal) : [await findBrowser(window, named, signal)];
  } catch (error) {
    // A name that no browser has is a mistake in the call; the check itself needs no service.
    if (error instanceof ToolError) throw error;
    return { verdict: `The errors in browsers cannot be read: ${errorText(error)}`, lines: [] };
  }
  const browsers = running.filter(({ id }) => window.isAllowed(id));
  const show = (path: string): string => shownPath(window.roots, path);
  const blocks = await Promise.all(
    browsers.map(async (browser) => {
      const build = window.builds(browser.id).findLast((one) => isSamePath(one.folder, folder));
      if (!build) return undefined;
      const isFound = ({ part, text }: PartError): boolean =>
        part.kind === 'manifest' && findings.some(({ chromium }) => chromium?.includes(text) === true);
      const errors = window.errors(browser, build.extensionId).filter((error) => !isFound(error));
      const lines = await Promise.all(errors.map((error) => errorLine(error, { ...build, root }, show)));
      return { name: browserName(browser), errors, lines };
    }),
  );
  const pushed = blocks.filter((block) => block !== undefined);
  if (pushed.length === 0) return { verdict: 'It was not pushed to a running browser from here yet.', lines: [] };
  const verdict = pushed.map(
    ({ name, errors }) =>
      `In ${name} since its last push: ${countText(errors.map(({ isWarning }) => (isWarning ? 'warning' : 'error')))}.`,
  );
  return { verdict: verdict.join('\n'), lines: pushed.flatMap(({ lines }) => lines) };
}
