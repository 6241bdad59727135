import { urlOf } from '../base/url';
import { extensionOf } from '../devtools/protocol/extensionUrl';
import { LOAD_LIMIT_MS, type OpenedPage } from '../devtools/pages/pageLoad';
import {
  openSurface,
  runningManifest,
  showLoadedNow,
  type Opened,
  type Surface,
} from '../devtools/extensions/surfaces';
import { exampleAddress, visibleAddress } from '../manifest/exampleAddress';
import { contentScriptPages } from '../manifest/scriptPages';
import { pageAddress } from '../manifest/typedAddress';
import { oneLine, quoted } from './bounds';
import {
  BROWSER,
  browserName,
  buildOf,
  EXTENSION,
  findExtension,
  withLink,
  type FoundExtension,
} from './namedBrowsers';
import { runContentScripts } from './contentPage';
import { openAndLoad } from './openedPage';
import { countErrors, errorLines, newErrors } from './runtimeErrors';
import { needs, oneOf, words, type Input } from './valueSchema';
import { ToolError, type Tool, type ToolWindow } from './tool';

/** The surfaces, by their values of `surface` in the input. */
const SURFACES: Readonly<Record<string, Surface>> = {
  popup: 'popup',
  options: 'options',
  side_panel: 'sidePanel',
  action: 'action',
};

const KINDS = [...Object.keys(SURFACES), 'page', 'web_page'];

/** The kinds of surfaces that a member is for. */
const KIND_OF: Readonly<Record<string, string>> = { path: 'page', url: 'web_page' };

/** What an error page of Chromium means (C-PAGE-ERROR). */
const NO_PAGE =
  'Chromium shows an error page instead: there is no such file in the extension, or the address cannot be reached. No script of the extension ran there.';

/** For a page that has not loaded in time: the list of its errors is not complete. */
const STILL_LOADING = `Its page is STILL LOADING after ${LOAD_LIMIT_MS / 1000} s: errors may follow, call get_extension_findings for them.`;

/** Opens a part of an extension. */
export const surfaceTool: Tool = {
  name: 'open_extension_surface',
  title: 'Open Surface',
  description:
    'Opens a part of an extension in the browser as a user would: its popup, options page, side panel, a press of its toolbar button ("action"), any page of it ("page" with "path"), or a page of the web that its content scripts run on ("web_page", with "url" a real one, without it an empty page that stands in for one that they match). Answers how it opened and which errors that caused, with file and line.',
  input: needs(['surface'], {
    surface: oneOf('What to open.', KINDS),
    path: words('For "page": its path in the extension, such as "popup.html".', 1000),
    url: words(
      'For "web_page": an http or https address that "content_scripts" or the host permissions of the manifest match. Without it, an empty page stands in, without the network, and is closed again.',
      2000,
    ),
    browser: BROWSER,
    extension: EXTENSION,
  }),
  effect: 'replaces',
  reaches: 'browser',
  isOpenWorld: true,
  intent: (input) => {
    const what = input.text('url') ?? input.text('path') ?? input.text('surface') ?? '';
    return `Open ${oneLine(what, 200)} in the browser.`;
  },
  run: async (input, window, signal) => {
    for (const [name, kind] of Object.entries(KIND_OF)) {
      if (input.text(name) !== undefined && input.text('surface') !== kind) {
        throw new ToolError(`"${name}" is for the surface "${kind}" only.`);
      }
    }
    const found = await findExtension(window, input, signal);
    const { browser, extension } = found;
    const before = countErrors(window, browser, extension.id);
    const { opened, load, settleMs } = await openAndLoad(window, browser, signal, () =>
      open(window, found, input, signal),
    );
    const errors = await newErrors(window, browser, extension.id, before, signal, settleMs);
    const build = buildOf(window, browser, extension.id);
    const lines = build
      ? await errorLines(window, errors, build, 'since it was opened')
      : ['Its errors are not known, because it was not pushed from here.'];
    const what = `${input.text('surface') ?? ''} of ${quoted(extension.name, 60)} in ${browserName(browser)}`;
    if (opened.as === 'nothing') {
      return { isError: true, text: [`NOT OPENED: the ${what}: ${oneLine(opened.reason)}.`, ...lines].join('\n') };
    }
    const how = howText(opened);
    if (load === 'failed') return { isError: true, text: [`NOT LOADED: the ${what}. ${NO_PAGE}`, ...lines].join('\n') };
    const loading = load === 'loaded' ? [] : [STILL_LOADING];
    return { isError: false, text: [`OPENED: the ${what}${how}.`, ...loading, ...lines].join('\n') };
  },
};

/** An empty page at `address` was opened and closed, on which content scripts ran. */
interface StoodIn {
  as: 'standIn';
  address: string;
}

/** What was opened, with the page that is to load, if there is one. */
type OpenedWithPage = (Opened | StoodIn) & { page?: OpenedPage | undefined };

function howText(opened: Exclude<Opened, { as: 'nothing' }> | StoodIn): string {
  switch (opened.as) {
    case 'itself':
      return '';
    case 'tab':
      return `, as a tab, because ${oneLine(opened.reason)}`;
    case 'standIn':
      return `: its content scripts ran on an empty page at ${oneLine(opened.address, 200)}, which is closed again`;
  }
}

async function open(
  window: ToolWindow,
  { browser, extension }: FoundExtension,
  input: Input,
  signal: AbortSignal,
): Promise<OpenedWithPage> {
  const kind = input.text('surface') ?? '';
  const surface = SURFACES[kind];
  if (surface) return await withLink(window, browser, (link) => openSurface(link, extension.id, surface));
  if (kind === 'web_page' && input.text('url') === undefined) {
    const manifest = await withLink(window, browser, (link) => runningManifest(link, extension.id));
    const address = visibleAddress(manifest);
    if (address === undefined) {
      const hasSome = exampleAddress(manifest) !== undefined;
      return {
        as: 'nothing',
        reason: hasSome
          ? 'whether its content scripts run cannot be seen (style sheets, scripts in the main world, globs); name a page with "url"'
          : 'it has no content script for pages of the web',
      };
    }
    const didRun = await runContentScripts(window, { browser, extensionId: extension.id }, address, signal);
    return didRun ? { as: 'standIn', address } : { as: 'nothing', reason: `no content script ran at ${address}` };
  }
  return await withLink(window, browser, async (link) => {
    const url =
      kind === 'page' ? ownPage(extension.id, input) : webPage(await runningManifest(link, extension.id), input);
    return { as: 'itself', page: await showLoadedNow(link, url) };
  });
}

/** @throws ToolError */
function ownPage(extensionId: string, input: Input): string {
  const path = input.text('path') ?? '';
  const url = path === '' ? undefined : pageAddress(extensionId, path, () => true);
  if (url === undefined || extensionOf(url) !== extensionId) {
    throw new ToolError('"path" must be the path of a page in the extension, such as "popup.html".');
  }
  return url;
}

/** @throws ToolError */
function webPage(manifest: unknown, input: Input): string {
  const text = input.text('url') ?? '';
  const url = urlOf(text);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isWeb || url.username !== '' || url.password !== '') {
    throw new ToolError('"url" must be an http or https address without a user name.');
  }
  if (contentScriptPages(manifest)?.(url.href) !== true) {
    throw new ToolError(
      `${oneLine(url.host, 100)} is refused: neither "content_scripts" nor the host permissions of the manifest match it.`,
    );
  }
  return url.href;
}
