import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const page = (title: string): string => `<!doctype html><title>${title}</title><h1 style="width: 300px">${title}</h1>`;

/** An extension that has every surface: popup, options, side panel, offscreen document, and a frame and a content script for web pages. */
const FILES: Readonly<Record<string, string>> = {
  'manifest.json': JSON.stringify({
    manifest_version: 3,
    name: 'Surfaces',
    version: '1',
    action: { default_popup: 'popup.html' },
    options_ui: { page: 'options.html', open_in_tab: true },
    side_panel: { default_path: 'panel.html' },
    background: { service_worker: 'worker.js' },
    permissions: ['sidePanel', 'offscreen'],
    content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['content.js'] }],
    web_accessible_resources: [{ resources: ['frame.html'], matches: ['http://127.0.0.1/*'] }],
  }),
  'worker.js': `
    let presses = 0;
    chrome.action.onClicked.addListener(() => { presses += 1; });
    chrome.runtime.onMessage.addListener((_, sender, answer) => { answer(presses); });`,
  'content.js': '',
  'popup.html': page('The popup'),
  'options.html': page('The options'),
  'panel.html': page('The panel'),
  'offscreen.html': page('Offscreen'),
  'frame.html': page('The frame'),
  'other.html': page('Another page'),
};

/** Writes that extension into a new folder, with some files changed; `remove` deletes the folder. */
export async function surfaceExtension(
  changes: Readonly<Record<string, string>> = {},
): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'sideload-surfaces-'));
  await Promise.all(
    Object.entries({ ...FILES, ...changes }).map(([name, text]) => writeFile(join(folder, name), text)),
  );
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
