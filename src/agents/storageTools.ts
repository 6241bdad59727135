import { HiddenPage } from '../devtools/protocol/hiddenPage';
import {
  itemsOf,
  readStorage,
  STORAGE_AREAS,
  StorageError,
  writeStorage,
  type StorageArea,
} from '../devtools/storage/extensionStorage';
import { bounded, oneLine, quoted, quotedJson } from './bounds';
import { BROWSER, browserName, EXTENSION, findExtension, withLink, type FoundExtension } from './namedBrowsers';
import { listOf, needs, oneOf, words, type Input } from './valueSchema';
import { ToolError, type Tool, type ToolWindow } from './tool';

/** Longest value that is shown of several, in characters. */
const MOST_VALUE = 1000;

/** Keys that are listed. */
const MOST_KEYS = 200;

/** The largest write, in characters of JSON. */
const MOST_WRITTEN = 1_000_000;

/** Reads what an extension has stored. */
export const readStorageTool: Tool = {
  name: 'get_extension_storage',
  title: 'Get Storage',
  description:
    'Reads chrome.storage of an extension: the values of "keys", or all keys with the beginning of each value. Does not wake its service worker.',
  input: needs(['area'], {
    area: oneOf('The storage area.', STORAGE_AREAS),
    keys: listOf('The keys to read whole; all keys, cut, without it.', words('A key.', 1000), 50),
    browser: BROWSER,
    extension: EXTENSION,
  }),
  effect: 'none',
  reaches: 'browser',
  isOpenWorld: true,
  intent: (input) => `Read the ${input.text('area') ?? ''} storage of the extension.`,
  run: async (input, window, signal) => {
    const found = await findExtension(window, input, signal);
    const area = areaOf(input);
    const items = await withPage(window, found, (page) => readStorage(page, area));
    const name = `chrome.storage.${area} of ${quoted(found.extension.name, 60)} in ${browserName(found.browser)}`;
    const keys = input.texts('keys');
    if (keys.length > 0) {
      const lines = keys.map(
        (key) => `${quotedJson(key)}: ${items.has(key) ? quotedJson(items.get(key)) : '(not stored)'}`,
      );
      return { isError: false, text: bounded([`${name}:`, ...lines].join('\n'), 'Read fewer keys at once.') };
    }
    const all = [...items].slice(0, MOST_KEYS);
    const lines = all.map(([key, value]) => `${quotedJson(key, MOST_VALUE)}: ${quotedJson(value, MOST_VALUE)}`);
    const more = items.size > all.length ? [`${items.size - all.length} more keys.`] : [];
    const head = `${name}: ${items.size === 1 ? '1 key' : `${items.size} keys`}.`;
    return { isError: false, text: bounded([head, ...lines, ...more].join('\n'), 'Name "keys" to read them whole.') };
  },
};

/** Changes what an extension has stored. */
export const writeStorageTool: Tool = {
  name: 'set_extension_storage',
  title: 'Set Storage',
  description:
    'Writes values to chrome.storage of an extension and removes keys from it, all or nothing, as the extension itself would: its onChanged listeners run, and quotas hold.',
  input: needs(['area'], {
    area: oneOf('The storage area.', ['local', 'sync', 'session']),
    set: {
      type: 'object',
      description: 'The values to write, by key, as JSON.',
      properties: {},
      additionalProperties: true,
    },
    remove: listOf('The keys to remove.', words('A key.', 1000), 100),
    browser: BROWSER,
    extension: EXTENSION,
  }),
  effect: 'replaces',
  reaches: 'browser',
  isOpenWorld: false,
  intent: (input) => {
    const [set, removed] = [[...itemsOf(input.value('set')).keys()], input.texts('remove')];
    const changes = [
      ...(set.length > 0 ? [`set ${set.join(', ')}`] : []),
      ...(removed.length > 0 ? [`remove ${removed.join(', ')}`] : []),
    ];
    return `In the ${input.text('area') ?? ''} storage of the extension: ${oneLine(changes.join('; '), 300)}.`;
  },
  run: async (input, window, signal) => {
    const set = itemsOf(input.value('set'));
    const remove = input.texts('remove');
    if (set.size === 0 && remove.length === 0) throw new ToolError('Both "set" and "remove" are empty.');
    const both = remove.find((key) => set.has(key));
    if (both !== undefined) throw new ToolError(`"${oneLine(both, 100)}" is both in "set" and in "remove".`);
    if (JSON.stringify([...set]).length > MOST_WRITTEN)
      throw new ToolError(`"set" has more than ${MOST_WRITTEN} characters.`);
    const found = await findExtension(window, input, signal);
    const area = areaOf(input);
    await withPage(window, found, (page) => writeStorage(page, area, { set, remove }));
    return {
      isError: false,
      text: `WRITTEN: chrome.storage.${area} of ${quoted(found.extension.name, 60)} in ${browserName(found.browser)}: ${set.size} set, ${remove.length} removed.`,
    };
  },
};

function areaOf(input: Input): StorageArea {
  return STORAGE_AREAS.find((area) => area === input.text('area')) ?? 'local';
}

/** Runs `act` with a hidden page of the extension. @throws ToolError */
async function withPage<T>(
  window: ToolWindow,
  { browser, extension }: FoundExtension,
  act: (page: HiddenPage) => Promise<T>,
): Promise<T> {
  return await withLink(window, browser, async ({ connection }) => {
    const page = await HiddenPage.open(connection, extension.id);
    if (!page) throw new ToolError('The extension is not enabled. Push it again.');
    try {
      return await act(page);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      throw new ToolError(storageText(error));
    } finally {
      await page.close();
    }
  });
}

function storageText({ reason, message }: StorageError): string {
  return {
    noStorage: 'The extension has no storage: add "storage" to the "permissions" of its manifest and push it.',
    gone: 'The extension was reloaded meanwhile. Call again.',
    refused: `REFUSED by Chromium, nothing was written: ${quoted(message)}`,
    tooLarge: `The area has ${oneLine(message, 30)} bytes, which is too much to read.`,
  }[reason];
}
