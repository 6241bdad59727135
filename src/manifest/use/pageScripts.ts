/** A script or a frame that a page loads, with the place of its address in the page: offsets in UTF-16 code units. */
export interface PageReference {
  address: string;
  isScript: boolean;
  start: number;
  end: number;
}

const COMMENT = /<!--[^]*?(?:-->|$)/g;

/** A tag with an address: `src` of scripts, pictures and frames, `href` of style sheets and preloaded modules. */
const TAG = /<(script|link|iframe|img|source|video|audio|embed)\b([^>]*)>/gi;

const ADDRESS = /\s(?:src|href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

/** The addresses that the tags of a page name. */
export function pageReferences(html: string): PageReference[] {
  const text = html.replaceAll(COMMENT, (comment) => ' '.repeat(comment.length));
  return [...text.matchAll(TAG)].flatMap(({ 0: whole, 1: tag = '', 2: attributes = '', index }) => {
    const found = ADDRESS.exec(attributes);
    const address = found?.[1] ?? found?.[2] ?? found?.[3] ?? '';
    if (!found || address.trim() === '') return [];
    const start = index + whole.indexOf(address, 1 + tag.length + found.index);
    const isScript = tag.toLowerCase() === 'script' || /\bmodulepreload\b/i.test(attributes);
    return [{ address: address.trim(), isScript, start, end: start + address.length }];
  });
}
