import * as l10n from '@vscode/l10n';
import { posix } from 'node:path';
import { valueOf } from '../json/node';
import { pagesOf } from '../namedPages';
import { ruleOf } from '../rule';
import { pageReferences } from '../use/pageScripts';
import { fileOfUrl, pageFile } from '../values/resource';
import { sourceAt } from './declaredUses';
import { isDeliveredBy } from './delivery';

/** A larger page is not read, in bytes. */
const MAX_PAGE_BYTES = 1024 * 1024;

/** The id of the rule about what a page of the manifest loads and no push brings. */
export const PAGE_FILES = 'R-PAGE-FILES';

/**
 * R-PAGE-FILES: a script, style sheet or picture that a page of the manifest names, and that is in the folder, but not delivered: the page works
 * when the folder is loaded as it is, and is broken after a push. Sideload's own.
 */
export const pageFileRule = ruleOf(PAGE_FILES, 'delivery', async function* ({ manifest, folder, options }) {
  const isDelivered = isDeliveredBy(options);
  const named = [...pagesOf(valueOf(manifest.root)).map(({ path }) => path), ...manifest.stringsAt('sandbox', 'pages')];
  for (const page of new Set(named.map(pageFile))) {
    if (page === undefined || !isDelivered(page)) continue;
    const content = await folder.read(page, MAX_PAGE_BYTES);
    if (!('bytes' in content)) continue;
    const text = Buffer.from(content.bytes).toString('utf8');
    for (const { address, start, end } of pageReferences(text)) {
      const file = fileAt(address, page);
      if (file === undefined || isDelivered(file) || !(await folder.isListed(file))) continue;
      const message = l10n.t(
        'The page {0} loads {1}, which is left out of pushes. Include it by the setting sideload.include (in a terminal: --include), or copy it to a place that is pushed.',
        page,
        file,
      );
      const title = l10n.t('Push {0} nevertheless (sideload.include)', file);
      const fix = { do: 'setting', setting: { list: 'include', path: file }, title } as const;
      yield { severity: 'warning', message, fix, ...sourceAt({ path: page, text }, { start, end }) };
    }
  }
});

/** What the URL parser does not take for relative to the folder of the page. */
const ABSOLUTE = /^([a-z][a-z\d+.-]*:|[/?#])/i;

/** The file of the extension that an address in a page leads to; undefined for another origin. */
function fileAt(address: string, page: string): string | undefined {
  const file = fileOfUrl(ABSOLUTE.test(address) ? address : posix.join(posix.dirname(page), address));
  return file === '' ? undefined : file;
}
