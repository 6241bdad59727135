import { init, parse } from 'es-module-lexer/minimal';
import { RecentMap } from '../base/recentMap';
import { urlOf } from '../base/url';

/** The answers of servers whose imports are remembered. */
const MAX_MODULES = 5000;

/** The most hints for one page. */
const MAX_HINTS = 1000;

/** The most modules of a page that are looked at. */
const MAX_FOUND = 2 * MAX_HINTS;

/** A longer script is a bundle, which imports little and takes long to be read, in characters. */
const MAX_LENGTH = 1024 * 1024;

/** A quoted text that may be an address. */
const QUOTED = /["']([^"'\s<>]{1,2000})["']/g;

/** The mark of time that Vite puts on a module which was edited: the answer at this address is the newest of that module. */
const EDITED = /\?t=\d{1,16}$/;

/** A static import, `export * from` included, in the terms of es-module-lexer. */
const STATIC = new Set([1, 8]);

/**
 * The modules that a page of a server is going to import, as far as its scripts were answered before. A browser finds out about each module only from
 * the one that imports it, which costs a round trip for each level; with hints it asks for all at once.
 */
export class ModuleHints {
  /** What modules import, by their addresses without the mark of an edit. */
  readonly #imports = new RecentMap<string, readonly string[]>(MAX_MODULES);

  /** Reads what a script imports that a server has answered. Never rejects: of what is no module, nothing is known. */
  async note({ href }: URL, code: string): Promise<void> {
    // Without the reader, no script imports anything.
    await init().catch(() => undefined);
    this.#imports.set(moduleOf(href), importsOf(href, code));
  }

  /**
   * The addresses of the modules that a page will import, those first that it names itself; none with a query, as that of a version, of which the server
   * may have another one now.
   */
  of({ href }: URL, page: string): string[] {
    const found = new Set<string>();
    const add = (addresses: readonly string[]): void => {
      for (const address of addresses) {
        if (found.size < MAX_FOUND && this.#imports.has(moduleOf(address))) found.add(address);
      }
    };
    add([...page.matchAll(QUOTED)].flatMap(([, text = '']) => addressOf(text, href)));
    // A set is also gone through in what is added meanwhile.
    for (const address of found) add(this.#imports.get(moduleOf(address)) ?? []);
    return [...found].filter((address) => !moduleOf(address).includes('?')).slice(0, MAX_HINTS);
  }
}

function moduleOf(href: string): string {
  return href.replace(EDITED, '');
}

function importsOf(href: string, code: string): string[] {
  if (code.length > MAX_LENGTH) return [];
  try {
    const [imports] = parse(code);
    return imports.flatMap(({ t, n }) => (STATIC.has(t) && n !== undefined ? addressOf(n, href) : []));
  } catch {
    return [];
  }
}

/** The address that a text means in a script or page; none for a bare name, whose module only an import map could name. */
function addressOf(text: string, base: string): string[] {
  const isAddress = /^(?:\.{0,2}\/|https?:)/.test(text);
  const url = isAddress ? urlOf(text, base) : undefined;
  return url ? [url.href] : [];
}
