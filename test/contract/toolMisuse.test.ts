// Covers: src/agents
import assert from 'node:assert/strict';
import { TOOL_NAMES, type ToolName } from '../../src/agents/toolNames';
import { PushStage } from './pushStage';
import { ToolStage } from './toolStage';

/** An input that a tool must refuse, and what its answer says. What is wrong with types and lengths is in test/unit/agents. */
type Misuse = readonly [input: Record<string, unknown>, reason: RegExp];

const NOBODY: Misuse = [{ browser: 'nobody' }, /^No browser "nobody" is running\. Those are: /];
const NO_NAME: Misuse = [{ browser: '' }, /^No browser "" is running\. Those are: /];
const OTHER: Misuse = [{ extension: 'other' }, /^No extension "other" is loaded in .* There are: «Sideload Sample»/];
const NO_ID: Misuse = [{ extension: 'a'.repeat(32) }, /^No extension "a{32}" is loaded in /];
const FOLDERS: readonly Misuse[] = [
  [{ folder: '..' }, /outside of the workspace/],
  [{ folder: '/etc' }, /outside of the workspace/],
  [{ folder: 'missing' }, /^The folder "missing" does not exist in the workspace/],
  [{ folder: 'manifest.json' }, /^"manifest\.json" is a file\. Name the folder that holds manifest\.json\.$/],
  [{ folder: 'a\0b' }, /a character that no path has/],
];

const POINT = { x: 5, y: 5 };
const click = { do: 'click', ...POINT };

function withArea(misuse: Misuse): Misuse {
  return [{ area: 'local', set: { a: 1 }, ...misuse[0] }, misuse[1]];
}

function ofReading([{ set: _, ...input }, reason]: Misuse): Misuse {
  return [input, reason];
}

/** Each way to misuse each tool; a new tool does not compile without. */
const MISUSES: Readonly<Record<ToolName, readonly Misuse[]>> = {
  push_extension: [...FOLDERS, NOBODY, NO_NAME, [{ extension: 'other' }, /has no "extension"/]],
  reload_extension: [...FOLDERS, NOBODY, NO_NAME],
  get_extension_findings: [
    ...FOLDERS,
    NOBODY,
    NO_NAME,
    [{ offset: 100 }, /^There (is 1 finding|are \d+ findings), so there is none from/],
  ],
  list_extension_browsers: [[{ offset: 5 }, /^1 browser is running, so there is none from offset 5 on\.$/]],
  create_extension_browser: [
    [{ name: '' }, /^"name" may have letters/],
    [{ name: '../x' }, /^"name" may have letters/],
    [{ name: 'of two words' }, /^"name" may have letters/],
  ],
  read_extension_console: [NOBODY, NO_NAME, OTHER, NO_ID, [{ level: 'warning' }, /must be one of debug, info, warn/]],
  open_extension_surface: [
    ...[NOBODY, OTHER].map(([input, reason]): Misuse => [{ surface: 'popup', ...input }, reason]),
    [{ surface: 'popup', path: 'popup.html' }, /^"path" is for the surface "page" only\.$/],
    [{ surface: 'page', path: 'popup.html', url: 'https://example.com/' }, /^"url" is for the surface "web_page" only/],
    [{ surface: 'web_page', path: 'https://example.com/' }, /^"path" is for the surface "page" only/],
    [{ surface: 'page' }, /^"path" must be the path of a page/],
    [{ surface: 'page', path: '' }, /^"path" must be the path of a page/],
    [{ surface: 'page', path: 'none.html' }, /^NOT LOADED: /],
    [{ surface: 'options' }, /^NOT OPENED: the options of .*options_ui/],
    [{ surface: 'side_panel' }, /^NOT OPENED: the side_panel of .*sidePanel/],
    [{ surface: 'web_page' }, /^NOT OPENED: .* no content script for pages of the web/],
    [{ surface: 'web_page', url: '' }, /http or https/],
    [{ surface: 'web_page', url: 'example.com' }, /http or https/],
    [{ surface: 'web_page', url: 'javascript:alert(1)' }, /http or https/],
    [{ surface: 'web_page', url: 'https://example.com/' }, /^example\.com is refused: neither/],
  ],
  screenshot_extension_browser: [NOBODY, NO_NAME],
  act_in_extension_browser: [
    ...[NOBODY, NO_NAME].map(([input, reason]): Misuse => [{ actions: [click], ...input }, reason]),
    [{ actions: [] }, /^"actions" is empty\.$/],
    [{ actions: [{ do: 'click', x: 5 }] }, /^click needs "x" and "y"/],
    [{ actions: [{ do: 'type' }] }, /^type needs "text"/],
    [{ actions: [{ do: 'type', text: 'a', ...POINT }] }, /^type takes no "x"\.$/],
    [{ actions: [{ do: 'keys', keys: [] }] }, /^keys needs "keys"/],
    [{ actions: [{ do: 'keys', keys: ['a b'] }] }, /^keys needs "keys": X11 names/],
    [{ actions: [{ do: 'keys', keys: ['a'], text: 'a' }] }, /^keys takes no "text"\.$/],
    [{ actions: [{ do: 'scroll', ticks: 1 }] }, /^scroll needs "x" and "y"/],
    [{ actions: [{ do: 'scroll', ...POINT }] }, /^scroll needs "ticks" or "ticks_x" other than 0\.$/],
    [{ actions: [{ do: 'scroll', ...POINT, ticks: 0 }] }, /^scroll needs "ticks"/],
    [{ actions: [{ do: 'wait', ...POINT }] }, /^wait takes no "x"\.$/],
    [{ actions: [{ do: 'click', x: 20_000, y: 5 }] }, /^NOT DONE: actions\[0\] of 1\. coordinates are outside/],
    [
      { actions: [click, click, { do: 'keys', keys: ['NoSuchKey'] }, click] },
      /^NOT DONE: actions\[2\] of 4; actions\[0\] to actions\[1\] were done\. No such key name "NoSuchKey"/,
    ],
    [
      { actions: [click, { do: 'click', x: 20_000, y: 5 }] },
      /^NOT DONE: actions\[1\] of 2; actions\[0\] was done\. coordinates are outside/,
    ],
  ],
  get_extension_storage: [NOBODY, OTHER, NO_ID].map(withArea).map(ofReading),
  set_extension_storage: [
    ...[NOBODY, OTHER, NO_ID].map(withArea),
    [{ area: 'local' }, /^Both "set" and "remove" are empty\.$/],
    [{ area: 'local', set: {}, remove: [] }, /^Both "set" and "remove" are empty\.$/],
    [{ area: 'local', set: { a: 1 }, remove: ['b', 'a'] }, /^"a" is both in "set" and in "remove"\.$/],
    [{ area: 'managed', set: { a: 1 } }, /must be one of local, sync, session/],
    [{ area: 'sync', set: { a: 'x'.repeat(10_000) } }, /^REFUSED by Chromium, nothing was written/],
  ],
  stop_extension_worker: [NOBODY, NO_NAME, OTHER, NO_ID],
  get_extension_guide: [[{ topic: 'push' }, /has no "topic"\. It takes nothing\./]],
};

describe('what is no use of a tool', function () {
  this.timeout(120_000);
  const stage = PushStage.forSuite();
  let tools: ToolStage;

  beforeEach(() => {
    tools = new ToolStage(stage());
  });
  afterEach(() => {
    tools.dispose();
  });

  for (const name of TOOL_NAMES) {
    it(`is refused by ${name}, with what to do instead`, async () => {
      await stage().editManifest({ permissions: ['storage'], content_scripts: undefined, minimum_opera_version: '1' });
      await tools.ask('push_extension');
      for (const [input, reason] of MISUSES[name]) {
        assert.match(await tools.refuse(name, input), reason, JSON.stringify(input).slice(0, 200));
      }
    });
  }

  it('is refused where the extension lacks what the tool is for', async () => {
    const at = stage();
    await at.editManifest({ background: undefined, permissions: [] });
    await tools.ask('push_extension');
    for (const start of [false, true]) {
      assert.match(await tools.refuse('stop_extension_worker', { start }), /^No service worker of .* is registered/);
    }
    for (const [name, input] of [
      ['get_extension_storage', { area: 'local' }],
      ['set_extension_storage', { area: 'local', remove: ['a'] }],
    ] as const) {
      assert.match(await tools.refuse(name, input), /^The extension has no storage: add "storage"/);
    }
  });

  it('is refused where nothing was pushed, or nobody is named of two', async () => {
    const extension: readonly (readonly [ToolName, Record<string, unknown>])[] = [
      ['read_extension_console', {}],
      ['open_extension_surface', { surface: 'popup' }],
      ['get_extension_storage', { area: 'local' }],
      ['set_extension_storage', { area: 'local', set: { a: 1 } }],
      ['stop_extension_worker', {}],
    ];
    for (const [name, input] of extension) {
      assert.match(await tools.refuse(name, input), /^No extension is loaded in .* Call push_extension first\.$/, name);
    }
    const other = await stage().client.createBrowser({ name: 'misuse-other', headless: true });
    try {
      const browser: readonly (readonly [ToolName, Record<string, unknown>])[] = [
        ...extension,
        ['push_extension', {}],
        ['reload_extension', {}],
        ['screenshot_extension_browser', {}],
        ['act_in_extension_browser', { actions: [click] }],
      ];
      for (const [name, input] of browser) {
        const text = await tools.refuse(name, input);
        assert.match(text, /^Several browsers are running\. Name one with "browser": .*misuse-other/, name);
      }
      const taken = await tools.refuse('create_extension_browser', { name: 'misuse-other' });
      assert.match(taken, /already exists.* Choose another name\.$/);
    } finally {
      await stage().client.deleteBrowser(other.id);
    }
  });
});
