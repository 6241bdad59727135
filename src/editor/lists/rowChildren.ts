import type { Node } from './nodes';

/** Reads what is below a row and resolves to what draws it. Never rejects. */
export type ReadChildren = () => Promise<() => Node<unknown>[]>;

/** What reads the rows below a row; undefined for a row that cannot be expanded. */
export type ChildrenOf = (row: Node<unknown>) => ReadChildren | undefined;

/** A row that is expanded, and what was read for it. */
interface Expanded {
  row: Node<unknown>;
  /** The rows below it that were drawn last. */
  drawn: readonly Node<unknown>[];
  reading: Promise<() => Node<unknown>[]>;
  /** What is to replace `reading`. */
  newest?: Promise<() => Node<unknown>[]>;
}

/** The rows below rows: read when a row is expanded, and remembered until they are deleted. The ids of rows begin with that of the row above. */
export class RowChildren {
  /** By the id of the row above. */
  readonly #expanded = new Map<string, Expanded>();

  constructor(private readonly childrenOf: ChildrenOf) {}

  canExpand(row: Node<unknown>): boolean {
    return this.childrenOf(row) !== undefined;
  }

  async of(row: Node<unknown>): Promise<Node<unknown>[]> {
    const known = this.#expanded.get(row.id);
    const reading = known?.reading ?? this.childrenOf(row)?.();
    if (!reading) return [];
    const expanded = known ?? { row, drawn: [], reading };
    this.#expanded.set(row.id, expanded);
    const rows = (await reading)();
    expanded.row = row;
    expanded.drawn = rows;
    return rows;
  }

  /** The row that a row was drawn below. */
  parentOf(row: Node<unknown>): Node<unknown> | undefined {
    return [...this.#expanded.values()].find(({ drawn }) => drawn.includes(row))?.row;
  }

  /**
   * Reads again what is below the row `id`, and below the expanded rows among them, if it is remembered; resolves to whether there is something new
   * to draw. What was read before is shown until then, and the same texts are not drawn again: VS Code forgets rows while it waits for others,
   * and a click on one of them would reach its command without the row. What nobody sees (`isSeen`) is read when it is drawn.
   */
  async readAgain(id: string, isSeen: boolean): Promise<boolean> {
    if (!this.#expanded.has(id)) return false;
    if (!isSeen) return this.delete(id);
    const done = await Promise.all(this.#within(id).map((one) => this.#replace(one)));
    return done.some(Boolean);
  }

  /** Whether what was read last would now be drawn in another way. */
  async isOutdated(id: string): Promise<boolean> {
    const expanded = this.#expanded.get(id);
    if (!expanded) return false;
    const fresh = (await expanded.reading)();
    return this.#expanded.get(id) === expanded && !isUpdated(expanded.drawn, fresh);
  }

  /** Deletes what is below a row, and below the rows there. Returns whether it had been read. */
  delete(id: string): boolean {
    const isKnown = this.#expanded.has(id);
    for (const one of this.#within(id)) this.#expanded.delete(one);
    return isKnown;
  }

  clear(): void {
    this.#expanded.clear();
  }

  /** The expanded rows that are the row `id` or below it. */
  #within(id: string): string[] {
    return [...this.#expanded.keys()].filter((one) => one === id || one.startsWith(`${id}/`));
  }

  /** Resolves to whether there is something new to draw, and not to be replaced by a reading that began later. */
  async #replace(id: string): Promise<boolean> {
    const expanded = this.#expanded.get(id);
    const newest = expanded && this.childrenOf(expanded.row)?.();
    if (!newest) return false;
    expanded.newest = newest;
    const fresh = (await newest)();
    if (this.#expanded.get(id) !== expanded || expanded.newest !== newest) return false;
    expanded.reading = newest;
    return !isUpdated(expanded.drawn, fresh);
  }
}

/** Whether the rows that are drawn show the same as `fresh` ones; they get the items of these then. */
function isUpdated(drawn: readonly Node<unknown>[], fresh: readonly Node<unknown>[]): boolean {
  const textOf = (row: Node<unknown>): string => JSON.stringify({ ...row, item: undefined });
  if (drawn.length !== fresh.length || !fresh.every((row, at) => textOf(row) === textOf(drawn[at] ?? row)))
    return false;
  for (const [at, row] of drawn.entries()) Object.assign(row, fresh[at]);
  return true;
}
