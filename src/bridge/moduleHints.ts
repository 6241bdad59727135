import { init, parse } from 'es-module-lexer/minimal';

/** The answers of servers whose imports are remembered. */
const MAX_MODULES = 5000;

/** The most hints for one page: all of them together stay far below what a browser takes as headers. */
const MAX_HINTS = 1000;

/** A longer script is a bundle, which imports little and takes long to be read, in characters. */
const MAX_LENGTH = 1024 * 1024;

/** A quoted text that may be an address. */
const QUOTED = /["']([^"'\s<>]{1,2000})["']/g;

/** A static import, `export * from` included, in the terms of es-module-lexer. */
const STATIC = new Set([1, 8]);

/**
 * The modules that a page of a server is going to import, as far as its scripts were answered before. A browser finds out about each module only from
 * the one that imports it, which costs a round trip for each level; with hints it asks for all at once.
 */
export class ModuleHints {
  /** What modules import, by their addresses, the oldest first. */
  readonly #imports = new Map<string, readonly string[]>();

  /** Reads what a script imports that a server has answered. Never rejects: of what is no module, nothing is known. */
  async note({ href }: URL, code: string): Promise<void> {
    await init();
    this.#imports.delete(href);
    this.#imports.set(href, importsOf(href, code));
    const [oldest] = this.#imports.keys();
    if (this.#imports.size > MAX_MODULES && oldest !== undefined) this.#imports.delete(oldest);
  }

  /** The addresses of the modules that a page will import, those first that it names itself. */
  of({ href }: URL, page: string): string[] {
    const named = [...page.matchAll(QUOTED)].flatMap(([, text = '']) => addressOf(text, href));
    const found = new Set(named.filter((address) => this.#imports.has(address)));
    // A set is also gone through in what is added meanwhile.
    for (const address of found) {
      for (const imported of this.#imports.get(address) ?? []) {
        if (found.size < MAX_HINTS && this.#imports.has(imported)) found.add(imported);
      }
    }
    return [...found].slice(0, MAX_HINTS);
  }
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
  return isAddress && URL.canParse(text, base) ? [new URL(text, base).href] : [];
}
