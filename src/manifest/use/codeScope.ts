/** What a name or an expression stands for: a path in the API, empty for the API itself. */
export interface ApiValue {
  path: string;
  /** Known: reached from `chrome` or `browser`. Pair: from an unknown object by two names of the API. Name: from a variable of that name. */
  trust: 'known' | 'pair' | 'name';
}

/** The global object, which has the API as a member. */
export const GLOBAL = 'global';

export type Value = ApiValue | typeof GLOBAL;

/** The names that a function declares; blocks count as a part of their function. */
export class CodeScope {
  readonly #values = new Map<string, Value | undefined>();
  readonly #texts = new Map<string, string>();
  readonly #fetched = new Set<string>();

  constructor(readonly parent?: CodeScope) {}

  /** Notes that the function declares the name; what was known of it stays. */
  declare(name: string): void {
    if (!this.#values.has(name)) this.#values.set(name, undefined);
  }

  /** Whether the script declares the name. */
  isDeclared(name: string): boolean {
    return this.#ownerOf(name).#values.has(name);
  }

  /** Notes what a name stands for, in the scope that declares it. Returns whether that is new. */
  bind(name: string, value: Value): boolean {
    const scope = this.#ownerOf(name);
    if (scope.#values.get(name) !== undefined) return false;
    scope.#values.set(name, value);
    return true;
  }

  bindText(name: string, text: string): void {
    const scope = this.#ownerOf(name);
    scope.declare(name);
    scope.#texts.set(name, text);
  }

  /** Notes that a name stands for text that came over the network. */
  bindFetched(name: string): void {
    const scope = this.#ownerOf(name);
    scope.declare(name);
    scope.#fetched.add(name);
  }

  valueOf(name: string): Value | undefined {
    return this.#ownerOf(name).#values.get(name);
  }

  textOf(name: string): string | undefined {
    return this.#ownerOf(name).#texts.get(name);
  }

  isFetched(name: string): boolean {
    return this.#ownerOf(name).#fetched.has(name);
  }

  /** The scope that declares a name; the outermost one of a name that is assigned and declared nowhere. */
  #ownerOf(name: string): CodeScope {
    return this.#values.has(name) || !this.parent ? this : this.parent.#ownerOf(name);
  }
}
